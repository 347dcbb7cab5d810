import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { Digest } from '#shared/kernel/digest.ts';
import { type IdentifierKeys, identifierKeys, NOBODY } from '#shared/questions/people/identifiers.ts';

/**
 * Keyed hashes of everything in a contact that tells who it is; of a company, nothing.
 * @param associatedDomain of the contact's company in HubSpot, where it was read.
 */
export function identifiersOfRecord(
  { objectType, properties }: Pick<CrmRecord, 'objectType' | 'properties'>,
  digest: Digest,
  associatedDomain?: string,
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
      domains: [...given('website'), ...(associatedDomain ? [associatedDomain] : [])],
    },
    digest,
  );
}
