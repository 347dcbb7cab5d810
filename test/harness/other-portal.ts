import { signWebhook } from '#shared/hubspot';
import { CLIENT_SECRET, type RecordName, WEBHOOK_URL } from './hubspot-portal.ts';
import type { World } from './world.ts';

const OTHER_PORTAL_ID = 99_000_001;

/**
 * Reports every possible event of a record in another portal with the same app and the same id. The deliveries use the
 * same address and the same secret.
 */
export async function tellOfOtherPortal(
  { clock, processes }: Pick<World, 'clock' | 'processes'>,
  { objectType, id }: RecordName,
): Promise<void> {
  const kinds = ['creation', 'propertyChange', 'merge', 'deletion', 'restore', 'privacyDeletion'];
  const subject = objectType === 'contacts' ? 'contact' : 'company';
  const events = kinds.map((kind, eventId) => ({
    eventId,
    portalId: OTHER_PORTAL_ID,
    occurredAt: clock.now(),
    subscriptionType: `${subject}.${kind}`,
    objectId: id,
    ...(kind === 'propertyChange' && { propertyName: 'email' }),
    ...(kind === 'merge' && { primaryObjectId: id, mergedObjectIds: [id], newObjectId: `${id}0` }),
  }));
  const body = JSON.stringify(events);
  const signing = { method: 'POST', publicUrl: WEBHOOK_URL, rawBody: body, clientSecret: CLIENT_SECRET };
  const headers = { ...signWebhook({ ...signing, timestampMs: clock.now() }) };
  const { ok } = await processes.receive(new Request(WEBHOOK_URL, { method: 'POST', headers, body }));
  if (!ok) throw new Error('The receiver refused a correctly signed delivery.');
}
