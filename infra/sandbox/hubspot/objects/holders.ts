import type { Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import type { ObjectTypeId } from './object-types.ts';
import { readValue } from './record-view.ts';

interface UniqueValue {
  readonly typeId: ObjectTypeId;
  readonly name: string;
  readonly value: string;
}

/**
 * Ids of records that ever had a value, by property. The key is the portal's object of records, which a restart
 * replaces.
 */
const byRecords = new WeakMap<object, Map<string, Map<string, Set<string>>>>();

/** Finds the live record with this value of a unique property, by an index. */
export function holderOf(portal: Portal, { typeId, name, value }: UniqueValue): StoredRecord | undefined {
  const records = portal.state.records[typeId];
  const wanted = name === 'email' || name === ADDRESSES ? value.trim().toLowerCase() : value;
  // Record ids are not stored as values.
  const ids = name === 'hs_object_id' ? [wanted] : (idsByValue(portal, { typeId, name }).get(wanted) ?? []);
  const holders = [...ids].flatMap((id) => {
    const record = Object.hasOwn(records, id) ? records[id] : undefined;
    const isHolder =
      record?.archivedAt === null && valuesIn(name, readValue(portal, { record, name })).includes(wanted);
    return record && isHolder ? [record] : [];
  });
  return holders.sort((a, b) => Number(a.id) - Number(b.id))[0];
}

/** Adds a record's values to the existing indexes. */
export function indexValues(portal: Portal, { typeId, id }: StoredRecord, names: readonly string[]): void {
  const indexes = byRecords.get(portal.state.records[typeId]);
  const values = portal.state.records[typeId][id]?.values ?? {};
  for (const name of indexes ? names : []) {
    const index = indexes?.get(name);
    if (index) addIds(index, { values: valuesIn(name, values[name] ?? ''), id });
  }
}

function idsByValue(portal: Portal, { typeId, name }: Omit<UniqueValue, 'value'>) {
  const records = portal.state.records[typeId];
  const indexes = byRecords.get(records) ?? new Map<string, Map<string, Set<string>>>();
  byRecords.set(records, indexes);
  const known = indexes.get(name);
  if (known) return known;
  const index = new Map<string, Set<string>>();
  indexes.set(name, index);
  for (const record of Object.values(records))
    addIds(index, { values: valuesIn(name, record.values[name] ?? ''), id: record.id });
  return index;
}

/** A contact has several additional addresses, and each of them is unique. */
const ADDRESSES = 'hs_additional_emails';

function valuesIn(name: string, value: string): readonly string[] {
  return name === ADDRESSES ? value.toLowerCase().split(';') : [value];
}

function addIds(
  index: Map<string, Set<string>>,
  { values, id }: { readonly values: readonly string[]; readonly id: string },
): void {
  for (const value of values) if (value !== '') index.set(value, (index.get(value) ?? new Set()).add(id));
}
