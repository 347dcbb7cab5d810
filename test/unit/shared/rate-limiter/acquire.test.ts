import { describe, expect, it } from 'vitest';
import { returnSlot, takeSlot } from '#shared/rate-limiter/acquire.ts';
import type { RateLimiterState } from '#shared/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#shared/rate-limiter/state.ts';
import { answered, MINUTE, report, SECOND, startOf, T0, taken, usedUp, wish } from './states.ts';

const SKEW = 2 * SECOND;

describe('the proof', () => {
  it('grants as many as the limit at once', () => {
    let state: RateLimiterState = INITIAL_STATE;
    for (let i = 0; i < 20; i += 1) state = taken(state, `${i}`, 0);
    expect(takeSlot(state, wish('21st', 0)).kind).toBe('wait');
  });

  it('sends the next a minute after the answer of the one that is a limit before it', () => {
    const state = usedUp(20, { latencyMs: 900 });
    expect(startOf(state, 30 * SECOND)).toBe(900 + MINUTE);
    expect(startOf(state, 900 + MINUTE - 1)).toBe(900 + MINUTE);
    expect(startOf(state, 900 + MINUTE)).toBe(900 + MINUTE);
    const next = taken(state, 'next', 900 + MINUTE);
    expect(startOf(next, 900 + MINUTE)).toBe(1_900 + MINUTE);
  });

  it('believes what another worker timed only two seconds later', () => {
    const state = usedUp(20, { latencyMs: 900, worker: 'other' });
    expect(startOf(state, 30 * SECOND)).toBe(900 + MINUTE + SKEW);
  });

  it('counts a request without an answer for a minute from its deadline', () => {
    let state = taken(INITIAL_STATE, 'lost', 0);
    for (let i = 0; i < 19; i += 1) state = taken(state, `${i}`, 0, { deadlineMs: T0 + 99 * MINUTE });
    expect(startOf(state, SECOND)).toBe(30 * SECOND + MINUTE);
  });

  it('gives back the slot of a request that never left, but not of one that was answered', () => {
    let state: RateLimiterState = INITIAL_STATE;
    for (let i = 0; i < 20; i += 1) state = taken(state, `${i}`, 0);
    const given = returnSlot(state, '7');
    expect(startOf(given, 0)).toBe(0);
    const kept = returnSlot(answered(state, '7', 100), '7');
    expect(startOf(kept, 200)).toBe(100 + MINUTE);
  });

  it('forgets what can no longer matter', () => {
    const state = taken(usedUp(20, { latencyMs: 100 }), 'late', 3 * MINUTE);
    expect(state.slots.map(({ id }) => id)).toEqual(['late']);
  });
});

describe('the lanes', () => {
  const full = usedUp(20, { latencyMs: 100 });
  const free = MINUTE + 100;
  const waiting = () => {
    const take = takeSlot(full, wish('live', 30 * SECOND));
    return take.state;
  };

  it('bulk takes no slot while somebody live waits', () => {
    expect(startOf(waiting(), free, { lane: 'bulk' })).toBe(free + SECOND);
    expect(startOf(full, free, { lane: 'bulk' })).toBe(free);
    expect(startOf(waiting(), free, { id: 'live' })).toBe(free);
  });

  it('a live waiter is counted once, and no more once it has its slot or withdraws', () => {
    const again = takeSlot(waiting(), wish('live', 31 * SECOND)).state;
    expect(again.liveWaiters).toEqual([{ id: 'live', untilMs: T0 + free + 5 * SECOND }]);
    expect(taken(again, 'live', free).liveWaiters).toEqual([]);
    expect(returnSlot(again, 'live').liveWaiters).toEqual([]);
  });

  it('a live waiter that was not seen for five seconds after its time holds nobody up', () => {
    expect(startOf(waiting(), free + 5 * SECOND, { lane: 'bulk' })).toBe(free + 5 * SECOND);
  });

  it('a bulk waiter changes nothing, so that it writes nothing', () => {
    const take = takeSlot(full, wish('bulk', 30 * SECOND, { lane: 'bulk' }));
    expect(take.kind).toBe('wait');
    expect(take.state).toBe(full);
  });

  it.each(['live', 'bulk'] as const)('of %s waiters the one whose time runs short goes first', (lane) => {
    const dueMs = T0 + free + 50 * SECOND;
    const { state } = takeSlot(full, wish('hurried', 30 * SECOND, { lane, dueMs }));
    const calm = { lane, dueMs: T0 + 10 * MINUTE };
    expect(startOf(state, free, calm)).toBeGreaterThanOrEqual(free + SECOND);
    expect(startOf(state, free, { lane, dueMs: dueMs - 1 })).toBe(free);
    const served = taken(state, 'hurried', free, { lane, dueMs });
    expect(served.hurried).toBeUndefined();
    expect(startOf(returnSlot(state, 'hurried'), free, calm)).toBe(free);
    expect(startOf(state, free + 6 * SECOND, calm)).toBe(free + 6 * SECOND);
  });

  it('a hurried bulk waiter holds up no live one', () => {
    const { state } = takeSlot(full, wish('bulk', 30 * SECOND, { lane: 'bulk', dueMs: T0 + 2 * MINUTE }));
    expect(state.hurried).toHaveLength(1);
    expect(startOf(state, free)).toBe(free);
  });

  it('bulk is spread over the minute, live is not', () => {
    let state = taken(INITIAL_STATE, 'a', 0, { lane: 'bulk' });
    state = taken(state, 'b', 0, { lane: 'bulk' });
    expect(startOf(state, 0, { lane: 'bulk' })).toBe(3 * SECOND);
    expect(startOf(state, 0, { lane: 'live' })).toBe(0);
  });
});

describe('a fixed window that has been observed', () => {
  /** All used at once; the window ends at 60 s. */
  function observed(): RateLimiterState {
    let state: RateLimiterState = { ...INITIAL_STATE, mode: 'fixed' };
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

  it('leaves room for what is under way when it ends', () => {
    let state = observed();
    state = { ...state, slots: state.slots.map((slot, i) => (i < 5 ? { ...slot, answered: false } : slot)) };
    let granted = 0;
    for (; takeSlot(state, wish(`next-${granted}`, MINUTE)).kind === 'granted'; granted += 1)
      state = taken(state, `next-${granted}`, MINUTE);
    expect(granted).toBe(15);
  });
});

describe('a gate that a 429 has shut', () => {
  it('opens for nobody before the reset', () => {
    const state = taken(INITIAL_STATE, 'refused', 0);
    const limited = { limited: true, report: report(0, 40 * SECOND, { atMs: SECOND }) };
    const shut = answered(state, 'refused', SECOND, limited);
    expect(startOf(shut, 2 * SECOND)).toBeGreaterThanOrEqual(40 * SECOND);
    expect(startOf(shut, 2 * SECOND, { worker: 'other' })).toBeGreaterThanOrEqual(40 * SECOND);
    expect(startOf(shut, 2 * SECOND, { lane: 'bulk' })).toBeGreaterThanOrEqual(40 * SECOND);
  });

  it('opens after a minute where the answer said nothing of a reset', () => {
    const shut = answered(taken(INITIAL_STATE, 'refused', 0), 'refused', SECOND, { limited: true });
    expect(startOf(shut, 2 * SECOND)).toBe(SECOND + MINUTE);
    expect(startOf(shut, SECOND + MINUTE)).toBe(SECOND + MINUTE);
  });
});
