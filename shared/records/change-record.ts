import { type RecordName, recordKey } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { change, type IndexedItems } from '#shared/versioned-items';
import { newRecordState } from './record-state.ts';
import type { RecordState } from './schemas.ts';

export type RecordItems = IndexedItems<RecordState>;

/** Decides on a record's state, a new one where there is none. A decision without a `state` writes nothing. */
export async function changeRecord<
  D extends { readonly kind?: string; readonly state?: RecordState | undefined },
>(
  { records, clock }: { readonly records: RecordItems; readonly clock: Pick<Clock, 'sleep'> },
  { objectType, id }: RecordName,
  decide: (state: RecordState) => D,
): Promise<D> {
  const key = recordKey({ objectType, id });
  const { decision } = await change(records, { key, kind: 'record', clock }, (known) => {
    const decision = decide(known ?? newRecordState(objectType, id));
    return { decision, value: decision.state };
  });
  return decision;
}
