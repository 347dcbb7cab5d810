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
  /** Estimated spend of the whole month, if each remaining day costs as much as the pace. Whole credits. */
  readonly forecastMonthCredits: number;
  /** The same at the pace of the cheapest and of the most expensive week; absent before two whole weeks. */
  readonly forecastRange?: { readonly lowCredits: number; readonly highCredits: number };
  /** Credits a day, not whole. Backfills are left out, because they end. */
  readonly paceCreditsPerDay: number;
  /** Number of whole days behind the pace: up to four weeks; 0 if the first spend was today. */
  readonly paceDays: number;
  /** Day on which this month's total budget is used up. */
  readonly budgetUsedUp?: UsedUp;
  /** Day on which the bought credits are used up, if within three months. */
  readonly grantUsedUp?: UsedUp;
}

/** Days such as `2026-11-21`. An absent day is later than the forecast looks. */
export interface UsedUp {
  /** At the pace of the most expensive week. */
  readonly earlyOn: string;
  readonly likelyOn?: string;
  /** At the pace of the cheapest week. */
  readonly lateOn?: string;
}

export interface ForecastInput {
  /** Spend of this month, and of the four weeks before today as far as known. */
  readonly spent: readonly Pick<SpendRow, 'day' | 'credits' | 'purpose'>[];
  readonly budgets: readonly BudgetState[];
  /** Bought and not yet spent; absent if unknown. */
  readonly balanceCredits?: number | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

const WEEK_DAYS = 7;
/** Most whole days before today that determine the pace. */
export const PACE_DAYS = 4 * WEEK_DAYS;
/** Three months. */
const HORIZON_DAYS = 92;

/** Credits a day, by purpose: each purpose may have budgets of its own. */
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
    return new Map([...rows].map(([purpose, some]) => [purpose, creditsOf(some) / days.length]));
  };
  const whole = daysUpTo(dayAfter(today, -1), PACE_DAYS);
  const first = whole.findIndex((day) => usual.some((row) => row.day === day && row.credits > 0));
  const known = first === -1 ? [] : whole.slice(first);
  const weeks = Math.floor(known.length / WEEK_DAYS);
  const paceDays = weeks === 0 ? known : known.slice(-weeks * WEEK_DAYS);
  // On the first day, one busy hour counts as a whole day.
  const pace = paceOver(paceDays.length === 0 ? [today] : paceDays);
  const weekly = Array.from({ length: weeks }, (_, week) =>
    paceOver(paceDays.slice(week * WEEK_DAYS, (week + 1) * WEEK_DAYS)),
  );
  const [likely, ...others] = [pace, ...(weeks > 1 ? weekly : [])].map((each) => carryOn(each, input, today));
  const all = likely ? [likely, ...others] : [];
  const spentMonth = creditsOf(spent.filter(({ day }) => monthOfDay(day) === monthOfDay(today)));
  const months = all.map(({ credits }) => spentMonth + Math.round(credits));
  const budgetUsedUp = usedUp(all.map(({ budgetUsedUpOn }) => budgetUsedUpOn));
  const grantUsedUp = usedUp(all.map(({ grantUsedUpOn }) => grantUsedUpOn));
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

interface CarriedOn {
  /** Credits of the rest of the month. */
  readonly credits: number;
  readonly budgetUsedUpOn: string | undefined;
  readonly grantUsedUpOn: string | undefined;
}

/** Simulates the days to come. Each budget starts again with its day or month. */
function carryOn(
  pace: Pace,
  { budgets, balanceCredits, nowMs, timeZone }: ForecastInput,
  today: string,
): CarriedOn {
  const left = new Map(budgets.map(({ budget, leftCredits }) => [budget, leftCredits]));
  const room = (scope: string) =>
    Math.max(0, Math.min(...['day', 'month'].map((period) => left.get(`${scope}/${period}`) ?? Infinity)));
  const hasBudget = left.has('total/day') || left.has('total/month');
  let [credits, balance] = [0, balanceCredits ?? Infinity];
  let budgetUsedUpOn: string | undefined;
  let grantUsedUpOn: string | undefined;
  for (const [index, day] of daysUpTo(dayAfter(today, HORIZON_DAYS), HORIZON_DAYS + 1).entries()) {
    const isThisMonth = monthOfDay(day) === monthOfDay(today);
    if (index > 0) resetBudgets(left, budgets, day);
    const share = index === 0 ? (nextDayStart(nowMs, timeZone) - nowMs) / DAY_MS : 1;
    for (const [purpose, perDay] of hasBudget ? pace : []) {
      const taken = Math.min(perDay * share, room(purpose), room('total'));
      for (const [budget, rest] of left)
        if (['total', purpose].includes(budgetParts({ budget }).scope)) left.set(budget, rest - taken);
      balance -= taken;
      if (isThisMonth) credits += taken;
    }
    if (isThisMonth && (left.get('total/month') ?? 1) <= ROUNDING) budgetUsedUpOn ??= day;
    if (balance <= ROUNDING) grantUsedUpOn ??= day;
  }
  return { credits, budgetUsedUpOn, grantUsedUpOn };
}

/** Tolerance: sums of fractions rarely reach a limit exactly. */
const ROUNDING = 1e-6;

function resetBudgets(left: Map<string, number>, budgets: readonly BudgetState[], day: string): void {
  for (const { budget, limitCredits } of budgets)
    if (budgetParts({ budget }).period === 'day' || dayOfMonth(day) === 1) left.set(budget, limitCredits);
}

function creditsOf(rows: readonly Pick<SpendRow, 'credits'>[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

/** @param days first of the pace itself, then of the single weeks. */
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
 * `about 24 Nov (20 Nov to 1 Dec)`, `on 24 Nov`; `perhaps from 20 Nov on` if the pace itself does not reach the limit.
 */
export function usedUpWords({ earlyOn, likelyOn, lateOn }: UsedUp): string {
  if (!likelyOn) return `perhaps from ${shortDay(earlyOn)} on`;
  if (earlyOn === lateOn) return `about ${shortDay(likelyOn)}`;
  const until = lateOn ? `to ${shortDay(lateOn)}` : 'or later';
  return `about ${shortDay(likelyOn)} (${shortDay(earlyOn)} ${until})`;
}
