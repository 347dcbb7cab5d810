import { byObjectType, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import type { RecordItems } from './change-record.ts';
import { RECORD_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

/** Records of one type. HubSpot can read or write them in one request. */
export interface Group {
  readonly objectType: ObjectType;
  readonly states: readonly RecordState[];
  /** Records read so far, including this group and unwanted ones. */
  readonly seen: number;
}

export const GROUP_SIZE = 100;

/**
 * Reads all known records page by page. Memory holds at most a page and a group of each type. A record that moves in
 * the index during this time may be read twice, or not at all.
 */
export async function* wantedGroups(
  { records }: { readonly records: Pick<RecordItems, 'page'> },
  isWanted: (state: RecordState) => boolean,
): AsyncGenerator<Group> {
  const open = byObjectType<RecordState[]>(() => []);
  let seen = 0;
  for await (const states of pages(records)) {
    seen += states.length;
    for (const state of states) {
      if (!isWanted(state)) continue;
      const { objectType } = state;
      open[objectType].push(state);
      if (open[objectType].length < GROUP_SIZE) continue;
      yield { objectType, states: open[objectType].splice(0), seen };
    }
  }
  for (const objectType of OBJECT_TYPES)
    if (open[objectType].length > 0) yield { objectType, states: open[objectType], seen };
}

/** Reads all known records page by page, without empty pages. */
export async function* pages(records: Pick<RecordItems, 'page'>): AsyncGenerator<readonly RecordState[]> {
  for (const partition of RECORD_PLACES) {
    let after: string | undefined;
    do {
      const { values, next } = await records.page({ partition: recordKind.partition(partition), after });
      if (values.length > 0) yield values;
      after = next;
    } while (after !== undefined);
  }
}
