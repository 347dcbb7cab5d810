import { type CrmRecord, isAboutPerson, nameOfKey, type RecordName, recordKey } from '#shared/crm';
import { addressesOf } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import {
  allKeys,
  type Disclosure,
  type ForgetServices,
  forgetPerson,
  type IdentifierKeys,
  identifierKeys,
  identifiersOfAnswer,
  NO_IDENTIFIERS,
  type Question,
  rememberRecordIdentifiers,
} from '#shared/questions';
import { because, changeRecord, type RecordState, type Run } from '#shared/records';
import type { NewFinding, Reviews } from '#shared/review';
import type { Together } from '#shared/store';

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

type ChangeServices = Parameters<typeof changeRecord>[0];

export interface KeepServices extends ChangeServices {
  readonly together: Together;
  readonly reviews: Pick<Reviews, 'duplicate'>;
  readonly forgetting: ForgetServices;
  readonly digest: Digest;
}

export interface KeptRecord extends RecordName {
  /** The state at its last read. */
  readonly state: Pick<RecordState, 'identifiers'>;
  readonly record: CrmRecord;
  readonly run: Pick<Run, 'purpose'>;
}

/** `others`: further records of this person. */
export type Indexed<H> =
  | { readonly kind: 'kept'; readonly held: H; readonly others: readonly string[] }
  | { readonly kind: 'forgotten' };

/**
 * Indexes the record's person by keyed hashes, because a privacy deletion contains only the record's id. `forgotten`: this
 * person asked to be forgotten, in this or another record.
 */
export async function indexPerson<H extends KeptRecord>(
  services: KeepServices,
  held: H,
): Promise<Indexed<H>> {
  return cleanedUp(services, await services.together(() => linkPerson(services, held)));
}

/** Like `indexPerson`, as a part of a work of the store. */
export async function linkPerson<H extends KeptRecord>(services: KeepServices, held: H): Promise<Linked<H>> {
  const keys = identifiersOfRecord(held.record, services.digest);
  const known = await services.forgetting.suppressionList.amongChecked(keys.sure);
  if (known.length > 0) return { kind: 'forgotten', erased: [] };
  return storeIndex(services, held, { keys });
}

interface AnswerToKeep {
  readonly question: Question;
  readonly record: Readonly<Record<string, unknown>>;
  /** Additional change of the record's state in the same write. */
  readonly also: ((state: RecordState) => RecordState | undefined) | undefined;
}

/** Indexes the person by the identifiers that an answer adds. */
export async function indexAnswered<H extends KeptRecord>(
  services: KeepServices,
  held: H,
  answer: AnswerToKeep,
): Promise<Indexed<H>> {
  return cleanedUp(services, await services.together(() => linkAnswered(services, held, answer)));
}

/** Like `indexAnswered`, as a part of a work of the store. */
export function linkAnswered<H extends KeptRecord>(
  services: KeepServices,
  held: H,
  { question: { operation }, record, also }: AnswerToKeep,
): Promise<Linked<H>> {
  const isContact = isAboutPerson(held);
  const keys = isContact ? identifiersOfAnswer({ operation, record }, services.digest) : NO_IDENTIFIERS;
  return storeIndex(services, held, { keys, also });
}

/** `erased`: the record's data were erased during this work, so these new identifiers must be erased too. */
export type Linked<H> =
  | Extract<Indexed<H>, { kind: 'kept' }>
  | { readonly kind: 'forgotten'; readonly erased: readonly string[] };

/** Ends a work that found its person forgotten. */
export async function cleanedUp<H>(
  { forgetting }: Pick<KeepServices, 'forgetting'>,
  linked: Linked<H>,
): Promise<Indexed<H>> {
  if (linked.kind === 'kept') return linked;
  await forgetPerson(forgetting, linked.erased);
  return { kind: 'forgotten' };
}

interface Kept {
  readonly keys: IdentifierKeys;
  readonly also?: AnswerToKeep['also'];
}

/**
 * Writes the index from the person to the record, and the hashes in the record's state. Known hashes need no request. If
 * the index also leads to other records, the person has several records in HubSpot.
 */
async function storeIndex<H extends KeptRecord>(
  services: KeepServices,
  held: H,
  { keys, also }: Kept,
): Promise<Linked<H>> {
  const { reviews, forgetting } = services;
  const knownKeys = new Set(held.state.identifiers);
  const areAllKnown = allKeys(keys).every((key) => knownKeys.has(key));
  const identifiersOf = (state: Pick<RecordState, 'identifiers'>) => [
    ...new Set([...(state.identifiers ?? []), ...allKeys(keys)]),
  ];
  const indexed = { ...held, state: { ...held.state, identifiers: identifiersOf(held.state) } };
  if (areAllKnown && !also) return { kind: 'kept', held: indexed, others: [] };
  const sure = areAllKnown ? [] : keys.sure.filter((key) => !knownKeys.has(key));
  const others = await rememberRecordIdentifiers(forgetting, recordKey(held), { ...keys, sure });
  if (others.length > 0) await reviews.duplicate(held, duplicateOf(held, others));
  const { known } = await changeRecord(
    services,
    held,
    (known): { state?: RecordState; known: RecordState } => {
      if (known.forgottenAtMs !== undefined) return { known };
      const changed = also?.(known) ?? known;
      const identifiers = identifiersOf(known);
      const isKnown = identifiers.length === (known.identifiers?.length ?? 0);
      if (isKnown) return changed === known ? { known } : { known, state: changed };
      return { known, state: { ...changed, identifiers, ...(others.length > 0 && { hasReview: true }) } };
    },
  );
  if (known.forgottenAtMs !== undefined) return { kind: 'forgotten', erased: allKeys(keys) };
  return { kind: 'kept', held: indexed, others };
}

/** Maximum number of records that a sentence for a person names. */
const MAX_NAMED = 5;

function duplicateOf({ objectType, run }: KeptRecord, others: readonly string[]): NewFinding {
  const ids = others.flatMap((key) => nameOfKey(key)?.id ?? []);
  const names = ids.slice(0, MAX_NAMED).map((id) => `${objectType}/${id}`);
  const unnamed = ids.length - names.length;
  const reason = because('duplicate', { records: names, more: unnamed });
  return { kind: 'duplicate', reason, others: ids, purpose: run.purpose };
}

/** Returns keyed hashes of every value that identifies a contact; none for a company. */
export function identifiersOfRecord(
  { objectType, properties, companyDomain }: Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>,
  digest: Digest,
): IdentifierKeys {
  if (!isAboutPerson({ objectType })) return NO_IDENTIFIERS;
  const given = (...names: string[]) => names.flatMap((name) => properties[name] ?? []);
  const [first, last] = [properties['firstname'], properties['lastname']];
  return identifierKeys(
    {
      emails: addressesOf({ properties }).map(({ address }) => address),
      profileUrls: given('hs_linkedin_url'),
      phones: given('phone', 'mobilephone'),
      names: first && last ? [{ first, last }] : [],
      domains: [...given('website'), ...(companyDomain ? [companyDomain] : [])],
    },
    digest,
  );
}
