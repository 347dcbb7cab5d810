import { type CrmRecord, nameOfKey, type RecordName, recordKey } from '#shared/crm';
import { addressesOf } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import {
  allKeys,
  type ForgetServices,
  forgetPerson,
  type IdentifierKeys,
  identifierKeys,
  identifiersOfAnswer,
  NO_IDENTIFIERS,
  type Question,
  rememberRecordIdentifiers,
} from '#shared/questions';
import { changeRecord, type RecordState, type Run } from '#shared/records';
import type { NewFinding, Reviews } from '#shared/review';

type ChangeServices = Parameters<typeof changeRecord>[0];

export interface KeepServices extends ChangeServices {
  readonly reviews: Pick<Reviews, 'duplicate'>;
  readonly forgetting: ForgetServices;
  readonly digest: Digest;
}

export interface KeptRecord extends RecordName {
  /** As it was read last. */
  readonly state: Pick<RecordState, 'identifiers'>;
  readonly record: CrmRecord;
  readonly run: Pick<Run, 'purpose'>;
}

/**
 * Keeps, as keyed hashes, who the record is about: a privacy deletion brings nothing but the record's id.
 * @returns the record with these hashes; `forgotten` when this very person asked to be left alone, under whatever record
 * it was then.
 */
export async function keepPerson<H extends KeptRecord>(
  services: KeepServices,
  held: H,
): Promise<H | 'forgotten'> {
  const keys = identifiersOfRecord(held.record, services.digest);
  const known = await services.forgetting.suppressionList.among(keys.sure);
  if (known.length > 0 || (await keep(services, held, { keys })) === 'forgotten') return 'forgotten';
  const identifiers = [...new Set([...(held.state.identifiers ?? []), ...allKeys(keys)])];
  return { ...held, state: { ...held.state, identifiers } };
}

interface AnswerToKeep {
  readonly question: Question;
  readonly record: Readonly<Record<string, unknown>>;
  /** What else changes in the record's state, in the same write. */
  readonly also: ((state: RecordState) => RecordState | undefined) | undefined;
}

/** The same for what an answer adds to it. */
export async function keepAnswered(
  services: KeepServices,
  held: KeptRecord,
  { question: { operation }, record, also }: AnswerToKeep,
): Promise<'kept' | 'forgotten'> {
  const isContact = held.objectType === 'contacts';
  const keys = isContact ? identifiersOfAnswer({ operation, record }, services.digest) : NO_IDENTIFIERS;
  return keep(services, held, { keys, also });
}

interface Kept {
  readonly keys: IdentifierKeys;
  readonly also?: AnswerToKeep['also'];
}

/**
 * Writes the index from the person to the record first, then the hashes in the record's state. Known ones cost nothing. If
 * the index leads to other records too, the person is in HubSpot twice.
 */
async function keep(
  services: KeepServices,
  held: KeptRecord,
  { keys, also }: Kept,
): Promise<'kept' | 'forgotten'> {
  const { reviews, forgetting } = services;
  const kept = new Set(held.state.identifiers);
  const isKept = allKeys(keys).every((key) => kept.has(key));
  if (isKept && !also) return 'kept';
  const sure = isKept ? [] : keys.sure.filter((key) => !kept.has(key));
  const others = await rememberRecordIdentifiers(forgetting, recordKey(held), { ...keys, sure });
  if (others.length > 0) await reviews.duplicate(held, duplicateOf(held, others));
  const { known } = await changeRecord(
    services,
    held,
    (known): { state?: RecordState; known: RecordState } => {
      if (known.forgottenAtMs !== undefined) return { known };
      const changed = also?.(known) ?? known;
      const identifiers = [...new Set([...(known.identifiers ?? []), ...allKeys(keys)])];
      const isKnown = identifiers.length === (known.identifiers?.length ?? 0);
      if (isKnown) return changed === known ? { known } : { known, state: changed };
      return { known, state: { ...changed, identifiers, ...(others.length > 0 && { hasReview: true }) } };
    },
  );
  if (known.forgottenAtMs === undefined) return 'kept';
  // Forgotten while this worker was at it: what it learned since goes the same way.
  await forgetPerson(forgetting, allKeys(keys));
  return 'forgotten';
}

/** A sentence for a person names no more records than this. */
const MAX_NAMED = 5;

function duplicateOf({ objectType, run }: KeptRecord, others: readonly string[]): NewFinding {
  const ids = others.flatMap((key) => nameOfKey(key)?.id ?? []);
  const names = ids.slice(0, MAX_NAMED).map((id) => `${objectType}/${id}`);
  const unnamed = ids.length - names.length;
  const more = unnamed > 0 ? ` and ${unnamed} more` : '';
  const reason = `Its address or profile is also that of ${names.join(', ')}${more}.`;
  return { kind: 'duplicate', reason, others: ids, purpose: run.purpose };
}

/** Keyed hashes of everything in a contact that tells who it is; of a company, nothing. */
export function identifiersOfRecord(
  { objectType, properties, companyDomain }: Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>,
  digest: Digest,
): IdentifierKeys {
  if (objectType !== 'contacts') return NO_IDENTIFIERS;
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
