import { type BreakerState, personsStopSentence } from '#shared/questions';
import type { Backfill, Range } from './schemas.ts';
import { FAILED_REASON, LIVING, spentOf } from './transitions.ts';

type Stopped = BreakerState['stopped'];

/** State of a backfill, for people and scripts. Costs are in credits, rates are shares from 0 to 1. */
export interface BackfillSummary {
  readonly id: string;
  readonly objectType: string;
  /** The scope, in words. */
  readonly scope: string;
  readonly state: Backfill['state'];
  readonly createdAtMs: number;
  /** Number of records checked for the quote (`seen`), and number of records to look up. */
  readonly seen: number;
  readonly records: number;
  readonly ended: number;
  readonly hits: number;
  readonly misses: number;
  /** Ended records that were not looked up, or whose lookup failed; `withoutResult` counts them by reason. */
  readonly others: number;
  /** The part of `others` that was not looked up for sure. */
  readonly notLookedUp: number;
  readonly withoutResult?: NonNullable<Backfill['withoutResult']>;
  /** Share of matches among the lookups that found a match or none. */
  readonly matchRate?: number;
  readonly spent: number;
  readonly quote?: Range;
  readonly afterCanary?: Range;
  readonly score?: NonNullable<Backfill['score']>;
  /** The cost of a finished backfill: "it cost ...". */
  readonly cost?:
    | 'less than the likely range'
    | 'an amount in the likely range'
    | 'more than the likely range, but not more than the quote'
    | 'more than the quote'
    | undefined;
  readonly pause?: NonNullable<Backfill['pause']>;
  /** Why it stands still now. */
  readonly holding?: NonNullable<Backfill['holding']>;
}

/** @param stopped the present stop of spending by a person; absent if there is none, or if `holding` is not shown. */
export function summaryOf(backfill: Backfill, stopped?: Stopped): BackfillSummary {
  const { id, scope, state, createdAtMs, seen, strata, withoutResult } = backfill;
  const { quote, afterCanary, score, pause } = backfill;
  const holding = holdingNow(backfill, stopped);
  const sum = (countOf: (stratum: Backfill['strata'][number]) => number) =>
    strata.reduce((total, stratum) => total + countOf(stratum), 0);
  const [hits, misses, others] = [
    sum((stratum) => stratum.hits),
    sum((stratum) => stratum.misses),
    sum((stratum) => stratum.others),
  ];
  return {
    ...{ id, objectType: scope.objectType, scope: scope.words, state, createdAtMs, seen },
    records: sum(({ records }) => records),
    ended: hits + misses + others,
    ...{ hits, misses, others },
    notLookedUp: Object.entries(withoutResult ?? {}).reduce(
      (total, [reason, count]) => total + (reason === FAILED_REASON ? 0 : count),
      0,
    ),
    ...(withoutResult && { withoutResult }),
    ...(hits + misses > 0 && { matchRate: hits / (hits + misses) }),
    spent: spentOf(backfill),
    ...(quote && { quote }),
    ...(afterCanary && { afterCanary }),
    ...(score && { score, cost: comparedCost(backfill) }),
    ...(pause && { pause }),
    ...(holding && { holding }),
  };
}

/** While a person has stopped spending, a started backfill waits for this person, whatever the last sweep has stored. */
function holdingNow({ state, startedAtMs = 0, holding }: Backfill, stopped: Stopped): Backfill['holding'] {
  return stopped && LIVING.has(state)
    ? { reason: personsStopSentence(stopped), sinceMs: Math.max(stopped.sinceMs, startedAtMs) }
    : holding;
}

/**
 * Compares a finished backfill's cost with its likely range and its quote. The likely range is that after the trial, or
 * that of the quote if there was no trial.
 */
function comparedCost({ score, quote, afterCanary }: Backfill): BackfillSummary['cost'] {
  if (!score) return undefined;
  if (quote && score.spent > quote.worst) return 'more than the quote';
  if (score.isInside) return 'an amount in the likely range';
  return score.spent < ((afterCanary ?? quote)?.low ?? 0)
    ? 'less than the likely range'
    : 'more than the likely range, but not more than the quote';
}
