import type { Random } from '#shared/kernel';
import { mayAlsoAnswer } from '../identifying-questions.ts';
import type { Stratum } from './schemas.ts';

/**
 * Two records can belong to the same person or company although their questions differ. For example, one has an address
 * and the other a profile. The second record then reuses the answer of the first at no cost. Only the answers show how
 * many such records exist.
 */

/** Returns the maximum number of remaining records in a stratum that can reuse the answers to other questions. */
export function mostServedIn(stratum: Stratum, strata: readonly Stratum[]): number {
  const servers = strata.filter((other) => mayServe(other, stratum));
  const { questions, records, hits, misses, others } = stratum;
  if (servers.length === 0) return 0;
  const remaining = records - hits - misses - others;
  // A company can have many domains, so each of its records can reuse an answer.
  if (questions[0]?.operation === 'companyProfile') return remaining;
  // An answer about a person has one address and one profile, so one more record can reuse it.
  const bySelf = servers.includes(stratum) ? Math.floor(records / 2) : 0;
  const byOthers = servers
    .filter((other) => other !== stratum)
    .reduce((sum, other) => sum + other.records * other.questions.length, 0);
  return Math.min(remaining, bySelf + byOthers);
}

function mayServe(other: Stratum, stratum: Stratum): boolean {
  const [ownFirst] = stratum.questions;
  if (!ownFirst) return false;
  // If a person has an address in another record, no address is bought.
  const first = { ...ownFirst, options: ownFirst.options.filter((option) => option !== 'email') };
  return other.questions.some((question, index) => {
    if (mayAlsoAnswer(question, first)) return true;
    if (other.name === stratum.name || question.operation !== first.operation) return false;
    // Records with an identical first question are already counted as followers.
    return index > 0 || JSON.stringify(question.options) !== JSON.stringify(ownFirst.options);
  });
}

/**
 * Possible shares of the matches that reuse another answer. At first all of them are equally likely. Most of them are
 * small.
 */
const SHARES = Array.from({ length: 40 }, (_, index) => 0.4 * ((index + 0.5) / 40) ** 3);

/**
 * Estimates how many of the new matches are the second match of their person or company. Assumes that every person or
 * company has two records.
 */
export function laterServed({ hits }: Pick<Stratum, 'hits'>, found: number): number {
  const allMatches = hits + found;
  // Both records of a pair are among the first n of N with a chance of (n/N)^2.
  return allMatches === 0 ? 0 : allMatches * (1 - (hits / allMatches) ** 2);
}

/** Returns a function that draws a share, weighted by the results so far. */
export function drawerOfServedShare(
  seen: readonly { readonly stratum: Stratum; readonly rest: number }[],
): (random: Random) => number {
  const logs = SHARES.map((share) => seen.reduce((sum, sample) => sum + logLikelihood(sample, share), 0));
  const highest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - highest));
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  return (random) => {
    let remaining = random() * totalWeight;
    const index = weights.findIndex((weight) => {
      remaining -= weight;
      return remaining < 0;
    });
    return SHARES[index] ?? 0;
  };
}

/** Returns the Poisson log-likelihood, without the terms that are equal for all shares. */
function logLikelihood(
  { stratum: { hits, misses, servedHits }, rest }: { readonly stratum: Stratum; readonly rest: number },
  share: number,
): number {
  if (hits === 0) return 0;
  const found = (rest * hits) / (hits + misses);
  const expected = (share * hits ** 2) / (hits + found);
  return servedHits * Math.log(expected) - expected;
}
