import { describe, expect, it } from 'vitest';
import {
  type RateLimiterState,
  rateLimiterStateSchema,
  storedRateLimiterSchema,
} from '#inside/rate-limiter/schemas.ts';
import { returnSlot, takeSlot } from '#inside/rate-limiter/slots.ts';
import type { Lane } from '#shared/crm';
import { MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import { createRateLimiter, rateLimiterKind } from '#shared/rate-limiter';
import type { VersionedItems } from '#shared/store';
import { VENDORS } from '#shared/vendor';
import { openVendor } from '#shared/vendor/adapters';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import {
  answered,
  INITIAL_STATE,
  MINUTE,
  report,
  SECOND,
  startOf,
  T0,
  TOLD,
  taken,
  usedUp,
  wish,
} from './states.ts';

const SKEW = 5 * SECOND;

it('the proof takes back a slot whose request never left, and none that was answered', () => {
  const sent = taken(INITIAL_STATE, 'sent', 0);
  expect(returnSlot(sent, 'sent').slots).toEqual([]);
  expect(returnSlot(answered(sent, 'sent', SECOND), 'sent').slots).toHaveLength(1);
});

it('a key of which nothing is known is asked with one request until it is answered, or has had time to be', () => {
  const sent = taken(INITIAL_STATE, 'first', 0);
  expect(takeSlot(sent, wish('second', SECOND))).toMatchObject({ kind: 'wait', state: sent });
  const two = answered(sent, 'first', SECOND, {
    report: { ...report(1, MINUTE, { atMs: SECOND }), limit: 2 },
  });
  expect(startOf(taken(two, 'second', SECOND), SECOND)).toBe(MINUTE + SECOND);
  expect(startOf(answered(sent, 'first', SECOND), SECOND)).toBe(SECOND);
  expect(takeSlot(sent, wish('second', 5 * SECOND)).kind).toBe('granted');
  expect(takeSlot(returnSlot(sent, 'first'), wish('second', SECOND)).kind).toBe('granted');
});

describe('the lanes', () => {
  const full = usedUp(20, { latencyMs: 100 });
  const free = MINUTE + 100;
  const waiting = () => {
    const take = takeSlot(full, wish('live', 30 * SECOND));
    return take.state;
  };

  it('a live waiter that was not seen for twenty seconds after its time, and half of what it waits, holds nobody up', () => {
    const goneAt = free + 20 * SECOND + (free - 30 * SECOND) / 2;
    expect(startOf(waiting(), goneAt - 1, { lane: 'bulk' })).toBeGreaterThan(goneAt - 1);
    expect(startOf(waiting(), goneAt, { lane: 'bulk' })).toBe(goneAt);
  });

  it('a bulk waiter that is the only one changes nothing, so that it writes nothing, until its slot was taken once', () => {
    const alone = takeSlot(full, wish('bulk', 30 * SECOND, { lane: 'bulk' }));
    expect(alone.kind).toBe('wait');
    expect(alone.state).toBe(full);
    const again = takeSlot(full, wish('bulk', 30 * SECOND, { lane: 'bulk', again: true }));
    expect(again.state.waiters).toMatchObject([{ id: 'bulk', lane: 'bulk' }]);
  });

  it('a waiter is on the list once, and looks again without a write', () => {
    const first = takeSlot(full, wish('live', 30 * SECOND));
    expect(takeSlot(first.state, wish('live', 31 * SECOND)).state).toBe(first.state);
  });

  it('each waiter looks at a time of its own, in the order in which they have to be through', () => {
    let state = full;
    const look = (id: string, dueMs: number) => {
      const take = takeSlot(state, wish(id, 30 * SECOND, { worker: 'two', dueMs: T0 + dueMs }));
      state = take.state;
      return take.kind === 'wait' ? take.atMs - T0 : 0;
    };
    for (let nth = 0; nth < 6; nth += 1) look(`waits ${nth}`, (4 + nth) * MINUTE);
    const [last, third] = [look('last', 20 * MINUTE), look('third', 5.5 * MINUTE)];
    const freeForTwo = free + SKEW;
    expect(last - freeForTwo).toBeGreaterThan(3 * SECOND);
    expect(last - freeForTwo).toBeLessThan(5 * SECOND);
    expect(third - freeForTwo).toBeLessThan(SECOND);
  });

  it('who is urgent goes before live ones that came first, and these before bulk ones', () => {
    const look = (state: RateLimiterState, id: string, lane: Lane) =>
      takeSlot(state, wish(id, 30 * SECOND, { lane, dueMs: T0 + 2 * MINUTE }));
    const crowd = (['live', 'urgent'] as const).reduce(
      (state, lane) => look(state, `waits ${lane}`, lane).state,
      full,
    );
    // One slot is free: it is for the one that is urgent, although the other is in as great a hurry.
    const at = (lane: Lane) =>
      takeSlot(crowd, wish(`waits ${lane}`, free, { lane, dueMs: T0 + 2 * MINUTE })).kind;
    expect([at('live'), at('urgent'), at('bulk')]).toEqual(['wait', 'granted', 'wait']);
  });
});

const fast: RateLimiterState = { ...TOLD, limit: 600 };

it('bulk work of a fast rate catches up on two seconds of its share after it was not asked for, and on no more', () => {
  let state = taken(fast, 'a', 0, { lane: 'bulk' });
  let granted = 0;
  while (startOf(state, 10 * SECOND, { lane: 'bulk' }) === 10 * SECOND) {
    granted += 1;
    state = taken(state, `late-${granted}`, 10 * SECOND, { lane: 'bulk' });
  }
  expect(granted).toBe(21);
});

describe('a fixed window that has been observed', () => {
  /** All used at once; the window ends at 60 s. */
  function observed(): RateLimiterState {
    let state: RateLimiterState = { ...TOLD, mode: 'fixed' };
    for (let i = 0; i < 20; i += 1) state = taken(state, `${i}`, 30 * SECOND);
    for (let i = 0; i < 20; i += 1) {
      const atMs = 31 * SECOND;
      state = answered(state, `${i}`, atMs, { report: report(19 - i, MINUTE, { atMs }) });
    }
    return state;
  }

  it('is used up until its reset, and whole from then on', () => {
    const state = observed();
    expect(startOf(state, 40 * SECOND)).toBe(MINUTE);
    let next = state;
    for (let i = 0; i < 20; i += 1) next = taken(next, `next-${i}`, MINUTE);
    expect(startOf(next, MINUTE)).toBeGreaterThan(MINUTE);
  });

  it('has ended for another worker only two seconds later', () => {
    expect(startOf(observed(), 40 * SECOND, { worker: 'other' })).toBe(MINUTE + SKEW);
  });
});

const one = taken(INITIAL_STATE, 'a', 0);

const told = (remaining: number, resetAtMs: number, rest = {}) =>
  answered(one, 'a', SECOND, { report: report(remaining, resetAtMs, { atMs: SECOND, ...rest }) });

describe('the limit', () => {
  it.each([
    [60, 60],
    [8, 8],
    [20.7, 20],
    [0, 20],
    [0.5, 20],
  ])('of %d in the headers is kept as %d', (limit, kept) => {
    expect(told(5, MINUTE, { limit }).limit).toBe(kept);
  });

  it('is not taken from a report that is older than the one known', () => {
    const two = taken(told(5, 2 * MINUTE, { limit: 60 }), 'b', SECOND);
    const late = report(5, MINUTE, { atMs: 2 * SECOND, limit: 20 });
    expect(answered(two, 'b', 2 * SECOND, { report: late }).limit).toBe(60);
  });
});

describe('somebody else on the key', () => {
  it('is seen where the headers count more than we sent, and then they narrow', () => {
    const state = told(0, 40 * SECOND);
    expect(state.sharedUntilMs).toBe(T0 + SECOND + 10 * MINUTE);
    expect(startOf(state, 2 * SECOND)).toBe(40 * SECOND);
    expect(startOf(told(1, 40 * SECOND), 2 * SECOND)).toBe(2 * SECOND);
  });

  it('is seen by the worker that sent the request before, although its slot came free just now', () => {
    const atMs = 64 * SECOND;
    const seenBy = (worker: string) => {
      const before = answered(taken(INITIAL_STATE, 'a', 0, { worker }), 'a', 2 * SECOND, { worker });
      return answered(taken(before, 'b', 63 * SECOND), 'b', atMs, {
        report: report(18, 2 * MINUTE, { atMs }),
      });
    };
    expect(seenBy('one').sharedUntilMs).toBe(T0 + atMs + 10 * MINUTE);
    // The clock of another worker may be ahead: that request may be the second one of the count.
    expect(seenBy('two').sharedUntilMs).toBeUndefined();
  });

  it('narrows by the smallest report of a window; an older one is ignored', () => {
    const send = (state: RateLimiterState, id: string) => taken(state, id, 2 * SECOND);
    const both = send(send(told(5, MINUTE), 'b'), 'c');
    const b = answered(both, 'b', 3 * SECOND, { report: report(3, MINUTE, { atMs: 3 * SECOND }) });
    const c = answered(b, 'c', 4 * SECOND, { report: report(4, MINUTE, { atMs: 4 * SECOND }) });
    expect(c.window?.remaining).toBe(3);
    const next = answered(send(c, 'd'), 'd', 5 * SECOND, {
      report: report(9, 2 * MINUTE, { atMs: 5 * SECOND }),
    });
    expect(next.window).toMatchObject({ remaining: 9, resetAtMs: T0 + 2 * MINUTE });
    const old = answered(send(next, 'e'), 'e', 6 * SECOND, {
      report: report(0, MINUTE, { atMs: 6 * SECOND }),
    });
    expect(old.window).toMatchObject({ remaining: 9, resetAtMs: T0 + 2 * MINUTE });
  });

  it('has what is in flight taken off what remains, as long as it is in flight', () => {
    let state = told(3, 40 * SECOND);
    for (const id of ['b', 'c', 'd']) state = taken(state, id, 2 * SECOND);
    expect(startOf(state, 3 * SECOND)).toBe(40 * SECOND);
    const b = { report: report(2, 40 * SECOND, { atMs: 3 * SECOND }) };
    expect(startOf(answered(state, 'b', 3 * SECOND, b), 3 * SECOND)).toBe(40 * SECOND);
  });

  it('has an answer without headers taken for one that was counted', () => {
    const state = taken(told(3, 40 * SECOND), 'b', 2 * SECOND);
    expect(answered(state, 'b', 3 * SECOND).window?.remaining).toBe(2);
  });
});

describe('a fixed window', () => {
  it('is not used up by the report of the window before it, which was under way while that one ended', () => {
    const reset = 10 * SECOND;
    let state: RateLimiterState = { ...TOLD, mode: 'fixed' };
    state = answered(taken(state, 'first', 0), 'first', SECOND, {
      report: report(1, reset, { atMs: SECOND }),
    });
    state = taken(state, 'late', 9 * SECOND);
    state = taken(state, 'next', 11 * SECOND);
    const told = report(0, reset, { atMs: 12 * SECOND, resetInMs: MINUTE, dated: false });
    state = answered(state, 'late', 12 * SECOND, { report: told });
    expect(startOf(state, 12 * SECOND)).toBe(12 * SECOND);
    // Sent after the window had ended, it would tell of the present one.
    const used = answered(state, 'next', 12 * SECOND, {
      report: { ...told, resetAtMs: told.resetAtMs + MINUTE },
    });
    expect(startOf(used, 12 * SECOND)).toBeGreaterThan(12 * SECOND);
  });

  const full = usedUp(20, { latencyMs: 100 });
  /** The 21st goes at 60.1 s: nineteen of the last minute were counted before it, surely. */
  const next = taken(full, 'next', MINUTE + 100);
  const seen = (remaining: number, resetAtMs: number, rest = {}) => {
    const atMs = MINUTE + 200;
    return answered(next, 'next', atMs, { report: report(remaining, resetAtMs, { atMs, ...rest }) });
  };

  it('is proved by more remaining than any count of the last minute leaves', () => {
    expect(seen(19, 2 * MINUTE).mode).toBe('fixed');
    expect(seen(1, 2 * MINUTE).mode).toBe('fixed');
    expect(seen(0, 2 * MINUTE).mode).toBe('proof');
  });

  it('is not proved by a bucket, whose next token is moments away, nor without the time of the vendor', () => {
    expect(seen(19, MINUTE + 3_200).mode).toBe('proof');
    expect(seen(19, 2 * MINUTE, { dated: false }).mode).toBe('proof');
  });

  it('is no longer believed in after a 429, for ten minutes', () => {
    const limited = { limited: true, report: report(0, 2 * MINUTE, { atMs: MINUTE + 200 }) };
    const refused = answered({ ...next, mode: 'fixed' }, 'next', MINUTE + 200, limited);
    expect(refused).toMatchObject({
      mode: 'proof',
      closed: { untilMs: T0 + 2 * MINUTE + 5 * SECOND, believeAtMs: T0 + 11 * MINUTE + 200 },
    });
    const again = answered({ ...refused, slots: next.slots }, 'next', MINUTE + 300, {
      report: report(19, 3 * MINUTE, { atMs: MINUTE + 300 }),
    });
    expect(again.mode).toBe('proof');
  });

  it('is no longer believed in after an answer without headers: a late report of before tells of more', () => {
    let state: RateLimiterState = { ...next, mode: 'fixed', slots: [] };
    const sent = Array.from({ length: 20 }, (_, index) => `of-twenty-${index}`);
    for (const id of sent) state = taken(state, id, 10 * MINUTE);
    for (const id of sent.slice(1)) state = answered(state, id, 10 * MINUTE + 100);
    const late = { report: report(19, 11 * MINUTE, { atMs: 10 * MINUTE + 20 * SECOND }) };
    state = answered(state, 'of-twenty-0', 10 * MINUTE + 20 * SECOND, late);
    expect(startOf(state, 10 * MINUTE + 21 * SECOND)).toBeGreaterThan(11 * MINUTE);
  });

  it('ends for a worker at the earliest end that one of its answers proves', () => {
    const send = (state: RateLimiterState, id: string, atMs: number) => taken(state, id, atMs);
    const first = answered(send(INITIAL_STATE, 'a', 0), 'a', 3 * SECOND, {
      report: report(19, MINUTE, { atMs: 3 * SECOND, resetInMs: MINUTE }),
    });
    expect(first.window?.endsAtMs).toEqual({ one: T0 + 63 * SECOND });
    const second = answered(send(first, 'b', 4 * SECOND), 'b', 5 * SECOND, {
      report: report(18, MINUTE, { atMs: 5 * SECOND, resetInMs: 56 * SECOND }),
    });
    expect(second.window?.endsAtMs).toEqual({ one: T0 + 61 * SECOND });
    const other = answered(send(second, 'c', 6 * SECOND), 'c', 7 * SECOND, {
      worker: 'two',
      report: report(17, MINUTE, { atMs: 7 * SECOND, resetInMs: 58 * SECOND }),
    });
    expect(other.window?.endsAtMs).toEqual({ one: T0 + 61 * SECOND, two: T0 + 65 * SECOND });
  });
});

const KEY = rateLimiterKind.key('');

async function openRateLimiter(
  before?: RateLimiterState,
  items: VersionedItems<RateLimiterState> = createMemoryItems(),
) {
  const clock = createManualClock({ startMs: T0 + 20 * SECOND, autoAdvance: true });
  const worker = 'one';
  const rateLimiter = createRateLimiter({
    vendor: VENDORS[0],
    items,
    worker,
    clock,
    random: seededRandom(1),
  });
  if (before) await items.write({ key: KEY, value: before, expectedVersion: undefined });
  const take = (
    id: string,
    { untilMs = 5 * MINUTE, signal }: { untilMs?: number; signal?: AbortSignal } = {},
  ) =>
    rateLimiter.acquire({
      id,
      lane: 'live',
      requestTimeoutMs: 30 * SECOND,
      notAfterMs: T0 + untilMs,
      ...(signal && { signal }),
    });
  return { rateLimiter, clock, items, take, state: async () => (await items.read(KEY))?.value };
}

describe('the rate limiter', () => {
  it('says when one may be free where that is too late, and waits no longer for it', async () => {
    const { take, clock, state } = await openRateLimiter(usedUp(20, { latencyMs: 100 }));
    expect(await take('next', { untilMs: 50 * SECOND })).toEqual({
      kind: 'later',
      atMs: T0 + MINUTE + 100,
    });
    expect(clock.now()).toBe(T0 + 20 * SECOND);
    expect((await state())?.waiters).toEqual([]);
  });

  it('shares its state with all workers: a slot taken, answered or given back is so for everybody', async () => {
    const items = createMemoryItems<RateLimiterState>();
    const [here, there] = [await openRateLimiter(undefined, items), await openRateLimiter(undefined, items)];
    await here.take('a');
    await there.take('b');
    await there.rateLimiter.release('b');
    await here.rateLimiter.complete({ id: 'a', limited: true });
    expect(await there.state()).toMatchObject({ slots: [{ id: 'a', answered: true }] });
  });
});

/** Two minutes, and how far clocks may differ. */
const SHUT = 125 * SECOND;

const UNREADABLE_STATE = storedRateLimiterSchema.parse('of another shape');

it('a stored state that cannot be read shuts the gate until nothing that may be under way counts any more, and says so to everybody', async () => {
  const { take, clock, state } = await openRateLimiter(UNREADABLE_STATE);
  const startMs = clock.now();
  expect(await take('first')).toMatchObject({ kind: 'granted' });
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(SHUT);
  expect(clock.now() - startMs).toBeLessThan(SHUT + SECOND);
  expect(await state()).toMatchObject({ mode: 'proof', slots: [{ id: 'first' }] });
  expect(await state()).not.toHaveProperty('unreadable');
});

describe('the stored state', () => {
  it('is parsed as it was, whatever was learned', () => {
    let state = usedUp(3, { latencyMs: 100 });
    state = taken(state, 'a', 5 * SECOND, { lane: 'bulk' });
    state = answered(state, 'a', 6 * SECOND, {
      limited: true,
      report: report(0, MINUTE, { atMs: 6 * SECOND, limit: 20.5 }),
    });
    const stored: unknown = JSON.parse(JSON.stringify(state));
    expect(rateLimiterStateSchema.parse(stored)).toEqual(state);
    expect(rateLimiterStateSchema.parse(INITIAL_STATE)).toEqual(INITIAL_STATE);
    const waiters = [{ id: 'a', untilMs: T0, lane: 'bulk', dueMs: T0 }];
    expect(rateLimiterStateSchema.parse({ ...INITIAL_STATE, waiters })).toHaveProperty('waiters', waiters);
  });

  it.each([
    { limit: 0 },
    { slots: [{ id: 'a' }] },
    { mode: 'guess' },
    { window: { left: 3 } },
    { waiters: undefined },
  ])('is refused when it is damaged, and read as unknown: %j', (damage) => {
    const damaged = { ...INITIAL_STATE, ...damage };
    expect(() => rateLimiterStateSchema.parse(damaged)).toThrow();
    expect(storedRateLimiterSchema.parse(damaged)).toMatchObject({ unreadable: true });
  });
});

const START_MS = Date.parse('2026-11-21T12:00:00Z');

const requestTimeoutMs = 30 * SECOND_MS;

type Headers = Readonly<Record<string, string>>;

const rate = (reset: string | number): Headers => ({
  'x-ratelimit-limit': '20',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': String(reset),
});

/** A vendor that refuses every request, and a worker that asks again as soon as it may, beside another one. */
function openRefusing(headersAt: (nowMs: number) => Headers) {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const items = createMemoryItems<RateLimiterState>();
  const sentAtMs: number[] = [];
  const vendor = openVendor({
    clock,
    random: () => 0,
    baseUrl: 'https://service.example',
    apiKey: 'key',
    timeoutMs: requestTimeoutMs,
    send: async () => {
      sentAtMs.push(clock.now() - START_MS);
      await clock.sleep(100);
      const date = new Date(clock.now()).toUTCString();
      return {
        status: 429,
        headers: { date, ...headersAt(clock.now()) },
        body: '{}',
        receivedAtMs: clock.now(),
      };
    },
  });
  const worker = (name: string) => {
    const rateLimiter = createRateLimiter({
      vendor: VENDORS[0],
      items,
      worker: name,
      clock,
      random: () => 0,
    });
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
    const untilMs = (await items.read(rateLimiterKind.key('')))?.value.closed?.untilMs;
    await rateLimiter.complete({ id: 'b', limited: true, report });
    expect((await items.read(rateLimiterKind.key('')))?.value).toMatchObject({
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
