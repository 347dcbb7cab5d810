import { foldText } from '../field-policy/fold.ts';
import type { Policy } from '../field-policy/policy.ts';
import type { Digest } from '../kernel/digest.ts';
import type { ObjectType } from '../records/crm-record.ts';

/** The values whose change by a person makes a record worth asking about again before it is stale. */
const IDENTITY = {
  contacts: ['hs_linkedin_url', 'email', 'firstname', 'lastname', 'website', 'phone', 'mobilephone'],
  companies: ['domain', 'website', 'linkedin_company_page'],
} as const;

/**
 * Tells whether a record still is what it was when it was last enriched, our own writes included: the echo of
 * a write changes nothing, a person's new email does. A keyed hash: no value is kept.
 */
export function fingerprintOf(
  record: { readonly objectType: ObjectType; readonly properties: Readonly<Record<string, string | null>> },
  { policy, digest }: { policy: Policy; digest: Digest },
): string {
  const values = IDENTITY[record.objectType].map((property) => foldText(record.properties[property] ?? ''));
  return digest.keyed(JSON.stringify(['fingerprint', policy.version, record.objectType, ...values]));
}
