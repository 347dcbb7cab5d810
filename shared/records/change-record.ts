import { OutsideError } from '../kernel/errors.ts';
import type { IndexedItems } from '../versioned-items/store.ts';
import { type ObjectType, recordKey } from './crm-record.ts';
import { newRecordState, type RecordState } from './record-state.ts';

export type RecordItems = IndexedItems<RecordState>;

/** Two workers at one record lose a race or two; this many means that the store is not what it seems. */
const MAX_LOST_RACES = 50;

/**
 * Reads a record's state, decides, and writes what was decided on the condition that nothing came between;
 * otherwise decides anew. A decision without a `state` writes nothing.
 */
export async function changeRecord<D extends { readonly kind?: string; readonly state?: RecordState }>(
  items: RecordItems,
  record: { readonly objectType: ObjectType; readonly id: string },
  decide: (state: RecordState) => D,
): Promise<D> {
  const key = recordKey(record);
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    const stored = await items.read(key);
    const decision = decide(stored?.value ?? newRecordState(record.objectType, record.id));
    if (!decision.state) return decision;
    const expectedVersion = stored?.version ?? 0;
    if ((await items.write({ key, value: decision.state, expectedVersion })) === 'written') return decision;
  }
  throw new OutsideError({
    code: 'RECORD_CONTENDED',
    message: `The state of ${key} changed ${MAX_LOST_RACES} times in a row while it was being written.`,
    retryable: true,
  });
}
