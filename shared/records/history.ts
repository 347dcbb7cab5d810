import { type RecordName, recordKey } from '#shared/crm';
import type { RecordItems } from './change-record.ts';
import type { Journal } from './journal.ts';
import { newRecordState } from './record-state.ts';
import type { JournalEntry, RecordState } from './schemas.ts';

interface Services {
  readonly records: RecordItems;
  readonly journal: Pick<Journal, 'ofRecord'>;
}

/** The record's state; where it was merged into another one, that one's. Of a record that is not known, a new one. */
export async function livingState(
  { records }: Pick<Services, 'records'>,
  name: RecordName,
): Promise<RecordState> {
  const passed = new Set<string>();
  let state = await stateOf(records, name);
  while (state.mergedInto !== undefined && !passed.has(state.id)) {
    passed.add(state.id);
    state = await stateOf(records, { ...name, id: state.mergedInto });
  }
  return state;
}

async function stateOf(records: RecordItems, { objectType, id }: RecordName): Promise<RecordState> {
  return (await records.read(recordKey({ objectType, id })))?.value ?? newRecordState(objectType, id);
}

/** What was written to the record and to all that were merged into it, oldest first. */
export async function historyOf(services: Services, state: RecordState): Promise<readonly JournalEntry[]> {
  const states = new Map([[state.id, state]]);
  for (const { mergedFrom = [] } of states.values()) {
    for (const id of mergedFrom)
      if (!states.has(id)) states.set(id, await stateOf(services.records, { ...state, id }));
  }
  const entries: JournalEntry[] = [];
  for (const each of states.values())
    entries.push(...(await services.journal.ofRecord(each, each.runsOpened)));
  return entries.sort((a, b) => a.atMs - b.atMs);
}
