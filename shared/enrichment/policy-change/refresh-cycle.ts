import { type Admission, admissionOf, type Policy } from '#shared/field-policy';
import { priceOfMiss, priceOfQuestion } from '#shared/questions';
import { planQuestions } from '../ask/plan.ts';
import { worstCaseOf } from '../ask/worst-case.ts';
import type { KnownProperties } from '../read-records.ts';
import type { ReadRecord } from './read-group.ts';

/**
 * The price of refreshing every record one time. Budgets are left out, because they only spread a cycle over more days.
 */
export interface RefreshCycle {
  /** Records that a refresh would look up. */
  readonly records: number;
  /** Credits if each record costs its maximum. */
  readonly worstCredits: number;
  /** Credits at the recent match rate, rounded up. Absent if there are no recent lookups. */
  readonly likelyCredits?: number;
}

/** Credits of one lookup: at most (`worst`), with a match, and without a match. */
interface Price {
  readonly worst: number;
  readonly match: number;
  readonly miss: number;
}

/**
 * Adds up the prices record by record.
 * @param matchRate match rate of recent lookups, 0 to 1.
 */
export function createRefreshCycle(policy: Policy, matchRate: number | undefined) {
  let sums = { records: 0, worst: 0, match: 0, miss: 0 };
  return {
    add: (read: ReadRecord, isKnown: KnownProperties) => {
      const price = priceOf(policy, read, isKnown);
      if (!price) return;
      sums = {
        records: sums.records + 1,
        worst: sums.worst + price.worst,
        match: sums.match + price.match,
        miss: sums.miss + price.miss,
      };
    },
    result: (): RefreshCycle => {
      const { records, worst, match, miss } = sums;
      if (matchRate === undefined) return { records, worstCredits: worst };
      const likelyCredits = Math.ceil(match * matchRate + miss * (1 - matchRate));
      return { records, worstCredits: worst, likelyCredits };
    },
  };
}

/** Returns the price of a refresh; `undefined` if a refresh does not look the record up. */
function priceOf(
  given: Policy,
  { held, ownership }: ReadRecord,
  isKnown: KnownProperties,
): Price | undefined {
  const { record, state } = held;
  if (state.staleAtMs === undefined || state.beforeDeletion !== undefined) return undefined;
  const admission = admissionOf(given, record, { nowMs: held.readAtMs, isKnown });
  return admission.enrich && admission.refresh ? lookUpPrice(admission, { held, ownership }) : undefined;
}

/** Returns the price by the worker's own plan; `undefined` if the plan has no question. */
export function lookUpPrice(
  { policy, maxCredits }: Pick<Admission, 'policy' | 'maxCredits'>,
  { held: { record }, ownership }: ReadRecord,
): Price | undefined {
  const plan = planQuestions({ record, policy, maxCredits, ...ownership });
  if (plan.kind === 'skip') return undefined;
  const misses = plan.questions.map((question) => priceOfMiss(question, policy.noMatchCost));
  const miss = misses.reduce((sum, credits) => sum + credits, 0);
  const [first] = plan.questions;
  const match = priceOfQuestion(first);
  const [worst, limit] = [worstCaseOf(plan.questions), maxCredits];
  return { worst: Math.min(worst, limit), match: Math.min(match, limit), miss: Math.min(miss, limit) };
}
