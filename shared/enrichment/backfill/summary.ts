import type { Backfill, Range } from './schemas.ts';
import { spentOf } from './transitions.ts';

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
  readonly matchRate?: number;
  readonly spent: number;
  readonly quote?: Range;
  readonly afterCanary?: Range;
  readonly score?: NonNullable<Backfill['score']>;
  readonly pause?: NonNullable<Backfill['pause']>;
  readonly holding?: NonNullable<Backfill['holding']>;
}

export function summaryOf(backfill: Backfill): BackfillSummary {
  const { id, scope, state, createdAtMs, seen, strata, quote, afterCanary, score, pause, holding } = backfill;
  const sum = (countOf: (stratum: Backfill['strata'][number]) => number) =>
    strata.reduce((total, stratum) => total + countOf(stratum), 0);
  const [hits, misses] = [sum(({ hits }) => hits), sum(({ misses }) => misses)];
  return {
    ...{ id, objectType: scope.objectType, scope: scope.words, state, createdAtMs, seen },
    records: sum(({ records }) => records),
    ended: hits + misses + sum(({ others }) => others),
    ...(hits + misses > 0 && { matchRate: hits / (hits + misses) }),
    spent: spentOf(backfill),
    ...(quote && { quote }),
    ...(afterCanary && { afterCanary }),
    ...(score && { score }),
    ...(pause && { pause }),
    ...(holding && { holding }),
  };
}
