import type { ObjectType } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { ChangeRate } from './schemas.ts';

/**
 * How often what an answer says changes is not known but believed: the rate has a gamma distribution with shape `a` and
 * rate `b`, in days. Its mean, a / b, is changes a day. `a` counts changes, `b` the days that were watched.
 */

const DAYS_A_YEAR = 365.25;

/**
 * Before a record has been answered twice. People change job or title, and companies their number of employees, about
 * 0.3 times a year; a shape of one says that single records may differ from that widely.
 */
export const PRIORS: Readonly<Record<ObjectType, ChangeRate>> = {
  contacts: { a: 1, b: DAYS_A_YEAR / 0.3 },
  companies: { a: 1, b: DAYS_A_YEAR / 0.3 },
};

/**
 * The estimate after one more answer. A change since the last answer means one change or more in that time. So the
 * expected number of changes is counted: m t / (1 - e^(-m t)) at the mean rate m.
 * @param days since the answer before.
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

/** Probability that nothing has changed since the answer. */
export function stillTrue({ a, b }: ChangeRate, days: number): number {
  return (b / (b + days)) ** a;
}

/** An answer is to be trusted while it is still true with at least this probability. */
const TRUSTED = 0.8;

/** When the trust in an answer ends. @param atMs of the answer, epoch milliseconds. */
export function trustedUntilMs({ a, b }: ChangeRate, atMs: number): number {
  return atMs + b * (TRUSTED ** (-1 / a) - 1) * DAY_MS;
}

/** What being right is worth a day, and what learning of a change is worth once. */
export interface Weight {
  readonly w: number;
  readonly g: number;
}

/**
 * What asking now is worth, in the units of the weight: how much more it brings than asking at the rate of one answer in
 * this time. Found by Olston and Pandey (2008) for a known rate, here as its mean over the belief:
 * (w / rate + g) (1 - (1 + x) e^(-x)), x = rate times days.
 */
export function worthOfAsking({ a, b }: ChangeRate, days: number, { w, g }: Weight): number {
  const r = b / (b + days);
  const share = 1 - r ** a * (1 + (a * days) / (b + days));
  const isOne = Math.abs(a - 1) < 1e-6;
  const right = (isOne ? -b * Math.log(r) : (b / (a - 1)) * (1 - r ** (a - 1))) - days * r ** a;
  return Math.max(0, w * right + g * share);
}
