import { dayOf, monthOfDay } from '#shared/credit-ledger/calendar.ts';
import { type DayCredits, dayAfter, daysUpTo, weekdayOf } from './days.ts';
import { paceOf } from './pace.ts';
import type { SpendRow } from './schemas.ts';
import { drawWays, type Prospects } from './ways.ts';

export interface Forecast {
  /** Spend of the whole month: as likely more as less. */
  readonly forecastMonthCredits: number;
  /** Eight months in ten end between these two. */
  readonly forecastLowCredits: number;
  readonly forecastHighCredits: number;
  /** Credits a day in an ordinary week, as the days up to now make it; not whole. */
  readonly paceCreditsPerDay: number;
  /** Whole days that the pace is taken from, the first spend's and later ones; 0 where all was spent today. */
  readonly paceDays: number;
  /** When the month's budget for everything is used up, where one in ten such months would see it. */
  readonly budgetUsedUp?: UsedUp;
  /** When the granted credits are used up, where one in ten would see it within three months. */
  readonly grantUsedUp?: UsedUp;
}

/** Days such as `2026-11-21`; one that is missing is later than anybody can say, or never. */
export interface UsedUp {
  /** One in ten is used up by then. */
  readonly earlyOn: string;
  readonly likelyOn?: string;
  /** Nine in ten are. */
  readonly lateOn?: string;
}

export interface ForecastInput extends Omit<Prospects, 'pace' | 'today' | 'spentMonth'> {
  /** Of this month, and of four weeks before it as far as known. */
  readonly spent: readonly Pick<SpendRow, 'day' | 'credits' | 'purpose'>[];
}

const PACE_DAYS = 28;
const [LOW, LIKELY, HIGH] = [0.1, 0.5, 0.9];

/**
 * What the month will cost, by drawing its other days: each is Gamma distributed around its weekday's share of the pace,
 * and neither pace nor weekday is known better than the days so far tell. No day and no month spends more than its budget.
 * The same input gives the same forecast.
 */
export function forecastOf(input: ForecastInput): Forecast {
  const { nowMs, timeZone } = input;
  const today = dayOf(nowMs, timeZone);
  const spentMonth = creditsOf(input.spent.filter(({ day }) => monthOfDay(day) === monthOfDay(today)));
  // Backfills are no habit: what is left of them is planned.
  const usual = input.spent.filter(({ purpose }) => purpose !== 'backfill');
  const whole = daysUpTo(dayAfter(today, -1), PACE_DAYS).map(
    (day): DayCredits => ({
      weekday: weekdayOf(day),
      credits: creditsOf(usual.filter((each) => each.day === day)),
    }),
  );
  const first = whole.findIndex(({ credits }) => credits > 0);
  const known = first === -1 ? [] : whole.slice(first);
  const ofToday = { weekday: weekdayOf(today), credits: creditsOf(usual.filter(({ day }) => day === today)) };
  // Who began today has spent a day's credits by now: one busy hour is not a pace.
  const pace = paceOf(known.length > 0 ? known : [ofToday]);
  const ways = drawWays({ ...input, pace, today, spentMonth });
  const totals = ways.map(({ monthCredits }) => monthCredits).sort((a, b) => a - b);
  const hasMonth = input.budgets.some(({ budget }) => budget === 'total/month');
  const budgetUsedUp = hasMonth
    ? usedUp(
        ways.map((way) => way.budgetUsedUpIn),
        today,
      )
    : undefined;
  const knowsGrant = input.balanceCredits !== undefined;
  const grantUsedUp = knowsGrant
    ? usedUp(
        ways.map((way) => way.grantUsedUpIn),
        today,
      )
    : undefined;
  return {
    forecastMonthCredits: at(totals, LIKELY),
    forecastLowCredits: at(totals, LOW),
    forecastHighCredits: at(totals, HIGH),
    paceCreditsPerDay: pace
      ? (pace.level * pace.weekdays.reduce((sum, { factor }) => sum + factor, 0)) / 7
      : 0,
    paceDays: known.length,
    ...(budgetUsedUp && { budgetUsedUp }),
    ...(grantUsedUp && { grantUsedUp }),
  };
}

function creditsOf(rows: readonly Pick<SpendRow, 'credits'>[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

function usedUp(inDays: readonly number[], today: string): UsedUp | undefined {
  const sorted = inDays.toSorted((a, b) => a - b);
  const on = (share: number) => {
    const days = at(sorted, share);
    return Number.isFinite(days) ? dayAfter(today, days) : undefined;
  };
  const [earlyOn, likelyOn, lateOn] = [on(LOW), on(LIKELY), on(HIGH)];
  if (earlyOn === undefined) return undefined;
  return { earlyOn, ...(likelyOn && { likelyOn }), ...(lateOn && { lateOn }) };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
