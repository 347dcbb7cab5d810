import { parseWebhookEvent, type WebhookEvent } from '../../shared/hubspot/webhook-events.ts';
import { recordKey } from '../../shared/records/crm-record.ts';
import type { WorkMessage } from '../../shared/work-queue/message.ts';

export interface SortedEvents {
  /** One message a record. */
  readonly messages: readonly WorkMessage[];
  /** Events by what became of them: received = queued + coalesced + ignored. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Properties whose change may make another answer possible; `infra/hubspot-app` subscribes to the same. */
export const WATCHED_PROPERTIES: ReadonlySet<string> = new Set([
  'email',
  'firstname',
  'lastname',
  'phone',
  'mobilephone',
  'hs_linkedin_url',
  'website',
  'domain',
  'linkedin_company_page',
]);

/** What is to be done for a delivery's events: duplicates dropped, one message for each record. */
export function sortEvents(
  values: readonly unknown[],
  { ownAppId }: { ownAppId?: string | undefined },
): SortedEvents {
  const messages = new Map<string, WorkMessage>();
  const counts: Record<string, number> = {};
  const seen = new Set<string>();
  for (const value of values) {
    const parsed = parseWebhookEvent(value);
    const fate =
      parsed.kind === 'ignored' ? `ignored-${parsed.reason}` : fateOf(parsed.event, { ownAppId, seen });
    if (parsed.kind === 'event' && fate === 'queued') {
      const message = messageOf(parsed.event);
      const known = messages.get(recordKey(message));
      const eventKeys = [...(known?.eventKeys ?? []), ...message.eventKeys];
      messages.set(recordKey(message), { ...message, eventKeys });
      count(counts, known ? 'coalesced' : 'queued');
    } else count(counts, fate);
  }
  return { messages: [...messages.values()], counts };
}

function fateOf(
  event: WebhookEvent,
  { ownAppId, seen }: { ownAppId?: string | undefined; seen: Set<string> },
): string {
  if (seen.has(event.eventKey)) return 'ignored-duplicate';
  seen.add(event.eventKey);
  if (ownAppId && event.changeSource === 'INTEGRATION' && event.sourceId === ownAppId)
    return 'ignored-own-write';
  switch (event.kind) {
    case 'creation':
    case 'restore':
    case 'merge':
      return 'queued';
    case 'propertyChange':
      return WATCHED_PROPERTIES.has(event.propertyName) ? 'queued' : 'ignored-property';
    default:
      return `ignored-${event.kind}`;
  }
}

function messageOf(event: WebhookEvent): WorkMessage {
  const id = event.kind === 'merge' ? event.newObjectId : event.objectId;
  return { objectType: event.objectType, id, purpose: 'live', eventKeys: [event.eventKey] };
}

function count(counts: Record<string, number>, fate: string): void {
  counts[fate] = (counts[fate] ?? 0) + 1;
}
