import type { SideItem } from '../questions/side-item.ts';
import { changeRecord, type RecordItems } from '../records/change-record.ts';
import { type ObjectType, recordKey } from '../records/crm-record.ts';
import type { RecordState } from '../records/record-state.ts';
import type { VersionedItems } from '../versioned-items/store.ts';
import { allKeys, type IdentifierKeys } from './identifiers.ts';
import { rememberRecordIdentifiers } from './links.ts';

export interface KeepDeps {
  readonly records: RecordItems;
  readonly sideItems: VersionedItems<SideItem>;
}

/**
 * Keeps who a record is about: first the ways from the person to the record, then the hashes in its state. Call it
 * when a record was read and when an answer about it came; what is known already costs nothing.
 * @param held `state` as it was read last.
 * @returns `forgotten` when its person was forgotten meanwhile: what is learned only now has to go the same way.
 */
export async function keepIdentifiers(
  { records, sideItems }: KeepDeps,
  held: {
    readonly objectType: ObjectType;
    readonly id: string;
    readonly state: Pick<RecordState, 'identifiers'>;
  },
  keys: IdentifierKeys,
): Promise<'kept' | 'forgotten'> {
  const isNew = (key: string) => !held.state.identifiers?.includes(key);
  if (!allKeys(keys).some(isNew)) return 'kept';
  await rememberRecordIdentifiers({ sideItems }, recordKey(held), { ...keys, sure: keys.sure.filter(isNew) });
  const { known } = await changeRecord(
    records,
    held,
    (known): { state?: RecordState; known: RecordState } => {
      const identifiers = [...new Set([...(known.identifiers ?? []), ...allKeys(keys)])];
      const isKnown = identifiers.length === (known.identifiers?.length ?? 0);
      return isKnown || known.forgottenAtMs !== undefined
        ? { known }
        : { known, state: { ...known, identifiers } };
    },
  );
  return known.forgottenAtMs === undefined ? 'kept' : 'forgotten';
}
