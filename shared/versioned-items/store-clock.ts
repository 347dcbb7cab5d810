import { type Clock, isClockWrong, UpstreamError } from '#shared/kernel';

/** The clock that all workers share: the store tells its own time with each answer. */
export interface StoreClock {
  /** How far this machine's clock is surely ahead of the store's, behind it if negative; 0 while nothing is known. */
  offsetMs(): number;
}

export interface Clocks {
  readonly clock: Pick<Clock, 'now'>;
  /** Without it, this machine's clock is believed. */
  readonly storeClock?: StoreClock | undefined;
}

/** The time now: this machine's, or the store's where this machine's clock is wrong. Epoch milliseconds. */
export function believedNow({ clock, storeClock }: Clocks): number {
  return clock.now() - (storeClock && isClockWrong(storeClock) ? storeClock.offsetMs() : 0);
}

/**
 * Call it after a read: each answer of the store tells its time.
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
