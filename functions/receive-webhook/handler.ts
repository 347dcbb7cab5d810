import { askerOfSource, isPersonSource, type Lane, type Purpose, purposeOfSource } from '#shared/crm';
import { parseWebhookEvent, verifyWebhookSignature, type WebhookEvent } from '#shared/hubspot';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { type Clock, errorCode, type Logger, parseJson } from '#shared/kernel';
import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import { joinJobs, laneOfMessage, type WorkMessage, type WorkQueue } from '#shared/work-queue';

/**
 * Measures the time from HubSpot's signed timestamp to our answer. Only for accepted deliveries, because the header of
 * a refused delivery cannot be trusted. @returns milliseconds, never below 0, because clocks may differ.
 */
export function deliveryLatencyMs(
  event: HttpEvent,
  result: GatewayResult,
  nowMs: number,
): number | undefined {
  const sentAtMs = Number(event.headers['x-hubspot-request-timestamp']);
  if (result.statusCode !== 200 || !Number.isSafeInteger(sentAtMs) || sentAtMs <= 0) return undefined;
  return Math.max(0, nowMs - sentAtMs);
}

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

export interface ReceiverServices {
  readonly queues: Readonly<Record<Lane, WorkQueue>>;
  /** The app's client secret. HubSpot signs with this secret, not with the access token. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL, exactly as configured in HubSpot, because the signature covers it. */
  readonly publicUrl: string;
  /** Events of this app are echoes of our own writes. */
  readonly ownAppId?: string | undefined;
  /**
   * The only account whose events are accepted. If absent, all events are accepted, and the worker drops events of
   * other accounts.
   */
  readonly portalId?: string | undefined;
  /** Properties that the policy's rules read. A change of such a property may admit the record. */
  readonly ruleProperties?: readonly string[] | undefined;
  /** Accepts deliveries that have only a version 1 signature, as legacy private apps send them. */
  readonly allowV1?: boolean | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The receiver does not read the path. */
export type HttpEvent = Omit<GatewayEvent, 'rawPath' | 'rawQueryString'>;

/**
 * Maximum length of a body: the largest request that Lambda accepts. A hundred events are about 50 KB, but each event
 * can contain a value of 65,536 characters. With a smaller limit, a delivery could be rejected each time.
 */
const MAX_BODY_CHARACTERS = 6_000_000;

/**
 * Body of a test delivery by `doctor`, which also sends it with a wrong signature. Such a refusal is logged with
 * `eventCount` 0, and raises no alarm.
 */
const NO_EVENTS = '[]';

/**
 * Verifies a delivery, drops events that are not for us, queues record ids, and answers. Keeps no state: an event
 * counts as received when the queue has accepted it. Events are only hints, because the worker reads the record first.
 *
 * HubSpot repeats a delivery up to ten times within 24 hours. It does so after a connection error, after five seconds
 * without an answer, and after every status except 2xx, even 4xx. So the statuses mean:
 *
 * - 200: accepted, or not for us: unknown types, other properties, other accounts, our own writes, unreadable events.
 *   With any other status, these events would be repeated, and would delay the good events of the same body.
 * - 503: the secret was unreadable, or the queue did not accept all messages. HubSpot's next delivery repairs this. The
 *   worker recognises events that were already queued by their keys.
 * - 401: no signature, or a signature with another secret, for another URL or at another time. Requests of strangers
 *   end here. If HubSpot gets this status, our secret or URL is wrong. HubSpot repeats for 24 hours, so an operator has
 *   this time to correct it.
 * - 400, 413: the body is signed but not a list, or larger than Lambda accepts. HubSpot sends neither.
 */
export function createHandler(services: ReceiverServices) {
  return async (event: HttpEvent): Promise<GatewayResult> => {
    const { body = '', isBase64Encoded } = event;
    if (body.length > MAX_BODY_CHARACTERS)
      return refuse(services, event, { status: 413, reason: 'body-too-large' });
    const clientSecret = await readSecret(services);
    if (clientSecret === undefined) return answer(503, 'The receiver is not ready; deliver again.');
    const raw = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    const verdict = verifyWebhookSignature({
      method: event.requestContext.http.method,
      publicUrl: services.publicUrl,
      rawBody: raw,
      headers: event.headers,
      clientSecret,
      nowMs: services.clock.now(),
      allowV1: services.allowV1 ?? false,
    });
    const text = raw.toString('utf8');
    if (verdict.kind === 'refused') {
      const eventCount = text === NO_EVENTS ? 0 : undefined;
      return refuse(services, event, { status: 401, reason: verdict.reason, eventCount });
    }
    const events = parseJson(text);
    if (!Array.isArray(events))
      return refuse(services, event, { status: 400, reason: 'body-not-a-json-array' });
    return enqueue(services, events);
  };
}

async function readSecret({ clientSecret, logger }: ReceiverServices): Promise<string | undefined> {
  try {
    return await clientSecret();
  } catch (error) {
    // If the secret cannot be read, the signature may still be right, so 401 would be wrong.
    logger.error('secret-unreadable', { code: errorCode(error) });
    return undefined;
  }
}

async function enqueue(services: ReceiverServices, events: readonly unknown[]): Promise<GatewayResult> {
  const { messages, counts } = sortEvents(events, services);
  try {
    await sendByLane(services.queues, messages);
  } catch (error) {
    services.logger.error('queue-refused', { code: errorCode(error), eventCount: events.length });
    return answer(503, 'The events could not be queued; deliver them again.');
  }
  services.logger.info('webhook-received', { eventCount: events.length, queued: messages.length, counts });
  return answer(200, 'ok');
}

/** Logs the reason as a code, with the ids that name the request in the API's access log. */
function refuse(
  { logger }: ReceiverServices,
  { routeKey: route, requestContext: { requestId } }: HttpEvent,
  {
    status,
    reason,
    eventCount,
  }: { readonly status: number; readonly reason: string; readonly eventCount?: number | undefined },
): GatewayResult {
  logger.warn('webhook-refused', { route, status, reason, requestId, eventCount });
  return answer(status, `Refused: ${reason}.`);
}

function answer(statusCode: number, text: string): GatewayResult {
  return { statusCode, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

/**
 * Sends each message to its lane's queue. Tries every lane.
 * @throws UpstreamError `QUEUE_REFUSED` after all lanes were tried.
 */
async function sendByLane(
  queues: Readonly<Record<Lane, WorkQueue>>,
  messages: readonly WorkMessage[],
): Promise<void> {
  const lanes = [...Map.groupBy(messages, laneOfMessage)];
  const sent = await Promise.allSettled(lanes.map(([lane, group]) => queues[lane].send(group)));
  const refused = sent.find((result) => result.status === 'rejected');
  if (refused) throw refused.reason;
}
