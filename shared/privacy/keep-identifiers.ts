import { type CrmRecord, type RecordName, recordKey } from '#shared/crm/crm-record.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import {
  allKeys,
  type IdentifierKeys,
  identifierKeys,
  NOBODY,
} from '#shared/questions/people/identifiers.ts';
import { rememberRecordIdentifiers } from '#shared/questions/people/links.ts';
import type { SideItemServices } from '#shared/questions/people/side-items.ts';
import { changeRecord, type RecordItems } from '#shared/records/change-record.ts';
import type { RecordState } from '#shared/records/schemas.ts';

export interface KeepServices extends SideItemServices {
  readonly records: RecordItems;
}

/**
 * Keeps who a record is about: first the ways from the person to the record, then the hashes in its state. Call it
 * when a record was read and when an answer about it came; what is known already costs nothing.
 * @param held `state` as it was read last.
 * @returns `forgotten` when its person was forgotten meanwhile: what is learned only now has to go the same way.
 */
export async function keepIdentifiers(
  services: KeepServices,
  held: RecordName & { readonly state: Pick<RecordState, 'identifiers'> },
  keys: IdentifierKeys,
): Promise<'kept' | 'forgotten'> {
  const isNew = (key: string) => !held.state.identifiers?.includes(key);
  if (!allKeys(keys).some(isNew)) return 'kept';
  await rememberRecordIdentifiers(services, recordKey(held), { ...keys, sure: keys.sure.filter(isNew) });
  const { known } = await changeRecord(
    services,
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

/** Keyed hashes of everything in a contact that tells who it is; of a company, nothing. */
export function identifiersOfRecord(
  { objectType, properties, companyDomain }: Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>,
  digest: Digest,
): IdentifierKeys {
  if (objectType !== 'contacts') return NOBODY;
  const given = (...names: string[]) => names.flatMap((name) => properties[name] ?? []);
  const [first, last] = [properties['firstname'], properties['lastname']];
  return identifierKeys(
    {
      emails: [...given('email'), ...given('hs_additional_emails').flatMap((list) => list.split(';'))],
      profileUrls: given('hs_linkedin_url'),
      phones: given('phone', 'mobilephone'),
      names: first && last ? [{ first, last }] : [],
      domains: [...given('website'), ...(companyDomain ? [companyDomain] : [])],
    },
    digest,
  );
}
