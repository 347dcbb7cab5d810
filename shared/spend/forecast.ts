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
  /** Spend of the whole month, if each day to come costs as much as the pace says. Whole credits. */
  readonly forecastMonthCredits: number;
  /** The same at the pace of the week that cost least and of the week that cost most; absent before two whole weeks. */
  readonly forecastRange?: { readonly lowCredits: number; readonly highCredits: number };
  /** Credits a day without backfills, which end; not whole. */
  readonly paceCreditsPerDay: number;
  /** Whole days that the pace is taken from: up to four weeks; 0 where the first spend was today. */
  readonly paceDays: number;
  /** When this month's budget for everything is used up. */
  readonly budgetUsedUp?: UsedUp;
  /** When the bought credits are used up, if within three months. */
  readonly grantUsedUp?: UsedUp;
}

/** Days such as `2026-11-21`; an absent one is later than the forecast looks. */
export interface UsedUp {
  /** At the pace of the week that cost most. */
  readonly earlyOn: string;
  readonly likelyOn?: string;
  /** At the pace of the week that cost least. */
  readonly lateOn?: string;
}

export interface ForecastInput {
  /** Of this month, and of four weeks before it as far as known. */
  readonly spent: readonly Pick<SpendRow, 'day' | 'credits' | 'purpose'>[];
  readonly budgets: readonly BudgetState[];
  /** Bought and not yet spent; absent if unknown. */
  readonly balanceCredits?: number | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

const WEEK_DAYS = 7;
/** Whole days before today that the pace is taken from, at most. */
export const PACE_DAYS = 4 * WEEK_DAYS;
/** Three months. */
const HORIZON_DAYS = 92;

/** Credits a day, by purpose: each purpose may have budgets of its own. */
type Pace = ReadonlyMap<string, number>;

/** Extends the pace of the last whole weeks, limited by the budgets. */
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
  // One busy hour of a first day counts as a whole day.
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

/** Goes through the days to come; a budget starts again with its day or month. */
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
    if (index > 0) startAnew(left, budgets, day);
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

/** Sums of fractions come close to a limit and seldom to the very number. */
const ROUNDING = 1e-6;

function startAnew(left: Map<string, number>, budgets: readonly BudgetState[], day: string): void {
  for (const { budget, limitCredits } of budgets)
    if (budgetParts({ budget }).period === 'day' || dayOfMonth(day) === 1) left.set(budget, limitCredits);
}

function creditsOf(rows: readonly Pick<SpendRow, 'credits'>[]): number {
  return rows.reduce((sum, { credits }) => sum + credits, 0);
}

/** @param days of the pace itself, then of the single weeks. */
function usedUp(days: readonly (string | undefined)[]): UsedUp | undefined {
  const known = days.filter((day) => day !== undefined).sort();
  const [earlyOn] = known;
  const [likelyOn] = days;
  const lateOn = known.length === days.length ? known.at(-1) : undefined;
  return earlyOn === undefined
    ? undefined
    : { earlyOn, ...(likelyOn && { likelyOn }), ...(lateOn && { lateOn }) };
}

/** `about 24 Nov (20 Nov to 1 Dec)`, `on 24 Nov`; of what the pace itself does not reach, `perhaps from 20 Nov on`. */
export function usedUpWords({ earlyOn, likelyOn, lateOn }: UsedUp): string {
  if (!likelyOn) return `perhaps from ${shortDay(earlyOn)} on`;
  if (earlyOn === lateOn) return `about ${shortDay(likelyOn)}`;
  const until = lateOn ? `to ${shortDay(lateOn)}` : 'or later';
  return `about ${shortDay(likelyOn)} (${shortDay(earlyOn)} ${until})`;
}
