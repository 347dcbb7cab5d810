import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import {
  answerSlot,
  type SlotAttempt,
  type SlotReport,
  type Take,
  takeSlot,
} from '#inside/rate-limiter/slots.ts';
import { initialState } from '#inside/rate-limiter/state.ts';
import { type RateReport, VENDORS } from '#shared/vendor';

export const SECOND = 1_000;
export const MINUTE = 60_000;

/** Some moment; everything is told from it on. */
export const T0 = 1_795_000_000_000;

export function wish(id: string, atMs: number, rest: Partial<SlotAttempt> = {}): SlotAttempt {
  return {
    id,
    worker: 'one',
    lane: 'live',
    nowMs: T0 + atMs,
    dueMs: T0 + atMs + 10 * MINUTE,
    deadlineMs: T0 + atMs + 30 * SECOND,
    ...rest,
  };
}

/** Takes a slot that has to be free. */
export function taken(
  state: RateLimiterState,
  id: string,
  atMs: number,
  rest: Partial<SlotAttempt> = {},
): RateLimiterState {
  const take = takeSlot(state, wish(id, atMs, rest));
  if (take.kind !== 'granted') throw new Error(`${id} has to wait for ${take.atMs - T0} ms.`);
  return take.state;
}

/** When a slot may be taken: `atMs` itself where it is granted at once. */
export function startOf(
  state: RateLimiterState,
  atMs: number,
  rest: Partial<SlotAttempt> & { id?: string } = {},
): number {
  const take: Take = takeSlot(state, wish(rest.id ?? 'next', atMs, rest));
  return take.kind === 'granted' ? atMs : take.atMs - T0;
}

export function answered(
  state: RateLimiterState,
  id: string,
  atMs: number,
  rest: Partial<SlotReport> = {},
): RateLimiterState {
  return answerSlot(state, { id, worker: 'one', nowMs: T0 + atMs, limited: false, ...rest });
}

/** What the headers said, with the vendor's clock equal to ours. */
export function report(
  remaining: number,
  resetAtMs: number,
  { atMs, ...rest }: Partial<RateReport> & { atMs: number },
): RateReport {
  return {
    limit: 20,
    remaining,
    resetAtMs: T0 + resetAtMs,
    resetInMs: resetAtMs - atMs,
    dated: true,
    ...rest,
  };
}

/** The first answer has come, and told nothing. */
export const INITIAL_STATE = initialState(VENDORS[0]);
export const TOLD: RateLimiterState = { ...INITIAL_STATE, isTold: true };

/** `count` requests, sent a second apart and answered `latencyMs` later. */
export function usedUp(
  count: number,
  { latencyMs, worker = 'one' }: { latencyMs: number; worker?: string },
): RateLimiterState {
  let state = TOLD;
  for (let i = 0; i < count; i += 1) {
    state = taken(state, `used-${i}`, i * SECOND, { worker });
    state = answered(state, `used-${i}`, i * SECOND + latencyMs, { worker });
  }
  return state;
}
