import { type Belief, logBetaBinomial } from './estimate.ts';

/** Chance of a false stop, for each rule. */
const ALPHA = 0.01;
/** A flat prior. The test can stop at any time, so the prior must not favour any rate. */
const PRIOR: Belief = { alpha: 1, beta: 1 };

export interface Sample {
  /** Number of all records, and number of looked-up records. The looked-up records are a random sample. */
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
 * Whether the match rate of all records can no longer be in the band. The result stays valid however often it is
 * checked. Uses a confidence sequence for sampling without replacement, by the ratio of prior to posterior
 * (Waudby-Smith and Ramdas, 2020).
 * @param rules number of such checks at the same time. They share the chance of a false stop.
 */
export function leavesBand({ of, asked, hits }: Sample, band: Band, rules = 1): boolean {
  if (asked === 0) return false;
  const logPrior = logBetaBinomial(of, PRIOR);
  const remaining = of - asked;
  const logPosterior = logBetaBinomial(remaining, {
    alpha: PRIOR.alpha + hits,
    beta: PRIOR.beta + asked - hits,
  });
  const threshold = Math.log(rules / ALPHA);
  for (let total = Math.ceil(band.lowest * of); total <= Math.floor(band.highest * of); total += 1) {
    const hitsToCome = total - hits;
    const isPossible = hitsToCome >= 0 && hitsToCome <= remaining;
    if (isPossible && (logPrior[total] ?? 0) - (logPosterior[hitsToCome] ?? 0) < threshold) return false;
  }
  return true;
}

/** Share of damaging answers in a healthy portal (`USUAL_DAMAGE`) and in an unhealthy portal. */
const USUAL_DAMAGE = 0.01;
const TOO_MUCH_DAMAGE = 0.05;

/** Whether too many answers did damage, by Wald's sequential test. */
export function doesDamage({ ended, damaged }: { ended: number; damaged: number }): boolean {
  const logForDamage = Math.log(TOO_MUCH_DAMAGE / USUAL_DAMAGE);
  const logForNoDamage = Math.log((1 - TOO_MUCH_DAMAGE) / (1 - USUAL_DAMAGE));
  return damaged * logForDamage + (ended - damaged) * logForNoDamage >= Math.log(1 / ALPHA);
}
