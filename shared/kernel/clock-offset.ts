import { SECOND_MS } from './clock.ts';

/** A clock that is farther from another than this is not believed in matters of money. Reason: NTP keeps it within one second. */
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
