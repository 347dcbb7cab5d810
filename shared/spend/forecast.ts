import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { dayOf, monthOfDay, nextDayStart } from '#shared/credit-ledger/calendar.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { gammaDraw, normalDraw, type Random, seededRandom } from '#shared/kernel/random.ts';
import { type DayCredits, dayAfter, daysUpTo, weekdayOf } from './days.ts';
import { BELIEF_DAYS, type Pace, paceOf, WEEKDAYS_DIFFER } from './pace.ts';
import type { SpendRow } from './schemas.ts';

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

export interface ForecastInput {
  /** Of this month, and of four weeks before it as far as known. */
  readonly spent: readonly Pick<SpendRow, 'day' | 'credits' | 'purpose'>[];
  readonly budgets: readonly BudgetState[];
  /** Bought and not yet spent; nothing where nobody knows. */
  readonly balanceCredits?: number | undefined;
  /** What is known to come besides: backfills that run, imports that wait. */
  readonly planned?: Planned | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

export interface Planned {
  readonly lowCredits: number;
  readonly highCredits: number;
}

const PACE_DAYS = 28;
const HORIZON_DAYS = 92;
const DRAWS = 500;
const SEED = 1;
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
  const ways = drawWays(input, { pace, today, spentMonth });
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

function drawWays(
  input: ForecastInput,
  {
    pace,
    today,
    spentMonth,
  }: { readonly pace: Pace | undefined; readonly today: string; readonly spentMonth: number },
): Way[] {
  const { nowMs, timeZone, balanceCredits, planned = { lowCredits: 0, highCredits: 0 } } = input;
  const random = seededRandom(SEED);
  const limits = limitsOf(input.budgets);
  const all = daysToCome(today, (nextDayStart(nowMs, timeZone) - nowMs) / DAY_MS);
  // Nobody asks of later months but for the grant.
  const days = balanceCredits === undefined ? all.filter(({ isThisMonth }) => isThisMonth) : all;
  return Array.from({ length: DRAWS }, () => {
    const wishes = wishesOf(pace, days, random);
    const spread = planned.highCredits - planned.lowCredits;
    const plannedCredits = Math.round(planned.lowCredits + random() * spread);
    return wayFrom({ spentMonth, wishes, plannedCredits, limits, balanceCredits: balanceCredits ?? 0 });
  });
}

interface Day {
  readonly weekday: number;
  /** How much of it is to come: a part of today. */
  readonly share: number;
  readonly isThisMonth: boolean;
  readonly isFirstOfMonth: boolean;
}

function daysToCome(today: string, restOfToday: number): Day[] {
  return daysUpTo(dayAfter(today, HORIZON_DAYS), HORIZON_DAYS + 1).map((day, index) => ({
    weekday: weekdayOf(day),
    share: index === 0 ? restOfToday : 1,
    isThisMonth: monthOfDay(day) === monthOfDay(today),
    isFirstOfMonth: index > 0 && day.endsWith('-01'),
  }));
}

/** One way in which it may go on. Days from today on; `Infinity` where it does not come to it. */
interface Way {
  readonly monthCredits: number;
  readonly budgetUsedUpIn: number;
  readonly grantUsedUpIn: number;
}

interface Start {
  readonly spentMonth: number;
  /** What each of the days would take, if nothing held it. */
  readonly wishes: readonly { readonly day: Day; readonly credits: number }[];
  readonly plannedCredits: number;
  readonly limits: Limits;
  readonly balanceCredits: number;
}

/** What is planned takes what the budgets leave it. */
function wayFrom({ spentMonth, wishes, plannedCredits, limits, balanceCredits }: Start): Way {
  let [monthCredits, plannedLeft, monthLeft, balance] = [
    spentMonth,
    plannedCredits,
    limits.monthLeft,
    balanceCredits,
  ];
  let [budgetUsedUpIn, grantUsedUpIn] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [index, { day, credits: wish }] of wishes.entries()) {
    if (day.isFirstOfMonth) monthLeft = limits.month;
    const room = Math.max(0, Math.min(monthLeft, index === 0 ? limits.dayLeft : limits.day));
    const credits = Math.min(room, wish + plannedLeft);
    plannedLeft -= Math.max(0, credits - wish);
    monthLeft -= credits;
    balance -= credits;
    if (day.isThisMonth) monthCredits += credits;
    if (day.isThisMonth && monthLeft <= 0) budgetUsedUpIn = Math.min(budgetUsedUpIn, index);
    if (balance <= 0) grantUsedUpIn = Math.min(grantUsedUpIn, index);
  }
  return { monthCredits, budgetUsedUpIn, grantUsedUpIn };
}

/** A belief in a growth of today's says little of the months to come. */
const GROWTH_DAYS = 31;
/** Credits come some at a time: what a question costs, as a rule. */
const LUMP_CREDITS = 2;
/** Of how much days differ, the few that were seen say little. */
const MOST_VARIANCE = 6;

/** Draws what is not known of the pace once, and then the days. */
function wishesOf(pace: Pace | undefined, days: readonly Day[], random: Random): Start['wishes'] {
  if (!pace) return days.map((day) => ({ day, credits: 0 }));
  const { growth } = pace;
  const shape = (pace.days + BELIEF_DAYS) / 4;
  const variance = pace.variance * Math.min(MOST_VARIANCE, shape / gammaDraw(random, shape));
  const level = around(pace.level, variance * pace.levelVariance, random);
  const growing = growth.mean + normalDraw(random) * growth.deviation;
  const factors = pace.weekdays.map(({ factor, seen }) =>
    around(factor, 1 / (1 / WEEKDAYS_DIFFER ** 2 + seen / variance), random),
  );
  return days.map((day, index) => {
    const grown = Math.exp(growing * Math.min(GROWTH_DAYS, pace.ageDays + index));
    const mean = level * (factors[day.weekday] ?? 1) * grown * day.share;
    if (mean <= 0) return { day, credits: 0 };
    return { day, credits: Math.round(around(mean, variance / day.share + LUMP_CREDITS / mean, random)) };
  });
}

/** A Gamma draw. @param variance relative to the mean's square. */
function around(mean: number, variance: number, random: Random): number {
  const spread = Math.max(1e-4, variance);
  return mean * spread * gammaDraw(random, 1 / spread);
}

/** Credits that may be spent of the budgets for everything: today, on a later day, this month, in a later one. */
interface Limits {
  readonly dayLeft: number;
  readonly day: number;
  readonly monthLeft: number;
  readonly month: number;
}

function limitsOf(budgets: readonly BudgetState[]): Limits {
  const day = budgets.find(({ budget }) => budget === 'total/day');
  const month = budgets.find(({ budget }) => budget === 'total/month');
  // Without a budget for everything nothing may be spent.
  const unlimited = day || month ? Number.POSITIVE_INFINITY : 0;
  return {
    dayLeft: day?.leftCredits ?? unlimited,
    day: day?.limitCredits ?? unlimited,
    monthLeft: month?.leftCredits ?? unlimited,
    month: month?.limitCredits ?? unlimited,
  };
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
