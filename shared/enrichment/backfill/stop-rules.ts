import { type Belief, logBetaBinomial } from './estimate.ts';

/** Chance of a false stop, for each rule. */
const ALPHA = 0.01;
/** A flat prior: the test may stop at any time, so the prior must not favour any rate. */
const PRIOR: Belief = { alpha: 1, beta: 1 };

export interface Sample {
  /** Number of all records, and of those that were looked up, in random order. */
  readonly of: number;
  readonly asked: number;
  readonly hits: number;
}

export interface Band {
  /** Shares of the records, 0 to 1. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Whether the match rate of all records can no longer be in the band, however often this is checked. A confidence
 * sequence for sampling without replacement, by the ratio of prior to posterior (Waudby-Smith and Ramdas, 2020).
 * @param rules number of such checks at once: they share the chance of a false stop.
 */
export function leavesBand({ of, asked, hits }: Sample, band: Band, rules = 1): boolean {
  if (asked === 0) return false;
  const before = logBetaBinomial(of, PRIOR);
  const left = of - asked;
  const after = logBetaBinomial(left, { alpha: PRIOR.alpha + hits, beta: PRIOR.beta + asked - hits });
  const threshold = Math.log(rules / ALPHA);
  for (let total = Math.ceil(band.lowest * of); total <= Math.floor(band.highest * of); total += 1) {
    const toCome = total - hits;
    const isPossible = toCome >= 0 && toCome <= left;
    if (isPossible && (before[total] ?? 0) - (after[toCome] ?? 0) < threshold) return false;
  }
  return true;
}

/** Share of damaging answers in a healthy portal, and in an unhealthy one. */
const USUAL_DAMAGE = 0.01;
const TOO_MUCH_DAMAGE = 0.05;

/** Whether too many answers did damage: Wald's sequential test. */
export function doesDamage({ ended, damaged }: { ended: number; damaged: number }): boolean {
  const each = Math.log(TOO_MUCH_DAMAGE / USUAL_DAMAGE);
  const none = Math.log((1 - TOO_MUCH_DAMAGE) / (1 - USUAL_DAMAGE));
  return damaged * each + (ended - damaged) * none >= Math.log(1 / ALPHA);
}
