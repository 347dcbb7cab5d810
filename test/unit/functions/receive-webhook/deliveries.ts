import { signWebhook } from '#shared/hubspot';
import {
  createHandler,
  type HttpEvent,
  type ReceiverServices,
} from '../../../../functions/receive-webhook/handler.ts';
import { createMemoryQueue } from '../../../../infra/local/virtual/memory-queue.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { oneQueue } from '../../../harness/one-queue.ts';

const SECRET = 'client-secret';
const PUBLIC_URL = 'https://hooks.example/hubspot?stage=live';
export const OWN_APP_ID = '7001';
export const NOW_MS = Date.UTC(2026, 10, 21, 12);

/** A receiver with its queue and its log. */
export function createDesk(settings: Partial<ReceiverServices> = {}) {
  const clock = createManualClock({ startMs: NOW_MS });
  const queue = createMemoryQueue({ clock, visibilityMs: 1_000, maxReceiveCount: 5 });
  const logs: { readonly event: string; readonly fields: unknown }[] = [];
  const log = (event: string, fields?: unknown) => void logs.push({ event, fields });
  const receive = createHandler({
    queues: oneQueue(queue),
    clientSecret: async () => SECRET,
    publicUrl: PUBLIC_URL,
    ownAppId: OWN_APP_ID,
    clock,
    logger: { info: log, warn: log, error: log },
    ...settings,
  });
  return { queue, logs, receive, queued: () => queue.accepted().map((body) => JSON.parse(body)) };
}

interface Delivery {
  readonly body: string;
  readonly timestampMs?: number;
  readonly secret?: string;
  readonly base64?: boolean;
}

/** A request as API Gateway hands it over, signed as HubSpot signs. */
export function delivery({
  body,
  timestampMs = NOW_MS,
  secret = SECRET,
  base64 = false,
}: Delivery): HttpEvent {
  const signed = signWebhook({
    method: 'POST',
    publicUrl: PUBLIC_URL,
    rawBody: body,
    clientSecret: secret,
    timestampMs,
  });
  return {
    requestContext: { http: { method: 'POST' } },
    headers: { 'content-type': 'application/json', ...signed },
    body: base64 ? Buffer.from(body).toString('base64') : body,
    isBase64Encoded: base64,
  };
}

let made = 0;

/** One event as HubSpot documents it, of a contact's creation unless told otherwise. */
export function event(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  made += 1;
  return {
    eventId: made,
    subscriptionId: 12,
    portalId: 62_515,
    appId: 54_321,
    occurredAt: NOW_MS,
    subscriptionType: 'object.creation',
    attemptNumber: 0,
    objectId: 101,
    objectTypeId: '0-1',
    changeSource: 'CRM_UI',
    sourceId: 'userId:1001',
    changeFlag: 'CREATED',
    ...more,
  };
}
