import { type Clock, isClockWrong, UpstreamError } from '#shared/kernel';

/** The clock that all workers share: each answer of the store contains its time. */
export interface StoreClock {
  /**
   * How far this machine's clock is certainly ahead of the store's clock, milliseconds. Negative if it is behind. 0
   * while unknown.
   */
  offsetMs(): number;
}

export interface Clocks {
  readonly clock: Pick<Clock, 'now'>;
  /** If it is absent, this machine's clock is trusted. */
  readonly storeClock?: StoreClock | undefined;
}

/**
 * Returns the current time, epoch milliseconds: this machine's time, or the store's time if this machine's clock is
 * wrong.
 */
export function believedNow({ clock, storeClock }: Clocks): number {
  return clock.now() - (storeClock && isClockWrong(storeClock) ? storeClock.offsetMs() : 0);
}

/**
 * Refuses an action if this machine's clock is wrong. Call this after a read, because the answer to a read contains the
 * store's time.
 * @param undone names the refused action: `booked`, `swept`.
 * @throws UpstreamError `CLOCK_WRONG` that names both times.
 */
export function refuseWrongClock(clocks: Clocks, undone: string): void {
  if (!isClockWrong(clocks.storeClock)) return;
  const times = `this machine's clock says ${second(clocks.clock.now())}, the database's says ${second(believedNow(clocks))}`;
  const message = `Nothing was ${undone}: ${times}. Set this machine's clock by NTP, then try again.`;
  throw new UpstreamError({ code: 'CLOCK_WRONG', message, retryable: true });
}

function second(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
