import { byObjectType, OBJECT_TYPES, type ObjectType, type RecordName } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { type Changed, change, type IndexedItems, type ItemKey, type Known } from '#shared/store';
import { newRecordState, RECORD_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

export type RecordItems = IndexedItems<RecordState>;

export interface ChangeRecordServices {
  readonly records: RecordItems;
  readonly clock: Pick<Clock, 'sleep'>;
  /** States as this worker last wrote them. So the next change of such a state needs no read. */
  readonly statesWritten?: Map<ItemKey, Known<RecordState>> | undefined;
}

/**
 * Decides on a record's state and writes the new one. An unknown record starts with a new state. A decision without a
 * `state` writes nothing.
 */
export async function changeRecord<
  D extends { readonly kind?: string; readonly state?: RecordState | undefined },
>(
  { records, clock, statesWritten: written }: ChangeRecordServices,
  { objectType, id }: RecordName,
  decide: (state: RecordState) => D,
  options: Pick<Changed, 'isForgetting' | 'isMostlyNew'> = {},
): Promise<D> {
  const key = recordKind.key({ objectType, id });
  const changed = { key, kind: 'record', clock, written, ...options };
  const { decision } = await change(records, changed, (known) => {
    const decision = decide(known ?? newRecordState(objectType, id));
    return { decision, value: decision.state };
  });
  return decision;
}

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
