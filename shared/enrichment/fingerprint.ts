import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { WATCHED_PROPERTIES } from '#shared/identity/identifying-properties.ts';
import { normalIdentity } from '#shared/identity/record-identity.ts';
import type { Digest } from '#shared/kernel/digest.ts';

/**
 * Tells whether a record still is what it was when it was last enriched, our own writes included: the echo of
 * a write changes nothing, a person's new email does. A keyed hash: no value is kept.
 */
export function fingerprintOf(
  record: { readonly objectType: ObjectType; readonly properties: Readonly<Record<string, string | null>> },
  { policy, digest }: { policy: Policy; digest: Digest },
): string {
  const values = WATCHED_PROPERTIES[record.objectType].map((property) => normalIdentity(record, property));
  return digest.keyed(JSON.stringify(['fingerprint', policy.version, record.objectType, ...values]));
}
