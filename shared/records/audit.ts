import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import type { RecordItems } from './change-record.ts';
import { continuePass, type PassPart, type PassServices } from './passes.ts';
import { lostRuns, RECORD_PLACES, runCounts } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import type { RunAuditPass, RunSum } from './status/schemas.ts';
import { recordKind } from './stored-kinds.ts';

const MAX_GUILTY = 20;

const NOTHING: RunSum = {
  ...{ records: 0, opened: 0, ended: 0, waiting: 0, running: 0, lost: 0 },
  outcomes: { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 },
  guilty: [],
};

/**
 * Reads every record and adds up its runs. A record that moves within the index during the audit may be missed or read
 * twice. The counts of each record that was read are still consistent.
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

/** Does the same audit in parts. A new pass starts once a day. */
export function auditNext(services: PassServices): Promise<PassPart<RunSum> | undefined> {
  return continuePass<RunSum, RunAuditPass>(services, {
    name: 'runs',
    stored: ({ runs }) => runs,
    places: RECORD_PLACES,
    everyMs: DAY_MS,
    empty: NOTHING,
    add: addRuns,
    keep: (runs) => ({ runs }),
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
