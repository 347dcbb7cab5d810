import { OBJECT_TYPES, type RecordName } from '#shared/crm';
import {
  type Journal,
  type JournalEntry,
  livingState,
  type RecordItems,
  type RecordState,
} from '#shared/records';
import { type RefusedQuery, refusedQuery } from './query-refusals.ts';
import type { Query } from './selection.ts';

/** Everything that is stored about a record, without its values. */
export interface RecordLook {
  /** The name that the caller asked for. */
  readonly name: RecordName;
  /** State of the record, or of the record that it was merged into. */
  readonly state: RecordState;
  readonly isKnown: boolean;
  /** Newest first. */
  readonly runs: readonly RunLook[];
}

/** A run with the names of the properties that it wrote. */
export interface RunLook
  extends Pick<JournalEntry, 'run' | 'atMs' | 'purpose' | 'kind' | 'outcome' | 'credits' | 'question'> {
  readonly properties: readonly string[];
}

/** Number of runs that are read, the newest ones. Each run needs its own read. */
const RUNS = 20;

export async function readRecordLook(
  services: { readonly records: RecordItems; readonly journal: Pick<Journal, 'read'> },
  name: RecordName,
): Promise<RecordLook> {
  const state = await livingState(services, name);
  const numbers = Array.from(
    { length: Math.min(RUNS, state.runsOpened) },
    (_, back) => state.runsOpened - back,
  );
  const entries = await Promise.all(numbers.map((run) => services.journal.read(state, run)));
  const isKnown = state.runsOpened > 0 || state.mergedFrom !== undefined || state.forgottenAtMs !== undefined;
  return { name, state, isKnown, runs: entries.flatMap((entry) => (entry ? [runLook(entry)] : [])) };
}

/** Reads `type` and `id` from a query. */
export function parseRecordName(
  query: Query,
): { readonly kind: 'name'; readonly name: RecordName } | RefusedQuery {
  const { type, id = '' } = query;
  const objectType = OBJECT_TYPES.find((each) => each === type);
  if (!objectType)
    return refusedQuery('unknown-choice', { parameter: 'type', choices: OBJECT_TYPES.join(', ') });
  if (!/^\d{1,20}$/.test(id)) return refusedQuery('not-a-record-id', { parameter: 'id' });
  return { kind: 'name', name: { objectType, id } };
}

function runLook({ run, atMs, purpose, kind, outcome, credits, question, changes }: JournalEntry): RunLook {
  const properties = changes.filter(({ state }) => state !== 'refused').map(({ property }) => property);
  return { run, atMs, purpose, kind, outcome, credits, question, properties };
}
