import type { DayCredits } from './days.ts';

/** What the days so far say of those to come. */
export interface Pace {
  /** Credits of an ordinary day, as it was `ageDays` ago. */
  readonly level: number;
  readonly ageDays: number;
  /** What a draw of the level has to be spread by, as a share of a day's own variance. */
  readonly levelVariance: number;
  /** By day of the week, 0 to 6: how much of an ordinary day it is, and how many of it were seen. */
  readonly weekdays: readonly { readonly factor: number; readonly seen: number }[];
  /** Variance of a day around what was expected of it, relative to that. */
  readonly variance: number;
  /** Growth a day: what is known of it, and how well. */
  readonly growth: { readonly mean: number; readonly deviation: number };
  /** Days that it was taken from. */
  readonly days: number;
}

/** A day of two weeks ago counts half. */
const HALF_LIFE_DAYS = 14;
/** What is believed before anything was seen: how much weekdays differ, and days of one weekday among each other. */
export const WEEKDAYS_DIFFER = 0.6;
const DAYS_DIFFER = 0.45;
/** As many days as that belief is worth. */
export const BELIEF_DAYS = 3;
/** Spend seldom grows or shrinks faster than by a half in a month. */
const GROWTH_A_DAY = 0.015;
/** A weekday's factor before anything is known of how much days differ: worth half a day. */
const FIRST_CREDIBILITY = 0.5;
const MAX_CREDIBILITY = 4;

/**
 * The pace of the days before today, by weekday. Nothing where nothing was spent. `bench --only 15` measures what it
 * foretells.
 * @param days whole days, oldest first, from the first spend on.
 */
export function paceOf(days: readonly DayCredits[]): Pace | undefined {
  if (!days.some(({ credits }) => credits > 0)) return undefined;
  const seen = days.map(({ credits, weekday }, index): Seen => {
    const age = days.length - index;
    return { credits, weekday, age, weight: 0.5 ** (age / HALF_LIFE_DAYS) };
  });
  const first = fitTo(seen, FIRST_CREDIBILITY);
  // The more days differ by chance, the less a single one says of its weekday.
  const credibility = Math.min(MAX_CREDIBILITY, varianceOf(seen, first) / WEEKDAYS_DIFFER ** 2);
  const fitted = fitTo(seen, credibility);
  const { level, factors } = fitted;
  // Weekdays were fitted to the very days that they are held against.
  const variance = varianceOf(seen, fitted) * ((seen.length + 3.5) / (seen.length + 0.5));
  const expected = sum(seen, (day) => day.weight * factorOf(factors, day));
  return {
    level,
    ageDays: sum(seen, (day) => day.weight * factorOf(factors, day) * day.age) / expected,
    levelVariance: sum(seen, (day) => (day.weight * factorOf(factors, day)) ** 2) / expected ** 2,
    weekdays: factors.map((factor, weekday) => ({
      factor,
      seen: sum(seen, (day) => (day.weekday === weekday ? day.weight : 0)),
    })),
    variance,
    growth: growthOf(seen, { ...fitted, variance }),
    days: seen.length,
  };
}

interface Seen extends DayCredits {
  /** Days ago. */
  readonly age: number;
  readonly weight: number;
}

interface Fitted {
  readonly level: number;
  readonly factors: readonly number[];
}

function fitTo(seen: readonly Seen[], credibility: number): Fitted {
  const mean = sum(seen, ({ weight, credits }) => weight * credits) / sum(seen, ({ weight }) => weight);
  const factors = Array.from({ length: 7 }, (_, weekday) => {
    const own = seen.filter((day) => day.weekday === weekday);
    const credits = sum(own, (day) => day.weight * day.credits) / mean;
    return (credits + credibility) / (sum(own, ({ weight }) => weight) + credibility);
  });
  const ordinary = sum(seen, (day) => day.weight * factorOf(factors, day));
  return { level: sum(seen, ({ weight, credits }) => weight * credits) / ordinary, factors };
}

function varianceOf(seen: readonly Seen[], { level, factors }: Fitted): number {
  const expected = seen.map((day) => level * factorOf(factors, day));
  const squares = expected.reduce((total, each) => total + each ** 2, 0);
  const off = seen.reduce((total, { credits }, index) => total + (credits - (expected[index] ?? 0)) ** 2, 0);
  const believed = BELIEF_DAYS / seen.length;
  return (off / squares + believed * DAYS_DIFFER ** 2) / (1 + believed);
}

/** The slope of the days around their level, believed as far as chance alone would not make it. */
function growthOf(
  seen: readonly Seen[],
  { level, factors, variance }: Fitted & { readonly variance: number },
): Pace['growth'] {
  const middle =
    sum(seen, (day) => factorOf(factors, day) * day.age) / sum(seen, (day) => factorOf(factors, day));
  const spread = sum(seen, (day) => (factorOf(factors, day) * (middle - day.age)) ** 2);
  if (spread === 0) return { mean: 0, deviation: GROWTH_A_DAY };
  const slope =
    sum(seen, (day) => {
      const factor = factorOf(factors, day);
      return factor * (middle - day.age) * (day.credits / level - factor);
    }) / spread;
  const belief = GROWTH_A_DAY ** 2 / (GROWTH_A_DAY ** 2 + variance / spread);
  return { mean: slope * belief, deviation: GROWTH_A_DAY * Math.sqrt(1 - belief) };
}

function factorOf(factors: readonly number[], { weekday }: Pick<DayCredits, 'weekday'>): number {
  return factors[weekday] ?? 1;
}

function sum(seen: readonly Seen[], of: (day: Seen) => number): number {
  return seen.reduce((total, day) => total + of(day), 0);
}
