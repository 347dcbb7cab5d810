import type { RecordName } from '#shared/crm';
import type { RecordItems } from './change-record.ts';
import type { Journal } from './journal.ts';
import { newRecordState } from './record-state.ts';
import type { JournalEntry, RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

interface Services {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'ofRecord'>;
}

/**
 * Returns the record's state. For a merged record, returns the state of the merge winner. For an unknown record,
 * returns a new state.
 */
export async function livingState(
  { records }: Pick<Services, 'records'>,
  name: RecordName,
): Promise<RecordState> {
  const visited = new Set<string>();
  let state = await stateOf(records, name);
  while (state.mergedInto !== undefined && !visited.has(state.id)) {
    visited.add(state.id);
    state = await stateOf(records, { ...name, id: state.mergedInto });
  }
  return state;
}

async function stateOf(records: RecordItems, { objectType, id }: RecordName): Promise<RecordState> {
  return (await records.read(recordKind.key({ objectType, id })))?.value ?? newRecordState(objectType, id);
}

/** Returns the journal of the record and of all records that were merged into it, oldest first. */
export async function historyOf(services: Services, state: RecordState): Promise<readonly JournalEntry[]> {
  const states = new Map([[state.id, state]]);
  for (const { mergedFrom = [] } of states.values()) {
    for (const id of mergedFrom)
      if (!states.has(id)) states.set(id, await stateOf(services.records, { ...state, id }));
  }
  const entries: JournalEntry[] = [];
  for (const recordState of states.values())
    entries.push(...(await services.journal.ofRecord(recordState, recordState.runsOpened)));
  return entries.sort((a, b) => a.atMs - b.atMs);
}
