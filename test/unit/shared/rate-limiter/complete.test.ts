import { describe, expect, it } from 'vitest';
import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { INITIAL_STATE } from '#inside/rate-limiter/state.ts';
import { answered, MINUTE, report, SECOND, startOf, T0, TOLD, taken, usedUp } from './states.ts';

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
