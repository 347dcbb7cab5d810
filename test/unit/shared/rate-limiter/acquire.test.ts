import { describe, expect, it } from 'vitest';
import { returnSlot, takeSlot } from '#shared/rate-limiter/acquire.ts';
import type { RateLimiterState } from '#shared/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#shared/rate-limiter/state.ts';
import { answered, MINUTE, report, SECOND, startOf, taken, usedUp, wish } from './states.ts';

const SKEW = 2 * SECOND;

describe('the proof', () => {
  it('forgets what can no longer matter', () => {
    const state = taken(usedUp(20, { latencyMs: 100 }), 'late', 3 * MINUTE);
    expect(state.slots.map(({ id }) => id)).toEqual(['late']);
  });

  it('is not widened by headers that say that more is left', () => {
    const atMs = 20 * SECOND;
    const told = { report: report(15, 30 * SECOND, { atMs, dated: false }) };
    const state = answered(usedUp(20, { latencyMs: 100 }), 'used-19', atMs, told);
    expect(startOf(state, atMs)).toBe(MINUTE + 100);
  });

  it('takes back a slot whose request never left, and none that was answered', () => {
    const sent = taken(INITIAL_STATE, 'sent', 0);
    expect(returnSlot(sent, 'sent').slots).toEqual([]);
    expect(returnSlot(answered(sent, 'sent', SECOND), 'sent').slots).toHaveLength(1);
  });
});

describe('the lanes', () => {
  const full = usedUp(20, { latencyMs: 100 });
  const free = MINUTE + 100;
  const waiting = () => {
    const take = takeSlot(full, wish('live', 30 * SECOND));
    return take.state;
  };

  it('a live waiter that was not seen for five seconds after its time holds nobody up', () => {
    expect(startOf(waiting(), free + 5 * SECOND, { lane: 'bulk' })).toBe(free + 5 * SECOND);
  });

  it('a bulk waiter changes nothing, so that it writes nothing', () => {
    const take = takeSlot(full, wish('bulk', 30 * SECOND, { lane: 'bulk' }));
    expect(take.kind).toBe('wait');
    expect(take.state).toBe(full);
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
