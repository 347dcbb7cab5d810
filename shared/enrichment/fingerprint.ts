import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { WATCHED_PROPERTIES } from '#shared/identity/identifying-properties.ts';
import { companyDomainOf, mailOf, normalIdentity } from '#shared/identity/record-identity.ts';
import { registrableDomain } from '#shared/identity/web-address.ts';
import type { Digest } from '#shared/kernel/digest.ts';

type Identified = Pick<CrmRecord, 'objectType' | 'properties' | 'companyDomain'>;

/**
 * Tells whether a record still is what it was when it was last enriched, our own writes included: the echo of
 * a write changes nothing, a person's new email does, and so does another company. A keyed hash: no value is kept.
 */
export function fingerprintOf(
  record: Identified,
  { policy, digest }: { policy: Policy; digest: Digest },
): string {
  const values = WATCHED_PROPERTIES[record.objectType].map((property) => normalIdentity(record, property));
  const company = tellingCompany(record);
  const parts = [...values, ...(company === undefined ? [] : [company])];
  return digest.keyed(JSON.stringify(['fingerprint', policy.version, record.objectType, ...parts]));
}

/** HubSpot associates contacts by itself, by the domain of their address: a company that the contact names too is no news. */
function tellingCompany(record: Identified): string | undefined {
  const mail = mailOf(record);
  const own = [companyDomainOf(record, ['website']), mail && registrableDomain(mail.domain)];
  return own.includes(record.companyDomain) ? undefined : record.companyDomain;
}
