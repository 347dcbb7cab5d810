import type { Lane } from '#shared/crm';
import { verifyWebhookSignature } from '#shared/hubspot';
import { type Clock, type Logger, parseJson } from '#shared/kernel';
import { laneOfMessage, type WorkMessage, type WorkQueue } from '#shared/work-queue';
import { sortEvents } from './sort-events.ts';

export interface ReceiverServices {
  readonly queues: Readonly<Record<Lane, WorkQueue>>;
  /** The app's client secret: HubSpot signs with it, not with the access token. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL exactly as it is configured in HubSpot: the signature is over it. */
  readonly publicUrl: string;
  /** Events caused by this app are echoes of our own writes. */
  readonly ownAppId?: string | undefined;
  /** The only account whose events are taken. Unless given, those of any: the worker knows which ones are ours. */
  readonly portalId?: string | undefined;
  /** Properties that rules of the policy read: a change of one may admit the record. */
  readonly ruleProperties?: readonly string[] | undefined;
  /** Accept deliveries without any version 3 header by version 1, which legacy private apps are signed with. */
  readonly allowV1?: boolean | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of an API Gateway HTTP API event (payload 2.0) that the receiver needs. */
export interface HttpEvent {
  /** The route that matched, as the API has it: `POST /hubspot`. */
  readonly routeKey?: string | undefined;
  /** `requestId` is the API's, and stands in its access log too. */
  readonly requestContext: {
    readonly http: { readonly method: string };
    readonly requestId?: string | undefined;
  };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

export interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Lambda takes no larger request. A hundred events are about 50 KB, but each may carry a value of 65,536 characters. A
 * smaller bound could refuse a delivery for good.
 */
const MAX_BODY_CHARACTERS = 6_000_000;

/** What `doctor` delivers, signed wrongly too, to see it refused: told in the log as such, and no reason for an alarm. */
const NO_EVENTS = '[]';

/**
 * Verifies, drops what is not for us, queues ids, answers. Keeps no state: an event counts as received once the
 * queue has it. The event is a hint only; the worker reads the record first.
 *
 * HubSpot delivers again after a connection error, five seconds of silence and every status but 2xx: up to ten times
 * within 24 hours, a 4xx like a 5xx. There is no answer that means "never again" but 2xx. Hence:
 *
 * - 200: taken, or not for us (unknown types, other properties, other accounts, our own writes, events that cannot
 *   be read): asking for those again would bring the same again, and hold the good ones of the body up.
 * - 503: the secret could not be read or the queue did not take everything. Ours, passing, and HubSpot's next
 *   delivery is the cure; what the queue had taken comes twice, which the worker recognises by the event keys.
 * - 401: not signed, or not with our secret, for our URL, now. From a stranger that is the end of it; from HubSpot
 *   it means that our secret or URL is wrong, and 24 hours of repetitions are the time to put that right.
 * - 400, 413: signed but no list, or larger than Lambda takes. HubSpot sends neither.
 */
export function createHandler(services: ReceiverServices) {
  return async (event: HttpEvent): Promise<HttpResult> => {
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
    // Whatever it was, it says nothing about the request: 401 would be a lie.
    logger.error('secret-unreadable', { code: nameOf(error) });
    return undefined;
  }
}

async function enqueue(services: ReceiverServices, events: readonly unknown[]): Promise<HttpResult> {
  const { messages, counts } = sortEvents(events, services);
  try {
    await sendByLane(services.queues, messages);
  } catch (error) {
    services.logger.error('queue-refused', { code: nameOf(error), eventCount: events.length });
    return answer(503, 'The events could not be queued; deliver them again.');
  }
  services.logger.info('webhook-received', { eventCount: events.length, queued: messages.length, counts });
  return answer(200, 'ok');
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'UNKNOWN';
}

/** Logs the reason as a code, beside the ids by which the API's access log names the request. */
function refuse(
  { logger }: ReceiverServices,
  { routeKey: route, requestContext: { requestId } }: HttpEvent,
  {
    status,
    reason,
    eventCount,
  }: { readonly status: number; readonly reason: string; readonly eventCount?: number | undefined },
): HttpResult {
  logger.warn('webhook-refused', { route, status, reason, requestId, eventCount });
  return answer(status, `Refused: ${reason}.`);
}

function answer(statusCode: number, text: string): HttpResult {
  return { statusCode, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

/** Sends each message to its lane. @throws UpstreamError `QUEUE_REFUSED`, after every lane had its turn. */
async function sendByLane(
  queues: Readonly<Record<Lane, WorkQueue>>,
  messages: readonly WorkMessage[],
): Promise<void> {
  const lanes = [...Map.groupBy(messages, laneOfMessage)];
  const sent = await Promise.allSettled(lanes.map(([lane, of]) => queues[lane].send(of)));
  const refused = sent.find((one) => one.status === 'rejected');
  if (refused) throw refused.reason;
}
