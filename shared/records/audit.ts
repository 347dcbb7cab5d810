import { recordKey } from '#shared/crm/crm-record.ts';
import type { RecordItems } from './change-record.ts';
import { lostRuns, RECORD_PLACES, type RunCounts, runCounts } from './record-state.ts';
import { OUTCOME_KINDS, type OutcomeKind, type RecordState } from './schemas.ts';

export interface RunAudit extends RunCounts {
  readonly records: number;
  readonly outcomes: Readonly<Record<OutcomeKind, number>>;
  /** Opened less ended, waiting and running: 0 unless something was lost. */
  readonly lost: number;
  /** The first few records whose own sum is not 0: `contacts#123`. */
  readonly guilty: readonly string[];
}

const MAX_GUILTY = 20;

/**
 * Goes through every record and adds its runs up. A record that changes its place meanwhile may be missed or met
 * twice, but each one's own sum holds at every moment, and so do the totals of those that were met.
 */
export async function auditRuns(records: Pick<RecordItems, 'page'>): Promise<RunAudit> {
  const sum = { records: 0, opened: 0, ended: 0, waiting: 0, running: 0, lost: 0 };
  const outcomes = { enriched: 0, unchanged: 0, unmatched: 0, skipped: 0, failed: 0 };
  const guilty: string[] = [];
  for await (const state of allRecords(records)) {
    const counts = runCounts(state);
    const lost = Math.abs(lostRuns(counts));
    sum.records += 1;
    sum.lost += lost;
    for (const column of ['opened', 'ended', 'waiting', 'running'] as const) sum[column] += counts[column];
    for (const kind of OUTCOME_KINDS) outcomes[kind] += state.outcomes[kind];
    if (lost !== 0 && guilty.length < MAX_GUILTY) guilty.push(recordKey(state));
  }
  return { ...sum, outcomes, guilty };
}

async function* allRecords(records: Pick<RecordItems, 'page'>): AsyncIterable<RecordState> {
  for (const partition of RECORD_PLACES) {
    let after: string | undefined;
    do {
      const page = await records.page({ partition, after });
      yield* page.values;
      after = page.next;
    } while (after !== undefined);
  }
}
