import type { RecordName } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { type Changed, change, type IndexedItems, type ItemKey, type Known } from '#shared/store';
import { newRecordState } from './record-state.ts';
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
