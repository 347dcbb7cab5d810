import { recordKey } from '#shared/crm';
import type { Disclosure, ForgetServices } from '#shared/questions';
import type { RecordState } from '#shared/records';

export interface KnownPerson {
  /** Keyed hashes of the person's identifiers, of any kind. */
  readonly identifiers: readonly string[];
  /** Keys of the person's HubSpot records. */
  readonly records: readonly string[];
}

/** Returns the keys of a record and of the records that were merged into it. */
export function recordKeysOf({
  objectType,
  id,
  mergedFrom = [],
}: Pick<RecordState, 'objectType' | 'id' | 'mergedFrom'>): readonly string[] {
  return [id, ...mergedFrom].map((each) => recordKey({ objectType, id: each }));
}

/**
 * Returns the disclosure records of a person. A disclosure record counts as a whole if one of the person's own
 * addresses or profiles identifies it. Any other one may belong to another person, because people can share a phone or
 * a name, and a match may be wrong. From such a disclosure record, only the parts for this person's HubSpot records
 * count.
 */
export async function disclosuresOfPerson(
  { of }: Pick<ForgetServices['disclosures'], 'of'>,
  { identifiers, records }: KnownPerson,
): Promise<readonly Disclosure[]> {
  const own = new Set(identifiers);
  const found = await of(identifiers);
  return found.flatMap((item) => {
    if (own.has(item.person) && item.identifiers.includes(item.person)) return [item];
    const isOwn = ({ record }: { readonly record?: string | undefined }) =>
      record === undefined ? records.length === 0 : records.includes(record);
    const requests = item.requests.filter(isOwn);
    const delivered = item.records.filter(isOwn);
    if (requests.length + delivered.length === 0) return [];
    const { obtained: _obtained, earlierRequests: _sums, earlierRecords: _count, ...rest } = item;
    const times = requests.flatMap(({ fields, atMs }) => (fields.length > 0 ? [atMs] : []));
    const obtained = times.length > 0 && { firstAtMs: Math.min(...times), lastAtMs: Math.max(...times) };
    return [{ ...rest, requests, records: delivered, ...(obtained && { obtained }) }];
  });
}
