import { type Random, seededRandom } from '#shared/kernel';
import type { Range, Stratum } from './schemas.ts';
import { drawerOfServedShare, laterServed, mostServedIn } from './served-records.ts';

/** Distribution of a match rate: Beta(alpha, beta). */
export interface Belief {
  readonly alpha: number;
  readonly beta: number;
}

/** Adds the known results to Jeffreys' prior. */
function beliefOf({ prior, hits, misses }: Pick<Stratum, 'prior' | 'hits' | 'misses'>): Belief {
  return { alpha: 0.5 + prior.hits + hits, beta: 0.5 + prior.misses + misses };
}

/**
 * Maximum weight of earlier results, in records. A higher weight would outweigh a canary. If 50 earlier records have a
 * match rate that is ten points off, a 90% range is right in only 63% of cases.
 */
const MAX_PSEUDO_RECORDS = 6;

/** Reduces the results of earlier backfills to the weight of a few records. */
export function discounted(hits: number, misses: number): { hits: number; misses: number } {
  const factor = Math.min(1, MAX_PSEUDO_RECORDS / Math.max(1, hits + misses));
  return { hits: hits * factor, misses: misses * factor };
}

/**
 * Returns the log-probabilities of 0 to `records` matches among `records` records: BetaBinomial(records, alpha, beta).
 * This is the exact prediction for records that are drawn without replacement.
 */
export function logBetaBinomial(records: number, { alpha, beta }: Belief): Float64Array {
  const logs = new Float64Array(records + 1);
  let highest = 0;
  for (let k = 0; k < records; k += 1) {
    const up = Math.log(records - k) + Math.log(alpha + k);
    const down = Math.log(k + 1) + Math.log(beta + records - k - 1);
    logs[k + 1] = (logs[k] ?? 0) + up - down;
    highest = Math.max(highest, logs[k + 1] ?? 0);
  }
  let sum = 0;
  for (const log of logs) sum += Math.exp(log - highest);
  const norm = highest + Math.log(sum);
  return logs.map((log) => log - norm);
}

/** Returns a function that draws a random number of matches. */
function drawer(records: number, belief: Belief): (random: Random) => number {
  const cumulated = logBetaBinomial(records, belief);
  let sum = 0;
  for (let k = 0; k <= records; k += 1) {
    sum += Math.exp(cumulated[k] ?? 0);
    cumulated[k] = sum;
  }
  return (random) => {
    const target = random() * sum;
    let [low, high] = [0, records];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const DRAWS = 4_000;
const SEED = 1;
/** Share of the draws that lie below the likely range. The same share lies above it. */
const TAIL = 0.05;

/** Estimates the total cost of a backfill. The same strata give the same range. */
export function estimate(strata: readonly Stratum[]): Range {
  const spent = strata.reduce((sum, stratum) => sum + spentIn(stratum), 0);
  const parts = strata.map((stratum) => {
    const { hitCredits, missCredits, hits, servedHits, misses, hitSpent, missSpent } = stratum;
    const rest = restOf(stratum);
    // Uses the average cost so far, if known, because some records may have needed a second question.
    const hitPrice = hits > servedHits ? hitSpent / (hits - servedHits) : hitCredits;
    const missPrice = misses > 0 ? missSpent / misses : missCredits;
    const mostServed = mostServedIn(stratum, strata);
    return {
      stratum,
      rest,
      hit: hitPrice,
      miss: missPrice,
      mostServed,
      draw: drawer(rest, beliefOf(stratum)),
    };
  });
  const drawShare = drawerOfServedShare(parts.filter(({ mostServed }) => mostServed > 0));
  const random = seededRandom(SEED);
  const totals = Array.from({ length: DRAWS }, () => {
    const share = drawShare(random);
    return parts.reduce((sum, { stratum, rest, hit: hitPrice, miss: missPrice, mostServed, draw }) => {
      const matches = draw(random);
      const served = Math.min(matches, mostServed, share * laterServed(stratum, matches));
      return sum + (matches - served) * hitPrice + (rest - matches) * missPrice;
    }, spent);
  }).sort((a, b) => a - b);
  const quantile = (share: number) => totals[Math.round(share * (DRAWS - 1))] ?? spent;
  const minimum = leastOf(strata);
  const worst = worstOf(strata);
  const bounded = (credits: number) => Math.max(minimum, Math.min(worst, credits));
  return {
    minimum,
    low: bounded(Math.floor(quantile(TAIL))),
    high: bounded(Math.ceil(quantile(1 - TAIL))),
    worst,
  };
}

/** Returns the upper bound of the cost: spent credits, and the highest price of each remaining record. */
export function worstOf(strata: readonly Stratum[]): number {
  return strata.reduce((sum, stratum) => {
    return sum + spentIn(stratum) + (stratum.records - endedIn(stratum)) * stratum.maxCredits;
  }, 0);
}

/**
 * Returns the lower bound of the cost, as long as records do not change. Assumes the lowest price of each remaining
 * record, and as many reused answers as possible. The first lookup always costs credits.
 */
function leastOf(strata: readonly Stratum[]): number {
  const least = strata.reduce((sum, stratum) => {
    // If some records have changed, all others may also change.
    const remaining = stratum.others > 0 ? 0 : stratum.records - endedIn(stratum);
    const paid = remaining - Math.min(remaining, mostServedIn(stratum, strata));
    return sum + spentIn(stratum) + paid * stratum.minCredits;
  }, 0);
  const isBegun = strata.some((stratum) => endedIn(stratum) > 0);
  const asked = strata.filter(({ questions, follows }) => questions.length > 0 && !follows);
  const first = isBegun || asked.length === 0 ? 0 : Math.min(...asked.map(({ minCredits }) => minCredits));
  return Math.max(least, first);
}

export function spentIn({ hitSpent, missSpent, otherSpent }: Stratum): number {
  return hitSpent + missSpent + otherSpent;
}

export function endedIn({ hits, misses, others }: Stratum): number {
  return hits + misses + others;
}

/** Estimates how many records of a stratum will still be looked up, if the share of dropouts stays the same. */
function restOf(stratum: Stratum): number {
  const { records, hits, misses } = stratum;
  const ended = endedIn(stratum);
  const share = ended === 0 ? 1 : (hits + misses) / ended;
  return Math.round((records - ended) * share);
}
