import { HOUR_MS } from '#shared/kernel';

/** Smallest reserve, as a share of a day's budget, so that a new installation also has a reserve. */
const MIN_SHARE = 1 / 5;
/** Largest reserve, as a share of a day's budget, so that imports and refreshes start every day. */
const MAX_SHARE = 1 / 2;
/**
 * The reserve covers the use on this share of days. So one busy day does not raise the reserve, but eight of 28 days
 * do.
 */
const PERCENTILE = 3 / 4;
/** Length of the last part of the day, in which the unused reserve is released evenly. */
const RELEASE_MS = 6 * HOUR_MS;

/**
 * Computes the credits that one day's budget reserves for leads and for people's requests. The result can be a
 * fraction.
 * @param usedByDay credits that leads and people's requests used on each of the last days, in any order.
 */
export function dailyReserve(usedByDay: readonly number[], budgetCredits: number): number {
  const ascending = usedByDay.toSorted((a, b) => a - b);
  const usual = ascending[Math.ceil(ascending.length * PERCENTILE) - 1] ?? 0;
  const share = Math.max(0, budgetCredits);
  return Math.min(share * MAX_SHARE, Math.max(usual, share * MIN_SHARE));
}

export interface ReserveNow {
  /** See `dailyReserve`. */
  readonly perDayCredits: number;
  /** Credits that leads and people's requests have used today. */
  readonly usedCredits: number;
  /** Time until midnight. */
  readonly msLeftToday: number;
  /** Days of the budget's period after today. */
  readonly daysToCome: number;
}

/**
 * Computes the whole credits that a budget reserves now: the rest of today's reserve, and the reserves of later days.
 */
export function reservedNow({ perDayCredits, usedCredits, msLeftToday, daysToCome }: ReserveNow): number {
  const unused = Math.max(0, perDayCredits - usedCredits);
  const part = Math.min(1, Math.max(0, msLeftToday / RELEASE_MS));
  return Math.round(unused * part + perDayCredits * daysToCome);
}

/**
 * Computes how long before midnight the reserve falls to `maxCredits`, milliseconds. Infinity: it is at most this all
 * day. 0: it is higher all day.
 */
export function releasedBefore(reserve: Omit<ReserveNow, 'msLeftToday'>, maxCredits: number): number {
  const isReleased = (msLeftToday: number) => reservedNow({ ...reserve, msLeftToday }) <= maxCredits;
  if (isReleased(RELEASE_MS)) return Number.POSITIVE_INFINITY;
  if (!isReleased(0)) return 0;
  const { perDayCredits, usedCredits, daysToCome } = reserve;
  // Half a credit is rounded up in `reservedNow`.
  const maxUnused = maxCredits + 0.5 - perDayCredits * daysToCome;
  return (maxUnused / (perDayCredits - usedCredits)) * RELEASE_MS;
}
