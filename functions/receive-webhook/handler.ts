import { verifyWebhookSignature } from '../../shared/hubspot/webhook-signature.ts';
import type { Clock } from '../../shared/kernel/clock.ts';
import type { Logger } from '../../shared/kernel/logger.ts';
import type { WorkQueue } from '../../shared/work-queue/queue.ts';
import { sortEvents } from './sort-events.ts';

export interface ReceiverDeps {
  readonly queue: WorkQueue;
  /** The app's client secret: HubSpot signs with it, not with the access token. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL exactly as it is configured in HubSpot: the signature is over it. */
  readonly publicUrl: string;
  /** Events caused by this app are echoes of our own writes. */
  readonly ownAppId?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The part of an API Gateway HTTP API event (payload 2.0) that the receiver needs. */
export interface HttpEvent {
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  readonly isBase64Encoded: boolean;
}

export interface HttpResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A hundred events of HubSpot's are about 50 KB; a larger body is not a delivery. */
const MAX_BODY_BYTES = 1_000_000;

/**
 * Verifies, drops what is not for us, queues ids, answers. Keeps no state: an event counts as received once the
 * queue has it, so a queue that refuses is answered with 503 and HubSpot delivers again. HubSpot repeats after
 * any status but 2xx; 401 and 400 are for those who are not HubSpot, or for a wrong secret or URL of ours.
 */
export function createHandler(deps: ReceiverDeps) {
  return async (event: HttpEvent): Promise<HttpResult> => {
    const raw = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
    if (raw.length > MAX_BODY_BYTES) return refuse(deps, 413, 'body-too-large');
    const verdict = verifyWebhookSignature({
      method: event.requestContext.http.method,
      publicUrl: deps.publicUrl,
      rawBody: raw,
      headers: event.headers,
      clientSecret: await deps.clientSecret(),
      nowMs: deps.clock.now(),
    });
    if (verdict.kind === 'refused') return refuse(deps, 401, verdict.reason);
    const events = parseArray(raw.toString('utf8'));
    if (!events) return refuse(deps, 400, 'body-not-a-json-array');
    return enqueue(deps, events);
  };
}

async function enqueue(deps: ReceiverDeps, events: readonly unknown[]): Promise<HttpResult> {
  const { messages, counts } = sortEvents(events, { ownAppId: deps.ownAppId });
  try {
    await deps.queue.send(messages);
  } catch (error) {
    const code = error instanceof Error ? error.name : 'UNKNOWN';
    deps.logger.error('queue-refused', { code, eventCount: events.length });
    return answer(503, 'The events could not be queued; deliver them again.');
  }
  deps.logger.info('webhook-received', { eventCount: events.length, queued: messages.length, counts });
  return answer(200, 'ok');
}

function refuse({ logger }: ReceiverDeps, status: number, reason: string): HttpResult {
  logger.warn('webhook-refused', { status, reason });
  return answer(status, `Refused: ${reason}.`);
}

function answer(statusCode: number, text: string): HttpResult {
  return { statusCode, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: text };
}

function parseArray(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
