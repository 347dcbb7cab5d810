import { describe, expect, it } from 'vitest';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { createRateLimiter, rateLimiterKind } from '#shared/rate-limiter';
import { openVendor } from '#shared/vendor/adapters';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const START_MS = Date.parse('2026-11-21T12:00:00Z');
const requestTimeoutMs = 30 * SECOND_MS;
type Headers = Readonly<Record<string, string>>;

const rate = (reset: string | number): Headers => ({
  'x-ratelimit-limit': '20',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(reset),
});

/** A vendor that refuses every request, and a worker that asks again as soon as it may, beside another one. */
function openRefusing(headersAt: (nowMs: number) => Headers, body = '{}') {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const items = createMemoryItems<RateLimiterState>();
  const sentAtMs: number[] = [];
  const vendor = openVendor({
    ...{ clock, random: () => 0 },
    baseUrl: 'https://service.example',
    apiKey: 'key',
    timeoutMs: requestTimeoutMs,
    send: async () => {
      sentAtMs.push(clock.now() - START_MS);
      await clock.sleep(100);
      const date = new Date(clock.now()).toUTCString();
      return { status: 429, headers: { date, ...headersAt(clock.now()) }, body, receivedAtMs: clock.now() };
    },
  });
  const worker = (name: string) => {
    const rateLimiter = createRateLimiter({ items, worker: name, clock, random: () => 0 });
    const acquire = (id: string, untilMs: number, lane: 'live' | 'bulk' = 'live') =>
      rateLimiter.acquire({ id, lane, requestTimeoutMs, notAfterMs: START_MS + untilMs });
    const ask = async (id: string, untilMs: number) => {
      const slot = await acquire(id, untilMs);
      if (slot.kind === 'later') return slot;
      const by = { email: 'somebody@people.example' };
      const question = { operation: 'reverseEmail', by, options: [] } as const;
      const result = await vendor.ask(question, { timeoutMs: requestTimeoutMs });
      if (result.kind !== 'declined') throw new Error(`Expected a refusal, got ${result.kind}.`);
      await rateLimiter.complete({ ...result, id, limited: true });
      return slot;
    };
    return { ask, acquire, rateLimiter };
  };
  return { clock, vendor, items, sentAtMs, worker };
}

const seconds = (ms: number) => Math.floor(ms / SECOND_MS);
const httpDate = (ms: number) => new Date(ms).toUTCString();

const FORMS: readonly [name: string, headersAt: (nowMs: number) => Headers, fromS: number, toS: number][] = [
  ['a reset that was rounded down to its Date', (nowMs) => rate(seconds(nowMs)), 60, 66],
  ['a reset in the past', (nowMs) => rate(seconds(nowMs) - 3_600), 60, 66],
  ['a reset of the year 3000', () => rate(32_503_680_000), 60, 66],
  ['a reset in 40 s', (nowMs) => rate(seconds(nowMs) + 40), 39, 46],
  ['a reset in 1 s', (nowMs) => rate(seconds(nowMs) + 1), 3, 9],
  ['a delta of 40 s', () => rate(40), 39, 46],
  ['a delta of 0', () => rate(0), 60, 66],
  ['no header', () => ({}), 60, 66],
  ['Retry-After of 30 s', () => ({ 'retry-after': '30' }), 30, 36],
  ['Retry-After as a date', (nowMs) => ({ 'retry-after': httpDate(nowMs + 30_000) }), 29, 36],
  [
    'Retry-After of 5 minutes beside a reset in 40 s',
    (nowMs) => ({ ...rate(seconds(nowMs) + 40), 'retry-after': '300' }),
    300,
    306,
  ],
  [
    'Retry-After of 1 s beside a reset in 40 s',
    (nowMs) => ({ ...rate(seconds(nowMs) + 40), 'retry-after': '1' }),
    39,
    46,
  ],
  ['Retry-After of no time', () => ({ 'retry-after': '0' }), 60, 66],
  ['Retry-After of years', () => ({ 'retry-after': '99999999' }), 900, 906],
];

describe('after a 429', () => {
  it.each(FORMS)('no worker sends a request for a while: %s', async (_, headersAt, fromS, toS) => {
    const { worker, sentAtMs } = openRefusing(headersAt);
    const [one, two] = [worker('one'), worker('two')];
    await one.ask('first', MINUTE_MS);
    await two.ask('second', 30 * MINUTE_MS);
    const pausedMs = (sentAtMs[1] ?? 0) - (sentAtMs[0] ?? 0);
    expect(pausedMs).toBeGreaterThanOrEqual(fromS * SECOND_MS);
    expect(pausedMs).toBeLessThanOrEqual(toS * SECOND_MS);
  });

  it('another process learns of it at once, although one of its own is about to write anyway', async () => {
    const { worker, clock, sentAtMs } = openRefusing(() => ({}));
    const [one, two] = [worker('one'), worker('two')];
    await one.acquire('first', MINUTE_MS);
    await one.rateLimiter.complete({ id: 'first', limited: false });
    await one.acquire('refused', MINUTE_MS);
    for (const id of ['bulk', 'more bulk']) await one.acquire(id, MINUTE_MS, 'bulk');
    void one.acquire('bulk, in 3 s', MINUTE_MS, 'bulk');
    await clock.sleep(10);
    await one.rateLimiter.complete({ id: 'refused', limited: true });
    const refusedAtMs = clock.now() - START_MS;
    await two.ask('next', 30 * MINUTE_MS);
    expect((sentAtMs[0] ?? 0) - refusedAtMs).toBeGreaterThanOrEqual(MINUTE_MS);
  });

  it('a later one never opens the gate sooner, and neither raises the rate', async () => {
    const { worker, items } = openRefusing(() => ({}));
    const { acquire, rateLimiter } = worker('one');
    for (const id of ['a', 'b']) await acquire(id, MINUTE_MS);
    const report = { limit: 600, remaining: 599, resetAtMs: START_MS + 1_000, resetInMs: 1_000, dated: true };
    await rateLimiter.complete({ id: 'a', limited: true, retryAfterMs: 5 * MINUTE_MS });
    const untilMs = (await items.read(rateLimiterKind.key()))?.value.closed?.untilMs;
    await rateLimiter.complete({ id: 'b', limited: true, report });
    expect((await items.read(rateLimiterKind.key()))?.value).toMatchObject({
      limit: 20,
      closed: { untilMs },
    });
  });

  it('the free key check waits too', async () => {
    const { vendor } = openRefusing(() => ({ 'retry-after': '30' }));
    expect(await vendor.checkKey({ timeoutMs: requestTimeoutMs })).toMatchObject({
      kind: 'unknown',
      limited: true,
      retryAfterMs: 30 * SECOND_MS,
    });
  });
});
