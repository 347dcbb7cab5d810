import { generalAsker, type Purpose } from '#shared/crm';
import { daysBetween, monthOfDay } from '#shared/kernel';
import type { Amounts, LedgerEntry, OpenReservation, PeriodTotals, Totals } from './schemas.ts';

const NOTHING: Amounts = { posted: 0, pending: 0, doubtful: 0 };

export const EMPTY_TOTALS: Totals = { periods: {}, lifetime: { ...NOTHING, granted: 0, adjusted: 0 } };

/** A change of amounts. It is booked to `day`, to the month of `day`, and to the lifetime totals. */
export interface Movement {
  readonly day: string;
  readonly purpose: Purpose;
  readonly askedBy?: string | undefined;
  readonly by: Partial<Amounts>;
}

export function move(totals: Totals, { day, purpose, askedBy, by }: Movement): Totals {
  const periods = { ...totals.periods };
  for (const period of [day, monthOfDay(day)]) {
    const before = periods[period];
    periods[period] = { ...before, [purpose]: add(before?.[purpose], by) };
  }
  const lifetime = { ...totals.lifetime, ...add(totals.lifetime, by) };
  const people = peopleAfter(totals, { day, purpose, askedBy, by });
  return { ...totals, periods, lifetime, ...(people && { people }) };
}

/** People who are counted one by one on a day, so that an entry stays small. Further people share one limit. */
const MAX_PEOPLE = 100;

function peopleAfter({ people }: Totals, { day, purpose, askedBy, by }: Movement): Totals['people'] {
  const isOfPast = people !== undefined && day < people.day;
  const asked = { purpose, askedBy };
  if (isOfPast || !isPersonsLimit(asked)) return people;
  const credits = people?.day === day ? people.credits : {};
  const name = nameAmong(credits, asked.askedBy);
  const used = Math.max(0, (credits[name] ?? 0) + committed(add(NOTHING, by)));
  return { day, credits: { ...credits, [name]: used } };
}

/** Whether the limit of a person applies. It is only for requests on the pages inside HubSpot. */
export function isPersonsLimit(spender: {
  readonly purpose: Purpose;
  readonly askedBy?: string | undefined;
}): spender is { readonly purpose: Purpose; readonly askedBy: string } {
  return spender.purpose === 'manual' && spender.askedBy !== undefined && /^user\b/.test(spender.askedBy);
}

/** Returns the credits that a person used on a day. Pending and doubtful credits count as used. */
export function usedByPerson({ people }: Totals, { day, askedBy }: { day: string; askedBy: string }): number {
  return people?.day === day ? (people.credits[nameAmong(people.credits, askedBy)] ?? 0) : 0;
}

function nameAmong(credits: Readonly<Record<string, number>>, askedBy: string): string {
  return askedBy in credits || Object.keys(credits).length < MAX_PEOPLE ? askedBy : generalAsker(askedBy);
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

/** The reason of a request: a record, the rule that admitted it, and the asker. */
export type AskedFor = Pick<OpenReservation, 'record' | 'rule' | 'askedBy'>;

/** Returns only the fields that have a value, so that hash and store agree. */
export function askedForOf({ record, rule, askedBy }: AskedFor): AskedFor {
  return {
    ...(record !== undefined && { record }),
    ...(rule !== undefined && { rule }),
    ...(askedBy !== undefined && { askedBy }),
  };
}
