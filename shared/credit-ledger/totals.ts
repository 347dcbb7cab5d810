import type { Purpose } from '#shared/crm';
import { daysBetween, monthOfDay } from '#shared/kernel';
import type { Amounts, LedgerEntry, OpenReservation, PeriodTotals, Totals } from './schemas.ts';

const NOTHING: Amounts = { posted: 0, pending: 0, doubtful: 0 };

export const EMPTY_TOTALS: Totals = { periods: {}, lifetime: { ...NOTHING, granted: 0, adjusted: 0 } };

/** A change of amounts. It is booked to `day`, to the month of `day`, and to the lifetime totals. */
export interface Movement {
  readonly day: string;
  readonly purpose: Purpose;
  readonly by: Partial<Amounts>;
}

export function move(totals: Totals, { day, purpose, by }: Movement): Totals {
  const periods = { ...totals.periods };
  for (const period of [day, monthOfDay(day)]) {
    const before = periods[period];
    periods[period] = { ...before, [purpose]: add(before?.[purpose], by) };
  }
  return { ...totals, periods, lifetime: { ...totals.lifetime, ...add(totals.lifetime, by) } };
}

/** Drops periods that no budget and no open reservation needs. Earlier entries of the log still have these periods. */
export function keepNeeded(
  totals: Totals,
  { day, open }: { day: string; open: readonly OpenReservation[] },
): Totals {
  const days = [day, ...open.map((reservation) => reservation.day)];
  const needed = new Set(days.flatMap((each) => [each, monthOfDay(each)]));
  const kept = Object.entries(totals.periods).filter(([period]) => needed.has(period));
  const { expiring: lots, ...rest } = totals;
  const expiring = lots?.filter((lot) => lot.day >= day) ?? [];
  return {
    ...rest,
    leads: leadsUpTo(totals, day),
    ...(expiring.length > 0 && { expiring }),
    periods: Object.fromEntries(kept),
  };
}

/** Adds bought credits. @param expiresOn the last day on which the credits can be spent. */
export function withGrant(
  totals: Totals,
  { amountCredits, expiresOn }: Pick<LedgerEntry, 'amountCredits' | 'expiresOn'>,
): Totals {
  const { lifetime, expiring = [] } = totals;
  const granted = { ...totals, lifetime: { ...lifetime, granted: lifetime.granted + amountCredits } };
  if (expiresOn === undefined) return granted;
  const lot = { day: expiresOn, credits: amountCredits, postedBefore: lifetime.posted };
  return { ...granted, expiring: [...expiring, lot] };
}

/** Number of days whose use by leads is kept: four weeks, so each weekday four times. */
export const LEAD_DAYS = 28;

/** Returns the credits that leads used on the days before `day`. */
export function leadsUpTo({ leads, periods }: Totals, day: string): NonNullable<Totals['leads']> {
  if (!leads) return { day, before: [] };
  if (day <= leads.day) return leads;
  const daysWithoutUse = Array.from(
    { length: Math.min(LEAD_DAYS, daysBetween(leads.day, day) - 1) },
    () => 0,
  );
  const before = [...daysWithoutUse, usedByLeads(periods[leads.day]), ...leads.before].slice(0, LEAD_DAYS);
  return { day, before };
}

/** Returns the average credits a day that leads used on the last days; 0 if there are no earlier days. */
export function leadsPerDay(totals: Totals, day: string): number {
  const { before } = leadsUpTo(totals, day);
  return before.length === 0 ? 0 : before.reduce((sum, used) => sum + used, 0) / before.length;
}

/**
 * Returns the credits that fresh leads and people's requests used in a period. Pending and doubtful credits count as
 * used.
 */
export function usedByLeads(period: PeriodTotals | undefined): number {
  return committed(period?.live) + committed(period?.manual);
}

export function committed({ posted, pending, doubtful }: Amounts = NOTHING): number {
  return posted + pending + doubtful;
}

export function add(amounts: Amounts = NOTHING, by: Partial<Amounts>): Amounts {
  return {
    posted: amounts.posted + (by.posted ?? 0),
    pending: amounts.pending + (by.pending ?? 0),
    doubtful: amounts.doubtful + (by.doubtful ?? 0),
  };
}

/** The reason of a request: a record, and the rule that admitted it. */
export type AskedFor = Pick<OpenReservation, 'record' | 'rule'>;

/** Returns only the fields that have a value, so that hash and store agree. */
export function askedForOf({ record, rule }: AskedFor): AskedFor {
  return {
    ...(record !== undefined && { record }),
    ...(rule !== undefined && { rule }),
  };
}
