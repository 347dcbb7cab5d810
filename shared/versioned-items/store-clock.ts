import { CLOCK_TOLERANCE_MS } from '#shared/kernel/clock.ts';

/** The clock that all workers share: the store tells its own time with each answer. */
export interface StoreClock {
  /** How far this machine's clock is surely ahead of the store's, behind it if negative; 0 while nothing is known. */
  offsetMs(): number;
}

/** Whether this machine's clock is too far off to be spent by. A store that tells no time has no opinion. */
export function isClockWrong(storeClock: StoreClock | undefined): boolean {
  return Math.abs(storeClock?.offsetMs() ?? 0) > CLOCK_TOLERANCE_MS;
}
