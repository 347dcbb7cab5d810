import { type Clock, isClockWrong, UpstreamError } from '#shared/kernel';

/** The clock that all workers share: each answer of the store contains its time. */
export interface StoreClock {
  /** Lead of this machine's clock over the store's, as far as it is certain; negative if behind; 0 while unknown. Milliseconds. */
  offsetMs(): number;
}

export interface Clocks {
  readonly clock: Pick<Clock, 'now'>;
  /** Without it, this machine's clock is trusted. */
  readonly storeClock?: StoreClock | undefined;
}

/** The present time: this machine's, or the store's if this machine's clock is wrong. Epoch milliseconds. */
export function believedNow({ clock, storeClock }: Clocks): number {
  return clock.now() - (storeClock && isClockWrong(storeClock) ? storeClock.offsetMs() : 0);
}

/**
 * Refuses an action if this machine's clock is wrong. Call it after a read, because the answer contains the store's time.
 * @param undone the refused action: `booked`, `swept`.
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
