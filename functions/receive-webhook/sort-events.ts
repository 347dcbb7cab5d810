import { askerOfSource, isPersonSource, type Purpose, purposeOfSource } from '#shared/crm';
import { parseWebhookEvent, type WebhookEvent } from '#shared/hubspot';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { joinJobs, type WorkMessage } from '#shared/work-queue';

export interface SortedEvents {
  /** One message for each record. */
  readonly messages: readonly WorkMessage[];
  /** Number of events by result. The results queued, coalesced and ignored add up to all received events. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface SortOptions {
  /** Events of this app are echoes of our own writes. */
  readonly ownAppId?: string | undefined;
  /** Events of any other account are ignored. */
  readonly portalId?: string | undefined;
  /** Properties that the policy's rules read. A change of such a property may admit the record. */
  readonly ruleProperties?: readonly string[] | undefined;
}

const REQUEST_PROPERTY = 'enrichment_requested';

/** Properties with webhook subscriptions in `infra/hubspot-app`. A change of the last property requests a run. */
const WATCHED: ReadonlySet<string> = new Set([...Object.values(WATCHED_PROPERTIES).flat(), REQUEST_PROPERTY]);

/**
 * Turns a delivery's events into messages, one for each record. Drops duplicates. Joins the work of a merged record to
 * the record that remains.
 */
export function sortEvents(values: readonly unknown[], options: SortOptions): SortedEvents {
  const counts: Record<string, number> = {};
  const count = (outcome: string, by = 1) => {
    if (by > 0) counts[outcome] = (counts[outcome] ?? 0) + by;
  };
  const seen = new Set<string>();
  const wanted: WorkMessage[] = [];
  for (const value of values) {
    const parsed = parseWebhookEvent(value);
    const reason = parsed.kind === 'ignored' ? parsed.reason : reasonToIgnore(parsed.event, options, seen);
    if (reason !== undefined) count(`ignored-${reason}`);
    else if (parsed.kind === 'event') wanted.push(messageOf(parsed.event, options));
  }
  const messages = joinJobs(wanted.map((message) => ({ message, messageIds: [] }))).map((job) => job.message);
  count('queued', messages.length);
  count('coalesced', wanted.length - messages.length);
  return { messages, counts };
}

function reasonToIgnore(
  event: WebhookEvent,
  { ownAppId, portalId, ruleProperties = [] }: SortOptions,
  seen: Set<string>,
): string | undefined {
  if (portalId !== undefined && event.portalId !== portalId) return 'other-portal';
  if (seen.has(event.eventKey)) return 'duplicate';
  seen.add(event.eventKey);
  if (LIFECYCLE.has(event.kind)) return undefined;
  if (isOwn(event, ownAppId)) return 'own-write';
  if (event.kind !== 'propertyChange' || WATCHED.has(event.propertyName)) return undefined;
  if (!ruleProperties.includes(event.propertyName)) return 'property';
  return undefined;
}

function isOwn({ changeSource, sourceId }: WebhookEvent, ownAppId: string | undefined): boolean {
  return ownAppId !== undefined && changeSource === 'INTEGRATION' && sourceId === ownAppId;
}

/**
 * Events that count even if our own app caused them. The data of a deleted record must be deleted, and a new record
 * must be read.
 */
const LIFECYCLE: ReadonlySet<WebhookEvent['kind']> = new Set([
  'creation',
  'merge',
  'deletion',
  'privacyDeletion',
]);

function messageOf(event: WebhookEvent, { ownAppId }: SortOptions): WorkMessage {
  const { objectType, objectId: id, eventKey, portalId, changeSource = '', sourceId } = event;
  const askedBy = isOwn(event, ownAppId) ? 'app' : askerOfSource(changeSource, sourceId);
  const message = { objectType, id, purpose: purposeOf(event), eventKeys: [eventKey], portalId, askedBy };
  switch (event.kind) {
    case 'merge':
      return { ...message, id: event.newObjectId, mergedIds: event.mergedObjectIds };
    case 'deletion':
      return { ...message, gone: 'deleted' };
    case 'privacyDeletion':
      return { ...message, gone: 'forgotten' };
    case 'propertyChange':
      return isRequest(event) ? { ...message, asked: requestOf(event) } : { ...message, isChange: true };
    case 'associationChange':
      return { ...message, isChange: true };
    default:
      // A restored record is treated like a new one.
      return message;
  }
}

function isRequest(event: WebhookEvent): boolean {
  return event.kind === 'propertyChange' && event.propertyName === REQUEST_PROPERTY;
}

/**
 * Whether a person or a workflow requested the run. Only a person's request refills values that people emptied or
 * undid. Workflows and other apps also set the property.
 */
function requestOf({ changeSource = '' }: WebhookEvent): NonNullable<WorkMessage['asked']> {
  return isPersonSource(changeSource) ? {} : { byWorkflow: true };
}

function purposeOf(event: WebhookEvent): Purpose {
  const { changeSource = '' } = event;
  if (isRequest(event) && changeSource === 'CRM_UI') return 'manual';
  return purposeOfSource(changeSource);
}
