import { type Random, seededRandom } from '#shared/kernel/random.ts';
import type { Range, Stratum } from './schemas.ts';

/** A belief about a match rate: Beta(alpha, beta). */
export interface Belief {
  readonly alpha: number;
  readonly beta: number;
}

/** Jeffreys' prior, with what is known added. */
function beliefOf({ prior, hits, misses }: Pick<Stratum, 'prior' | 'hits' | 'misses'>): Belief {
  return { alpha: 0.5 + prior.hits + hits, beta: 0.5 + prior.misses + misses };
}

/** More than this would outweigh a canary: with 50, ten points off, a 90% range holds 63% of the time. */
const MAX_PSEUDO_RECORDS = 6;

/** What earlier backfills found in the same way, as a few records' worth. */
export function discounted(hits: number, misses: number): { hits: number; misses: number } {
  const factor = Math.min(1, MAX_PSEUDO_RECORDS / Math.max(1, hits + misses));
  return { hits: hits * factor, misses: misses * factor };
}

/**
 * Log-probabilities of 0 to `of` matches among `of` records, BetaBinomial(of, alpha, beta): the exact prediction for
 * records that are drawn without replacement.
 */
export function logBetaBinomial(of: number, { alpha, beta }: Belief): Float64Array {
  const logs = new Float64Array(of + 1);
  let highest = 0;
  for (let k = 0; k < of; k += 1) {
    const up = Math.log(of - k) + Math.log(alpha + k);
    const down = Math.log(k + 1) + Math.log(beta + of - k - 1);
    logs[k + 1] = (logs[k] ?? 0) + up - down;
    highest = Math.max(highest, logs[k + 1] ?? 0);
  }
  let sum = 0;
  for (const log of logs) sum += Math.exp(log - highest);
  const norm = highest + Math.log(sum);
  return logs.map((log) => log - norm);
}

/** A drawer of match counts. */
function drawer(of: number, belief: Belief): (random: Random) => number {
  const cumulated = logBetaBinomial(of, belief);
  let sum = 0;
  for (let k = 0; k <= of; k += 1) {
    sum += Math.exp(cumulated[k] ?? 0);
    cumulated[k] = sum;
  }
  return (random) => {
    const wanted = random() * sum;
    let [low, high] = [0, of];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const DRAWS = 4_000;
const SEED = 1;
/** Where the likely range begins; it ends as far from the other end. */
const TAIL = 0.05;

/** What a backfill will have cost when it ends. The same strata give the same range. */
export function estimate(strata: readonly Stratum[]): Range {
  const spent = strata.reduce((sum, stratum) => sum + spentIn(stratum), 0);
  const parts = strata.map((stratum) => {
    const { hitCredits, missCredits, hits, misses, hitSpent, missSpent } = stratum;
    const rest = restOf(stratum);
    // What they did cost, where that is known: an answer may be stored, and a second question asked.
    const hit = hits > 0 ? hitSpent / hits : hitCredits;
    const miss = misses > 0 ? missSpent / misses : missCredits;
    return { rest, hit, miss, draw: drawer(rest, beliefOf(stratum)) };
  });
  const random = seededRandom(SEED);
  const totals = Array.from({ length: DRAWS }, () =>
    parts.reduce((sum, { rest, hit, miss, draw }) => {
      const found = draw(random);
      return sum + found * hit + (rest - found) * miss;
    }, spent),
  ).sort((a, b) => a - b);
  const at = (share: number) => totals[Math.round(share * (DRAWS - 1))] ?? spent;
  const cheapest = parts.reduce((sum, { rest, hit, miss }) => sum + rest * Math.min(hit, miss), spent);
  const worst = worstOf(strata);
  return {
    minimum: Math.floor(cheapest),
    low: Math.min(worst, Math.floor(at(TAIL))),
    high: Math.min(worst, Math.ceil(at(1 - TAIL))),
    worst,
  };
}

/** It never costs more: each record at its dearest. */
export function worstOf(strata: readonly Stratum[]): number {
  return strata.reduce((sum, { records, maxCredits }) => sum + records * maxCredits, 0);
}

export function spentIn({ hitSpent, missSpent, otherSpent }: Stratum): number {
  return hitSpent + missSpent + otherSpent;
}

/** Records of a stratum that will be asked about still, if as many fall out as have so far. */
function restOf({ records, hits, misses, others }: Stratum): number {
  const ended = hits + misses + others;
  const share = ended === 0 ? 1 : (hits + misses) / ended;
  return Math.round((records - ended) * share);
}
