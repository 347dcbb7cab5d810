/** The only source of time in pure code and handlers. Adapters and tests supply it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. May jump; never used to measure a duration. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For deadlines in one process. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * A machine whose clock differs by more than this spends nothing. Times of other workers count this much later. Reason: NTP
 * keeps clocks within one second.
 */
export const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

/** A server's time in an answer. */
export interface ClockSight {
  /** From the `Date` header, which is precise to a second. Epoch milliseconds. */
  readonly serverMs: number;
  /** When the answer arrived, by our clock. */
  readonly receivedAtMs: number;
  /** Time from the request to the answer. The server read its clock in between. */
  readonly tookMs: number;
}

/** Lead of our clock over the server's, as far as it is certain; negative if behind; 0 if the two may agree. */
export function clockOffsetMs({ serverMs, receivedAtMs, tookMs }: ClockSight): number {
  const mostMs = receivedAtMs - serverMs;
  const leastMs = mostMs - SECOND_MS - tookMs;
  return leastMs > 0 ? leastMs : Math.min(mostMs, 0);
}

/** Whether this machine's clock differs too much from the other one to spend credits. False while the other is unknown. */
export function isClockWrong(other: { offsetMs(): number } | undefined): boolean {
  return Math.abs(other?.offsetMs() ?? 0) > CLOCK_TOLERANCE_MS;
}
