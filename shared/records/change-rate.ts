import type { ObjectType } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { ChangeRate } from './schemas.ts';

/**
 * Estimates how often an answer changes. The rate has a gamma distribution with shape `a` and rate `b`, in days. Its
 * mean, a / b, is changes a day. `a` counts changes, `b` the days observed.
 */

const DAYS_A_YEAR = 365.25;

/**
 * The estimate before a record has two answers. People change job or title, and companies their number of employees,
 * about 0.3 times a year. A shape of 1 allows single records to differ widely from this rate.
 */
export const PRIORS: Readonly<Record<ObjectType, ChangeRate>> = {
  contacts: { a: 1, b: DAYS_A_YEAR / 0.3 },
  companies: { a: 1, b: DAYS_A_YEAR / 0.3 },
};

/**
 * Updates the estimate with one more answer. A changed answer means one or more changes since the last answer. So the
 * expected number of changes is added: m t / (1 - e^(-m t)) at the mean rate m.
 * @param days time since the previous answer, in days.
 */
export function observe({ a, b }: ChangeRate, { days, changed }: Observation): ChangeRate {
  const expected = (a / b) * days;
  const changes = expected > 0 ? expected / -Math.expm1(-expected) : 1;
  return { a: changed ? a + changes : a, b: b + days };
}

export interface Observation {
  readonly days: number;
  readonly changed: boolean;
}

/** Returns the probability that nothing has changed since the answer. */
export function stillTrue({ a, b }: ChangeRate, days: number): number {
  return (b / (b + days)) ** a;
}

/** Lowest probability of being still true at which an answer is trusted. */
const MIN_TRUST = 0.8;

/**
 * Returns the time when the trust in an answer ends.
 * @param atMs time of the answer, epoch milliseconds.
 */
export function trustedUntilMs({ a, b }: ChangeRate, atMs: number): number {
  return atMs + b * (MIN_TRUST ** (-1 / a) - 1) * DAY_MS;
}

/** `w` is the value of a correct answer for one day. `g` is the value of learning of one change. */
export interface Weight {
  readonly w: number;
  readonly g: number;
}

/**
 * Returns the value of a lookup now, in the units of the weight. It is the gain over the steady rate of one lookup in
 * `days`. For a known rate, Olston and Pandey (2008) give (w / rate + g) (1 - (1 + x) e^(-x)), with x = rate times
 * days. This function returns its mean over the estimated rates.
 */
export function worthOfAsking({ a, b }: ChangeRate, days: number, { w, g }: Weight): number {
  const r = b / (b + days);
  const share = 1 - r ** a * (1 + (a * days) / (b + days));
  const isShapeOne = Math.abs(a - 1) < 1e-6;
  const correctDays = (isShapeOne ? -b * Math.log(r) : (b / (a - 1)) * (1 - r ** (a - 1))) - days * r ** a;
  return Math.max(0, w * correctDays + g * share);
}
