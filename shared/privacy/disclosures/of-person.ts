import { recordKey } from '#shared/crm';
import type { Disclosure, ForgetServices } from '#shared/questions';
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
 * The disclosure records of a person. A record counts as a whole if one of the person's own addresses or profiles names it.
 * Any other may be about another person: a phone and a name in a company may be two people's, and a wrong match leads from
 * one person to another. Of such a record only what was for a HubSpot record of this person counts.
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
