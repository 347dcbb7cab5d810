import { describe, expect, it } from 'vitest';
import { returnSlot, takeSlot } from '#inside/rate-limiter/acquire.ts';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#inside/rate-limiter/state.ts';
import type { Lane } from '#shared/crm';
import { answered, MINUTE, report, SECOND, startOf, T0, TOLD, taken, usedUp, wish } from './states.ts';

const SKEW = 5 * SECOND;

describe('the proof', () => {
  it('takes back a slot whose request never left, and none that was answered', () => {
    const sent = taken(INITIAL_STATE, 'sent', 0);
    expect(returnSlot(sent, 'sent').slots).toEqual([]);
    expect(returnSlot(answered(sent, 'sent', SECOND), 'sent').slots).toHaveLength(1);
  });
});

describe('a key of which nothing is known', () => {
  it('is asked with one request until it is answered, or has had time to be', () => {
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

describe('bulk work of a fast rate', () => {
  const fast: RateLimiterState = { ...TOLD, limit: 600 };

  it('catches up on two seconds of its share after it was not asked for, and on no more', () => {
    let state = taken(fast, 'a', 0, { lane: 'bulk' });
    let granted = 0;
    while (startOf(state, 10 * SECOND, { lane: 'bulk' }) === 10 * SECOND) {
      granted += 1;
      state = taken(state, `late-${granted}`, 10 * SECOND, { lane: 'bulk' });
    }
    expect(granted).toBe(21);
  });
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
