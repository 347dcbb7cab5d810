import { HOUR_MS } from '#shared/kernel';

/** Smallest share of a day's budget, so that a new installation also has a reserve. */
const LEAST_SHARE = 1 / 5;
/** Largest share of a day's budget, so that imports and refreshes start every day. */
const MOST_SHARE = 1 / 2;
/** One busy day does not raise the reserve; eight of 28 days do. */
const PERCENTILE = 3 / 4;
/** The unused reserve is released evenly over the last hours of the day. */
export const RELEASE_MS = 6 * HOUR_MS;

/**
 * Credits that one day's budget reserves for leads and for people's requests; may be a fraction.
 * @param usedByDay credits that they used on each of the last days, in any order.
 */
export function dailyReserve(usedByDay: readonly number[], budgetCredits: number): number {
  const ascending = usedByDay.toSorted((a, b) => a - b);
  const usual = ascending[Math.ceil(ascending.length * PERCENTILE) - 1] ?? 0;
  const share = Math.max(0, budgetCredits);
  return Math.min(share * MOST_SHARE, Math.max(usual, share * LEAST_SHARE));
}

export interface ReserveNow {
  /** See `dailyReserve`. */
  readonly perDayCredits: number;
  /** Credits that leads and people's requests have used today. */
  readonly usedCredits: number;
  /** Until midnight. */
  readonly msLeftToday: number;
  /** Days of the budget's period after today. */
  readonly daysToCome: number;
}

/** Whole credits that a budget reserves now: the rest of today's reserve, and the reserves of later days. */
export function heldBack({ perDayCredits, usedCredits, msLeftToday, daysToCome }: ReserveNow): number {
  const unused = Math.max(0, perDayCredits - usedCredits);
  const part = Math.min(1, Math.max(0, msLeftToday / RELEASE_MS));
  return Math.round(unused * part + perDayCredits * daysToCome);
}

/**
 * Time before midnight from which the reserve is at most `mostCredits`, milliseconds. Infinity: all day. 0: never on this
 * day.
 */
export function releasedBefore(reserve: Omit<ReserveNow, 'msLeftToday'>, mostCredits: number): number {
  const isReleased = (msLeftToday: number) => heldBack({ ...reserve, msLeftToday }) <= mostCredits;
  if (isReleased(RELEASE_MS)) return Number.POSITIVE_INFINITY;
  if (!isReleased(0)) return 0;
  const { perDayCredits, usedCredits, daysToCome } = reserve;
  // Half a credit is rounded up.
  const most = mostCredits + 0.5 - perDayCredits * daysToCome;
  return (most / (perDayCredits - usedCredits)) * RELEASE_MS;
}
