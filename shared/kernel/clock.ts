/** The only way to time in pure code and handlers; adapters and tests supply it. */
export interface Clock {
  /** Wall clock, epoch milliseconds. May jump; never used to measure a duration. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. For deadlines within one process. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * A clock that differs by more than this is not believed where money is concerned; a time that another worker measured
 * counts this much later. Reason: NTP keeps clocks within one second.
 */
export const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

/** When a server's clock was seen, and by what answer. */
export interface ClockSight {
  /** Of the `Date` header, which is exact to the second. Epoch milliseconds. */
  readonly serverMs: number;
  /** By our own clock, when the answer had come. */
  readonly receivedAtMs: number;
  /** From sending to the answer: the server looked at its clock somewhere in between. */
  readonly tookMs: number;
}

/** How far our clock is surely ahead of the server's, behind it if negative; 0 where the two may agree. */
export function clockOffsetMs({ serverMs, receivedAtMs, tookMs }: ClockSight): number {
  const mostMs = receivedAtMs - serverMs;
  const leastMs = mostMs - SECOND_MS - tookMs;
  return leastMs > 0 ? leastMs : Math.min(mostMs, 0);
}

/** Whether this machine's clock is too far from the other to be spent by. One that tells no time has no opinion. */
export function isClockWrong(other: { offsetMs(): number } | undefined): boolean {
  return Math.abs(other?.offsetMs() ?? 0) > CLOCK_TOLERANCE_MS;
}
