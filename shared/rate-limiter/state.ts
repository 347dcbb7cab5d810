import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import type { RateLimiterState, VendorWindow } from './schemas.ts';

/** The vendor's report of its own count, as its headers gave it with one answer. */
export interface RateReport {
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When its window resets, epoch milliseconds on the vendor's clock: names the window. */
  readonly resetAtMs: number;
  /** Milliseconds from the answer to the reset: at most this, where the vendor told its time. */
  readonly resetInMs: number;
  /** Whether the vendor told its time; without it the reset may be a clock's error away. */
  readonly dated: boolean;
}

/** The spec's rate, until an answer tells another. */
export const INITIAL_STATE: RateLimiterState = { limit: 20, mode: 'proof', slots: [], liveWaiters: [] };

/** The vendor counts requests per minute. */
export const WINDOW_MS = MINUTE_MS;
/** How far the clocks of two workers may be apart; what another worker timed is believed this much later. */
export const WORKER_SKEW_MS = 2 * SECOND_MS;

/**
 * Nothing is known of what was sent: whatever is under way is counted within a minute, and forgotten within the next.
 * Then the proof rule leads.
 */
export function startOver(nowMs: number): RateLimiterState {
  const untilMs = nowMs + 2 * WINDOW_MS + WORKER_SKEW_MS;
  return { ...INITIAL_STATE, closed: { untilMs, believeAtMs: untilMs } };
}

/** Drops what can no longer matter to anybody. */
export function prune(state: RateLimiterState, nowMs: number): RateLimiterState {
  const { closed, sharedUntilMs = 0, hurried = [], ...rest } = state;
  const waiting = hurried.filter(({ untilMs }) => untilMs > nowMs);
  return {
    ...rest,
    slots: state.slots.filter(({ freeAtMs }) => freeAtMs + WORKER_SKEW_MS > nowMs),
    liveWaiters: state.liveWaiters.filter(({ untilMs }) => untilMs > nowMs),
    ...(closed && Math.max(closed.untilMs, closed.believeAtMs) > nowMs && { closed }),
    ...(sharedUntilMs > nowMs && { sharedUntilMs }),
    ...(waiting.length > 0 && { hurried: waiting }),
  };
}

function inFlight({ slots }: RateLimiterState): number {
  return slots.filter(({ answered }) => !answered).length;
}

/**
 * What a window surely still allows. Whatever was answered in it is in the smallest report already; requests in
 * flight may be or not.
 */
export function leftIn({ remaining }: VendorWindow, state: RateLimiterState): number {
  return remaining - inFlight(state);
}

/** When a window has surely ended, on this worker's clock. */
export function endOf({ endsAtMs }: VendorWindow, worker: string): number {
  const own = endsAtMs[worker];
  if (own !== undefined) return own;
  return Math.min(...Object.values(endsAtMs)) + WORKER_SKEW_MS;
}
