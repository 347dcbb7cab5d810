import { UpstreamError } from './errors.ts';

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

/** A server's clock, as its newest answer shows it. */
export interface ReferenceClock {
  /** See `clockOffsetMs`. 0 while no answer has shown the server's time. */
  offsetMs(): number;
}

interface Compared {
  /** If it is absent, this machine's clock is trusted. */
  readonly referenceClock?: ReferenceClock | undefined;
}

function wrongByMs(referenceClock: ReferenceClock | undefined): number {
  const offsetMs = referenceClock?.offsetMs() ?? 0;
  return Math.abs(offsetMs) > CLOCK_TOLERANCE_MS ? offsetMs : 0;
}

/** Returns a clock that shows the server's time while this machine's clock is wrong, so that nothing is booked early. */
export function correctedClock(clock: Clock, referenceClock: ReferenceClock | undefined): Clock {
  return { ...clock, now: () => clock.now() - wrongByMs(referenceClock) };
}

/** @returns why this machine must not spend; `undefined` unless its clock is wrong. */
export function wrongClock({ referenceClock }: Compared): string | undefined {
  const offsetMs = wrongByMs(referenceClock);
  if (offsetMs === 0) return undefined;
  const seconds = Math.round(Math.abs(offsetMs) / SECOND_MS);
  return `The clock of this machine is ${seconds} s ${offsetMs < 0 ? 'behind' : 'ahead'}. Nothing is spent until it is correct.`;
}

/**
 * Refuses to book while this machine's clock is wrong. Call this after a request, because the answer shows the server's
 * time.
 * @throws UpstreamError `CLOCK_WRONG`
 */
export function refuseWrongClock(compared: Compared): void {
  const why = wrongClock(compared);
  if (why === undefined) return;
  const message = `${why} Set it by NTP, then try again.`;
  throw new UpstreamError({ code: 'CLOCK_WRONG', message, retryable: true });
}
