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
