import { type BudgetState, budgetParts } from '#shared/credit-ledger';
import {
  DAY_MS,
  dayAfter,
  dayOf,
  dayOfMonth,
  daysUpTo,
  monthOfDay,
  nextDayStart,
  shortDay,
} from '#shared/kernel';
import type { SpendRow } from './schemas.ts';

export interface Forecast {
  /** Estimated spend of the whole month in whole credits, if each remaining day costs as much as the pace. */
  readonly forecastMonthCredits: number;
  /** The same estimate at the pace of the cheapest and of the most expensive week. Absent before two whole weeks. */
  readonly forecastRange?: { readonly lowCredits: number; readonly highCredits: number };
  /** Average credits a day, with fractions. Backfills are left out, because they end. */
  readonly paceCreditsPerDay: number;
  /** Number of whole days from which the pace is computed, up to four weeks. It is 0 if the first spend was today. */
  readonly paceDays: number;
  /** Day on which this month's total budget is used up. */
  readonly budgetUsedUp?: UsedUp;
  /** Day on which the bought credits are used up, if this is within three months. */
  readonly grantUsedUp?: UsedUp;
}

/** Days such as `2026-11-21`. An absent day is later than the end of the forecast. */
export interface UsedUp {
  /** At the pace of the most expensive week. */
  readonly earlyOn: string;
  readonly likelyOn?: string;
  /** At the pace of the cheapest week. */
  readonly lateOn?: string;
}

export interface ForecastInput {
  /** Spend of this month, and of the four weeks before today, as far as it is known. */
  readonly spent: readonly Pick<SpendRow, 'day' | 'credits' | 'purpose'>[];
  readonly budgets: readonly BudgetState[];
  /** Credits that are bought and not yet spent; absent if unknown. */
  readonly balanceCredits?: number | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

const WEEK_DAYS = 7;
/** Maximum number of whole days before today from which the pace is computed. */
export const PACE_DAYS = 4 * WEEK_DAYS;
/** The forecast looks three months ahead. */
const HORIZON_DAYS = 92;

/** Credits a day, by purpose, because each purpose may have its own budgets. */
type Pace = ReadonlyMap<string, number>;

/** Extends the pace of the last whole weeks into the future, limited by the budgets. */
export function forecastOf(input: ForecastInput): Forecast {
  const { spent, nowMs, timeZone } = input;
  const today = dayOf(nowMs, timeZone);
  const usual = spent.filter(({ purpose }) => purpose !== 'backfill');
  const paceOver = (days: readonly string[]): Pace => {
    const rows = Map.groupBy(
      usual.filter(({ day }) => days.includes(day)),
      ({ purpose }) => purpose,
    );
    return new Map([...rows].map(([purpose, ofPurpose]) => [purpose, creditsOf(ofPurpose) / days.length]));
  };
  const wholeDays = daysUpTo(dayAfter(today, -1), PACE_DAYS);
  const first = wholeDays.findIndex((day) => usual.some((row) => row.day === day && row.credits > 0));
  const knownDays = first === -1 ? [] : wholeDays.slice(first);
  const weeks = Math.floor(knownDays.length / WEEK_DAYS);
  const paceDays = weeks === 0 ? knownDays : knownDays.slice(-weeks * WEEK_DAYS);
  // On the first day, the spend so far counts as a whole day.
  const pace = paceOver(paceDays.length === 0 ? [today] : paceDays);
  const weekly = Array.from({ length: weeks }, (_, week) =>
    paceOver(paceDays.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)),
  );
  const [likelyProjection, ...weeklyProjections] = [pace, ...(weeks > 1 ? weekly : [])].map((weekPace) =>
    project(weekPace, input, today),
  );
  const projections = likelyProjection ? [likelyProjection, ...weeklyProjections] : [];
  const spentMonth = creditsOf(spent.filter(({ day }) => monthOfDay(day) === monthOfDay(today)));
  const months = projections.map(({ credits }) => spentMonth + Math.round(credits));
  const budgetUsedUp = usedUp(projections.map(({ budgetUsedUpOn }) => budgetUsedUpOn));
  const grantUsedUp = usedUp(projections.map(({ grantUsedUpOn }) => grantUsedUpOn));
  return {
    forecastMonthCredits: months[0] ?? spentMonth,
    ...(weeks > 1 && {
      forecastRange: { lowCredits: Math.min(...months), highCredits: Math.max(...months) },
    }),
    paceCreditsPerDay: [...pace.values()].reduce((sum, credits) => sum + credits, 0),
    paceDays: paceDays.length,
    ...(budgetUsedUp && { budgetUsedUp }),
    ...(grantUsedUp && { grantUsedUp }),
  };
}

interface Projection {
  /** Credits for the remaining days of the month. */
  readonly credits: number;
  readonly budgetUsedUpOn: string | undefined;
  readonly grantUsedUpOn: string | undefined;
}

/** Simulates the coming days. Each budget starts again with its day or month. */
function project(
  pace: Pace,
  { budgets, balanceCredits, nowMs, timeZone }: ForecastInput,
  today: string,
): Projection {
  const leftByBudget = new Map(budgets.map(({ budget, leftCredits }) => [budget, leftCredits]));
  const creditsLeftIn = (scope: string) =>
    Math.max(
      0,
      Math.min(...['day', 'month'].map((period) => leftByBudget.get(`${scope}/${period}`) ?? Infinity)),
    );
  const hasBudget = leftByBudget.has('total/day') || leftByBudget.has('total/month');
  let [credits, balance] = [0, balanceCredits ?? Infinity];
  let budgetUsedUpOn: string | undefined;
  let grantUsedUpOn: string | undefined;
  for (const [index, day] of daysUpTo(dayAfter(today, HORIZON_DAYS), HORIZON_DAYS + 1).entries()) {
    const isThisMonth = monthOfDay(day) === monthOfDay(today);
    if (index > 0) resetBudgets(leftByBudget, budgets, day);
    const share = index === 0 ? (nextDayStart(nowMs, timeZone) - nowMs) / DAY_MS : 1;
    for (const [purpose, perDay] of hasBudget ? pace : []) {
      const taken = Math.min(perDay * share, creditsLeftIn(purpose), creditsLeftIn('total'));
      for (const [budget, rest] of leftByBudget)
        if (['total', purpose].includes(budgetParts({ budget }).scope))
          leftByBudget.set(budget, rest - taken);
      balance -= taken;
      if (isThisMonth) credits += taken;
    }
    if (isThisMonth && (leftByBudget.get('total/month') ?? 1) <= ROUNDING) budgetUsedUpOn ??= day;
    if (balance <= ROUNDING) grantUsedUpOn ??= day;
  }
  return { credits, budgetUsedUpOn, grantUsedUpOn };
}

/** Tolerance, because sums of fractions rarely reach a limit exactly. */
const ROUNDING = 1e-6;

function resetBudgets(left: Map<string, number>, budgets: readonly BudgetState[], day: string): void {
  for (const { budget, limitCredits } of budgets)
    if (budgetParts({ budget }).period === 'day' || dayOfMonth(day) === 1) left.set(budget, limitCredits);
}

function creditsOf(rows: readonly Pick<SpendRow, 'credits'>[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

/** @param days first the day at the average pace, then the days at the pace of each week. */
function usedUp(days: readonly (string | undefined)[]): UsedUp | undefined {
  const known = days.filter((day) => day !== undefined).sort();
  const [earlyOn] = known;
  const [likelyOn] = days;
  const lateOn = known.length === days.length ? known.at(-1) : undefined;
  return earlyOn === undefined
    ? undefined
    : { earlyOn, ...(likelyOn && { likelyOn }), ...(lateOn && { lateOn }) };
}

/**
 * Returns, for example, `about 24 Nov (20 Nov to 1 Dec)`. If the average pace does not reach the limit, returns
 * `perhaps from 20 Nov on`.
 */
export function usedUpWords({ earlyOn, likelyOn, lateOn }: UsedUp): string {
  if (!likelyOn) return `perhaps from ${shortDay(earlyOn)} on`;
  if (earlyOn === lateOn) return `about ${shortDay(likelyOn)}`;
  const until = lateOn ? `to ${shortDay(lateOn)}` : 'or later';
  return `about ${shortDay(likelyOn)} (${shortDay(earlyOn)} ${until})`;
}
