import type { BudgetState } from '#shared/credit-ledger/budgets.ts';
import { HOUR_MS } from '#shared/kernel/clock.ts';
import { gammaDraw, normalDraw, type Random, seededRandom } from '#shared/kernel/random.ts';
import { dayAfter, weekdayOf } from '#shared/spend/days.ts';
import { forecastOf } from '#shared/spend/forecast.ts';
import { percent, percentile, table } from './table.ts';

/** Of each kind, before each moment. */
const MONTHS = 100;
const FIRST = '2026-11-01';
const DAYS = 30;
const PRICE_CREDITS = 2.2;

/** Credits of a day, counted from the first spend on. */
type Course = (index: number, weekday: number) => number;

/** Each draws its own level and how much its days differ. */
const KINDS: readonly { readonly name: string; readonly course: (random: Random) => Course }[] = [
  {
    name: 'steady',
    course: (random) => {
      const [level, weekend, differ] = [5 + random() * 200, 0.2 + random() * 0.6, 0.1 + random() * 0.3];
      return (_, weekday) => dayOf(random, level * (isWeekend(weekday) ? weekend : 1), differ);
    },
  },
  {
    name: 'nothing at weekends',
    course: (random) => {
      const [level, differ] = [5 + random() * 300, 0.1 + random() * 0.4];
      return (_, weekday) => (isWeekend(weekday) ? 0 : dayOf(random, level, differ));
    },
  },
  {
    name: 'with imports of 3 to 15 days',
    course: (random) => {
      const [level, often, size] = [10 + random() * 60, 0.05 + random() * 0.15, 3 + random() * 12];
      return (_, weekday) => {
        const isImport = !isWeekend(weekday) && random() < often;
        const imported = isImport ? Math.round(level * size * (0.3 + random() * 1.4)) : 0;
        return dayOf(random, level * (isWeekend(weekday) ? 0.4 : 1), 0.3) + imported;
      };
    },
  },
  { name: 'growing, up to twofold a month', course: (random) => changing(random, 1 + random() * 0.025) },
  { name: 'shrinking, down to half a month', course: (random) => changing(random, 1 - random() * 0.02) },
];

function changing(random: Random, aDay: number): Course {
  const [level, differ] = [aDay < 1 ? 100 + random() * 260 : 10 + random() * 60, 0.1 + random() * 0.3];
  return (index, weekday) => dayOf(random, level * aDay ** index * (isWeekend(weekday) ? 0.4 : 1), differ);
}

function isWeekend(weekday: number): boolean {
  return weekday === 0 || weekday === 6;
}

/** Questions of the price, their number around a mean that itself differs from day to day. */
function dayOf(random: Random, mean: number, differ: number): number {
  const questions = (mean * gammaDraw(random, 1 / differ ** 2) * differ ** 2) / PRICE_CREDITS;
  return Math.round(
    PRICE_CREDITS * Math.max(0, Math.round(questions + Math.sqrt(questions) * normalDraw(random))),
  );
}

/** When is it looked at, and since when is spent: days from the first of the month on, at noon. */
const MOMENTS = [
  ...[3, 10, 17, 24].map((at) => ({ began: -35, at })),
  ...[3, 9].map((at) => ({ began: 0, at })),
  { began: 11, at: 17 },
];

interface Looked {
  readonly isHeld: boolean;
  /** Of the range, relative to what the month then cost. */
  readonly width: number;
  readonly off: number;
  /** Of the straight line. */
  readonly lineOff: number;
}

/**
 * How often the 80% range holds what the month then costs, and how far off its middle is; beside it a straight line
 * through what the month has cost so far.
 */
export async function measureForecast(): Promise<string> {
  const kinds = KINDS.map(({ name, course }, index) => ({
    name,
    looks: MOMENTS.map((moment) =>
      Array.from({ length: MONTHS }, (_, month) =>
        look(course, { ...moment, seed: index * 100_000 + month }),
      ),
    ),
  }));
  const later = (looks: Looked[][]) => looks.slice(0, 4).flat();
  const young = (looks: Looked[][]) => looks.slice(4).flat();
  const rows = [
    ...kinds.flatMap(({ name, looks }) => [
      row(name, 'a month or more', later(looks)),
      row(name, '3 to 9 days', young(looks)),
    ]),
    row(
      'all',
      '',
      kinds.flatMap(({ looks }) => looks.flat()),
    ),
  ];
  const header = [
    'kind',
    'spending for',
    'the 80% range held in',
    'its width',
    'its middle is off by',
    'a straight line',
  ];
  const notes = `${MONTHS} months of each kind at seven moments of it; medians, as shares of what the month then cost.`;
  return `${notes}\n\n${table(header, rows)}`;
}

function row(name: string, since: string, looks: readonly Looked[]) {
  const median = (of: (look: Looked) => number) => percent(percentile(looks.map(of), 0.5));
  const held = looks.filter(({ isHeld }) => isHeld).length / looks.length;
  return [
    name,
    since,
    percent(held),
    median(({ width }) => width),
    median(({ off }) => off),
    median(({ lineOff }) => lineOff),
  ];
}

interface Moment {
  readonly began: number;
  readonly at: number;
  readonly seed: number;
}

function look(course: (random: Random) => Course, { began, at, seed }: Moment): Looked {
  const random = seededRandom(seed * 50 + at);
  const creditsOf = course(random);
  const start = Math.floor(random() * 7);
  const days = Array.from({ length: DAYS - began }, (_, index) => {
    const day = dayAfter(FIRST, began + index);
    const credits = creditsOf(index, (weekdayOf(day) + start) % 7);
    return { day, credits, purpose: 'live' as const };
  });
  // Half of the day that it is looked at on is over.
  const today = dayAfter(FIRST, at);
  const spent = days
    .filter(({ day }) => day <= today)
    .map((row) => (row.day === today ? { ...row, credits: Math.round(row.credits / 2) } : row));
  const inMonth = (rows: readonly { day: string; credits: number }[]) =>
    rows.reduce((sum, { day, credits }) => sum + (day >= FIRST ? credits : 0), 0);
  const month = inMonth(days);
  const nowMs = Date.parse(`${today}T00:00:00Z`) + 12 * HOUR_MS;
  const made = forecastOf({ spent, budgets: [ROOMY], nowMs, timeZone: 'UTC' });
  const line = (inMonth(spent) / (at + 0.5)) * DAYS;
  const { forecastLowCredits: low, forecastHighCredits: high } = made;
  return {
    isHeld: low <= month && month <= high,
    width: (high - low) / month,
    off: Math.abs(made.forecastMonthCredits - month) / month,
    lineOff: Math.abs(line - month) / month,
  };
}

const ROOMY: BudgetState = {
  budget: 'total/day',
  limitCredits: 1_000_000,
  usedCredits: 0,
  leftCredits: 1_000_000,
  resetsAtMs: 0,
};
