import type { Crm } from '#shared/crm';
import { MARKED_PROPERTY, markSeen } from '#shared/field-policy';
import type { Digest } from '#shared/kernel';
import { type Measurement, measure } from './metrics.ts';

export interface MarkSources {
  readonly crm: Pick<Crm, 'definitions'>;
  readonly digest: Pick<Digest, 'keyed'>;
}

/** Whether another installation was set up on this HubSpot account after ours. */
export async function readOtherInstallation({ crm, digest }: MarkSources): Promise<Measurement> {
  const definitions = await crm.definitions(MARKED_PROPERTY.objectType);
  const seen = markSeen(definitions.get(MARKED_PROPERTY.name)?.description, digest);
  return measure('otherInstallation', seen === 'other' ? 1 : 0);
}
