import { describe, expect, it } from 'vitest';
import {
  type RateLimiterState,
  rateLimiterStateSchema,
  storedRateLimiterSchema,
} from '#inside/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#inside/rate-limiter/state.ts';
import { seededRandom } from '#shared/kernel';
import { createRateLimiter, rateLimiterKind } from '#shared/rate-limiter';
import type { VersionedItems } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';
import { answered, MINUTE, report, SECOND, T0, taken, usedUp } from './states.ts';

const KEY = rateLimiterKind.key();

async function openRateLimiter(
  before?: RateLimiterState,
  items: VersionedItems<RateLimiterState> = createMemoryItems(),
) {
  const clock = createManualClock({ startMs: T0 + 20 * SECOND, autoAdvance: true });
  const worker = 'one';
  const rateLimiter = createRateLimiter({
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

describe('a stored state that cannot be read', () => {
  /** Two minutes, and how far clocks may differ. */
  const SHUT = 125 * SECOND;

  const UNREADABLE_STATE = storedRateLimiterSchema.parse('of another shape');

  it('shuts the gate until nothing that may be under way counts any more, and says so to everybody', async () => {
    const { take, clock, state } = await openRateLimiter(UNREADABLE_STATE);
    const startMs = clock.now();
    expect(await take('first')).toMatchObject({ kind: 'granted' });
    expect(clock.now() - startMs).toBeGreaterThanOrEqual(SHUT);
    expect(clock.now() - startMs).toBeLessThan(SHUT + SECOND);
    expect(await state()).toMatchObject({ mode: 'proof', slots: [{ id: 'first' }] });
    expect(await state()).not.toHaveProperty('unreadable');
  });
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
