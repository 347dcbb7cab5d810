import type { Crm } from '#shared/crm';
import { MARKED_PROPERTY, markSeen } from '#shared/field-policy';
import { type Clock, type Digest, HOUR_MS } from '#shared/kernel';
import { countLateNotices } from '#shared/privacy';
import { type Measurement, measure } from './metrics.ts';

export interface MarkSources {
  readonly crm: Pick<Crm, 'definitions' | 'list'>;
  readonly digest: Pick<Digest, 'keyed'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Reads the gauges that need HubSpot: another installation's mark, and the number of late notices. */
export function createHubSpotGauges(sources: MarkSources): () => Promise<readonly Measurement[]> {
  const { crm, clock } = sources;
  let known = { atMs: Number.NEGATIVE_INFINITY, late: 0 };
  return async () => {
    // A search counts against HubSpot's limit for the whole account, so this process searches once an hour.
    const nowMs = clock.now();
    if (nowMs >= known.atMs + HOUR_MS) known = { atMs: nowMs, late: await countLateNotices(crm, nowMs) };
    return [await readOtherInstallation(sources), measure('noticesLate', known.late)];
  };
}

/** Whether another installation was set up on this HubSpot account after ours. */
async function readOtherInstallation({ crm, digest }: MarkSources): Promise<Measurement> {
  const definitions = await crm.definitions(MARKED_PROPERTY.objectType);
  const seen = markSeen(definitions.get(MARKED_PROPERTY.name)?.description, digest);
  return measure('otherInstallation', seen === 'other' ? 1 : 0);
}
