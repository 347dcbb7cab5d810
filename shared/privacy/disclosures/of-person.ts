import { recordKey } from '#shared/crm';
import type { Disclosure, Disclosures } from '#shared/questions';
import type { RecordState } from '#shared/records';

export interface KnownPerson {
  /** Keyed hashes, of any kind. */
  readonly identifiers: readonly string[];
  /** Keys of the person's HubSpot records. */
  readonly records: readonly string[];
}

/** The keys of a record and of those that were merged into it. */
export function recordKeysOf({
  objectType,
  id,
  mergedFrom = [],
}: Pick<RecordState, 'objectType' | 'id' | 'mergedFrom'>): readonly string[] {
  return [id, ...mergedFrom].map((each) => recordKey({ objectType, id: each }));
}

/**
 * The disclosure records of a person. A record that only a phone or a name in a company finds may be about two people: of
 * it only those requests count that were for a record of this person.
 */
export async function disclosuresOfPerson(
  { of }: Pick<Disclosures, 'of'>,
  { identifiers, records }: KnownPerson,
): Promise<readonly Disclosure[]> {
  const found = await of(identifiers);
  return found.flatMap((item) => {
    if (item.identifiers.length > 0) return [item];
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
