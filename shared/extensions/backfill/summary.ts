import { type BudgetPace, daysToPay } from '#shared/credit-ledger';
import { counted, percent } from '#shared/kernel';
import { type BreakerState, personsStopSentence } from '#shared/questions';
import type { BackfillSummary } from '#shared/spend';
import type { Backfill } from './schemas.ts';
import { FAILED_REASON, LIVING, matchRateOf, proposedLimits, spentOf } from './transitions.ts';

type Stopped = BreakerState['stopped'];

/** @param stopped the present stop of spending by a person; absent if there is none, or if `holding` is not shown. */
export function summaryOf(backfill: Backfill, stopped?: Stopped): BackfillSummary {
  const { id, scope, state, createdAtMs, seen, strata, withoutResult } = backfill;
  const { quote, trial, pause, filled } = backfill;
  const expected = trial?.expected ?? quote?.expected;
  const limits = state === 'approval' ? { ...proposedLimits(backfill), ...backfill.agreed } : backfill.agreed;
  const matchRate = matchRateOf(strata);
  const holding = holdingNow(backfill, stopped);
  const sum = (countOf: (stratum: Backfill['strata'][number]) => number) =>
    strata.reduce((total, stratum) => total + countOf(stratum), 0);
  const [hits, misses, others] = [
    sum((stratum) => stratum.hits),
    sum((stratum) => stratum.misses),
    sum((stratum) => stratum.others),
  ];
  return {
    id,
    objectType: scope.objectType,
    scope: scope.words,
    state,
    createdAtMs,
    seen,
    records: sum(({ records }) => records),
    ended: hits + misses + others,
    hits,
    misses,
    others,
    filled,
    notLookedUp: Object.entries(withoutResult ?? {}).reduce(
      (total, [reason, count]) => total + (reason === FAILED_REASON ? 0 : count),
      0,
    ),
    ...(withoutResult && { withoutResult }),
    ...(matchRate !== undefined && { matchRate }),
    spent: spentOf(backfill),
    ...(quote && { quote }),
    ...(trial && { trial }),
    ...(expected !== undefined && { expected }),
    ...(limits && { limits }),
    ...(pause && { pause }),
    ...(holding && { holding }),
  };
}

/**
 * The only estimate of a backfill's duration: whole days until the budgets have covered the expected cost of what is
 * left; `undefined` if they cover nothing.
 */
export function daysLeft(
  { expected, quote, spent }: Pick<BackfillSummary, 'expected' | 'quote' | 'spent'>,
  pace: BudgetPace,
): number | undefined {
  return daysToPay(Math.max(0, (expected ?? quote?.atMost ?? 0) - spent), pace);
}

/** While a person has stopped spending, a started backfill waits for this person, whatever the last sweep has stored. */
function holdingNow({ state, startedAtMs = 0, holding }: Backfill, stopped: Stopped): Backfill['holding'] {
  return stopped && LIVING.has(state)
    ? {
        code: 'stopped-by-person',
        reason: personsStopSentence(stopped),
        sinceMs: Math.max(stopped.sinceMs, startedAtMs),
      }
    : holding;
}

/** `The trial: 62% found, 1% damaged (contradicted, or refused by HubSpot). Expected total cost: 3,020 credits.` */
export function trialWords({ matchRate, damage, expected }: NonNullable<Backfill['trial']>): string {
  const found = matchRate === undefined ? 'no lookup' : `${percent(matchRate)} found`;
  const cost = expected === undefined ? '' : ` Expected total cost: ${counted(expected, 'credit')}.`;
  return `The trial: ${found}, ${percent(damage)} damaged (contradicted, or refused by HubSpot).${cost}`;
}
