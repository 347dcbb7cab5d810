import { PURPOSES, type Purpose } from '#shared/crm/purpose.ts';
import { monthOfDay } from './calendar.ts';
import type { Amounts, OpenReservation, PeriodTotals, Totals } from './schemas.ts';

const NOTHING: Amounts = { posted: 0, pending: 0, doubtful: 0 };

export const EMPTY_TOTALS: Totals = { periods: {}, lifetime: { ...NOTHING, granted: 0, adjusted: 0 } };

/** A change of amounts, booked to the day and the month of `day` and to the lifetime totals. */
export interface Movement {
  readonly day: string;
  readonly purpose: Purpose;
  readonly by: Partial<Amounts>;
}

export function move(totals: Totals, { day, purpose, by }: Movement): Totals {
  const periods = { ...totals.periods };
  for (const period of [day, monthOfDay(day)]) {
    const before = periods[period] ?? emptyPeriod();
    periods[period] = { ...before, [purpose]: add(before[purpose], by) };
  }
  return { periods, lifetime: { ...totals.lifetime, ...add(totals.lifetime, by) } };
}

/** Drops the periods that no budget and no open reservation needs any more; the log still holds them. */
export function keepNeeded(
  totals: Totals,
  { day, open }: { day: string; open: readonly OpenReservation[] },
): Totals {
  const days = [day, ...open.map((reservation) => reservation.day)];
  const needed = new Set(days.flatMap((each) => [each, monthOfDay(each)]));
  const kept = Object.entries(totals.periods).filter(([period]) => needed.has(period));
  return { ...totals, periods: Object.fromEntries(kept) };
}

function emptyPeriod(): PeriodTotals {
  const [live, refresh, backfill, manual] = PURPOSES.map(() => NOTHING);
  return {
    live: live ?? NOTHING,
    refresh: refresh ?? NOTHING,
    backfill: backfill ?? NOTHING,
    manual: manual ?? NOTHING,
  };
}

function add(amounts: Amounts, by: Partial<Amounts>): Amounts {
  return {
    posted: amounts.posted + (by.posted ?? 0),
    pending: amounts.pending + (by.pending ?? 0),
    doubtful: amounts.doubtful + (by.doubtful ?? 0),
  };
}
