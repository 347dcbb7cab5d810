import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { monthOfDay, nextDayStart } from '#shared/credit-ledger/calendar.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { gammaDraw, normalDraw, type Random, seededRandom } from '#shared/kernel/random.ts';
import { dayAfter, daysUpTo, weekdayOf } from './days.ts';
import { BELIEF_DAYS, type Pace, WEEKDAYS_DIFFER } from './pace.ts';

/** Months end well before it, and a grant that lasts for longer is no matter of now. */
const HORIZON_DAYS = 92;
const DRAWS = 500;
const SEED = 1;

/** From where it goes on, and within which limits. */
export interface Prospects {
  readonly pace: Pace | undefined;
  /** `2026-11-21` */
  readonly today: string;
  readonly spentMonth: number;
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

/** What the days to come may bring, many times over: the same prospects give the same ways. */
export function drawWays(prospects: Prospects): Way[] {
  const { pace, today, spentMonth, nowMs, timeZone, balanceCredits } = prospects;
  const { planned = { lowCredits: 0, highCredits: 0 } } = prospects;
  const random = seededRandom(SEED);
  const limits = limitsOf(prospects.budgets);
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
export interface Way {
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
