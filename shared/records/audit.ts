import { recordKey } from '#shared/crm';
import { type Clock, DAY_MS } from '#shared/kernel';
import type { VersionedItems } from '#shared/versioned-items';
import type { RecordItems } from './change-record.ts';
import { lostRuns, RECORD_PLACES, runCounts } from './record-state.ts';
import type { RunAuditRound, RunSum } from './rounds/schemas.ts';
import { goRound, type RoundPart } from './rounds.ts';
import type { RecordState } from './schemas.ts';
import { recordKind, runAuditKind } from './stored-kinds.ts';

const MAX_GUILTY = 20;

const NOTHING: RunSum = {
  ...{ records: 0, opened: 0, ended: 0, waiting: 0, running: 0, lost: 0 },
  outcomes: { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 },
  guilty: [],
};

/**
 * Reads every record once and adds up its runs. A record that changes its place meanwhile may be missed or read twice.
 * Still each record's own sum holds at every moment, and so do the totals of the records that were read.
 */
export async function auditRuns(records: Pick<RecordItems, 'page'>): Promise<RunSum> {
  let sum = NOTHING;
  for (const partition of RECORD_PLACES) {
    let after: string | undefined;
    do {
      const page = await records.page({ partition: recordKind.partition(partition), after });
      for (const state of page.values) sum = addRuns(sum, state);
      after = page.next;
    } while (after !== undefined);
  }
  return sum;
}

/** The same in parts, a new round once a day. */
export function auditNext(services: {
  readonly records: Pick<RecordItems, 'page'>;
  readonly items: VersionedItems<RunAuditRound>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}): Promise<RoundPart<RunSum> | undefined> {
  return goRound(services, {
    key: runAuditKind.key(),
    kind: 'place of the audit of runs',
    places: RECORD_PLACES,
    everyMs: DAY_MS,
    empty: NOTHING,
    add: addRuns,
    keep: (round): RunAuditRound => round,
  });
}

function addRuns(sum: RunSum, state: RecordState): RunSum {
  const counts = runCounts(state);
  const lost = Math.abs(lostRuns(counts));
  const isGuilty = lost !== 0 && sum.guilty.length < MAX_GUILTY;
  const { enriched, unchanged, unmatched, skipped, failed } = state.outcomes;
  return {
    records: sum.records + 1,
    opened: sum.opened + counts.opened,
    ended: sum.ended + counts.ended,
    waiting: sum.waiting + counts.waiting,
    running: sum.running + counts.running,
    lost: sum.lost + lost,
    outcomes: {
      enriched: sum.outcomes.enriched + enriched,
      unchanged: sum.outcomes.unchanged + unchanged,
      unmatched: sum.outcomes.unmatched + unmatched,
      skipped: sum.outcomes.skipped + skipped,
      failed: sum.outcomes.failed + failed,
    },
    guilty: isGuilty ? [...sum.guilty, recordKey(state)] : sum.guilty,
  };
}
