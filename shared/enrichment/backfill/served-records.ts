import type { Random } from '#shared/kernel';
import { mayAlsoAnswer } from '../identifying-questions.ts';
import type { Stratum } from './schemas.ts';

/**
 * Two records may belong to the same person or company although their questions differ: an address and a profile, or
 * two domains. The second record then reuses the answer of the first at no cost. The number of such records is only
 * known from the answers.
 */

/** Returns the most remaining records of a stratum that may reuse the answers to other questions. */
export function mostServedIn(stratum: Stratum, strata: readonly Stratum[]): number {
  const servers = strata.filter((other) => mayServe(other, stratum));
  const { questions, records, hits, misses, others } = stratum;
  if (servers.length === 0) return 0;
  const toCome = records - hits - misses - others;
  // A company may have many domains, so each of its records may reuse an answer.
  if (questions[0]?.operation === 'companyProfile') return toCome;
  // An answer about a person has one address and one profile, so one more record can reuse it.
  const bySelf = servers.includes(stratum) ? Math.floor(records / 2) : 0;
  const byOthers = servers
    .filter((other) => other !== stratum)
    .reduce((sum, other) => sum + other.records * other.questions.length, 0);
  return Math.min(toCome, bySelf + byOthers);
}

function mayServe(other: Stratum, stratum: Stratum): boolean {
  const [asked] = stratum.questions;
  if (!asked) return false;
  // No address is bought for a person who has one in another record.
  const first = { ...asked, options: asked.options.filter((option) => option !== 'email') };
  return other.questions.some((question, at) => {
    if (mayAlsoAnswer(question, first)) return true;
    if (other.name === stratum.name || question.operation !== first.operation) return false;
    // Records with an identical first question were counted before.
    return at > 0 || JSON.stringify(question.options) !== JSON.stringify(asked.options);
  });
}

/**
 * Possible shares of the matches that reuse another answer. They are equally likely at first, and most of them are
 * small.
 */
const SHARES = Array.from({ length: 40 }, (_, index) => 0.4 * ((index + 0.5) / 40) ** 3);

/** Estimates the matches that follow another match of the same identity, if every identity had two records. */
export function laterServed({ hits }: Pick<Stratum, 'hits'>, found: number): number {
  const all = hits + found;
  // A pair is complete among the first n of N with a chance of (n/N)^2.
  return all === 0 ? 0 : all * (1 - (hits / all) ** 2);
}

/** Returns a function that draws a share, weighted by the results so far. */
export function drawerOfServedShare(
  seen: readonly { readonly stratum: Stratum; readonly rest: number }[],
): (random: Random) => number {
  const logs = SHARES.map((share) => seen.reduce((sum, one) => sum + logLikelihood(one, share), 0));
  const highest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - highest));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return (random) => {
    let wanted = random() * all;
    const index = weights.findIndex((weight) => {
      wanted -= weight;
      return wanted < 0;
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
