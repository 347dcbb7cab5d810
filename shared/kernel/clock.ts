/** The only source of time in pure code and handlers. Adapters and tests supply it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. It can jump, so never use it to measure a duration. */
  now(): number;
  /** Milliseconds from an arbitrary start. Never goes back. For durations and deadlines in one process. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Allowed difference of a machine's clock. With a larger difference, a machine spends nothing. Times that another
 * worker wrote are taken as this much later. NTP keeps clocks within one second.
 */
export const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

/** A server's time in an answer. */
export interface ClockSight {
  /** From the `Date` header, which is precise to a second. Epoch milliseconds. */
  readonly serverMs: number;
  /** When the answer arrived, by our clock. */
  readonly receivedAtMs: number;
  /** Time from the request to the answer. The server read its clock during this time. */
  readonly tookMs: number;
}

/**
 * Returns how far our clock is certainly ahead of the server's clock. Negative if it is behind. 0 if the two may agree.
 */
export function clockOffsetMs({ serverMs, receivedAtMs, tookMs }: ClockSight): number {
  const maxLeadMs = receivedAtMs - serverMs;
  const minLeadMs = maxLeadMs - SECOND_MS - tookMs;
  return minLeadMs > 0 ? minLeadMs : Math.min(maxLeadMs, 0);
}

/**
 * Whether this machine's clock differs too much from the other clock to spend credits. False while the other clock is
 * unknown.
 */
export function isClockWrong(other: { offsetMs(): number } | undefined): boolean {
  return Math.abs(other?.offsetMs() ?? 0) > CLOCK_TOLERANCE_MS;
}
