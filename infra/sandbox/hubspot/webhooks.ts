import { createHash, createHmac } from 'node:crypto';
import { HOUR_MS, inChunks, MINUTE_MS } from '../../../shared/kernel/index.ts';
import type { SandboxSettings } from './settings.ts';
import {
  type Actor,
  type ObjectTypeId,
  type PendingEvent,
  type Portal,
  singularName,
  type WebhookPayload,
} from './state.ts';

type EventKind =
  | 'creation'
  | 'propertyChange'
  | 'deletion'
  | 'privacyDeletion'
  | 'merge'
  | 'restore'
  | 'associationChange';

interface PortalEvent {
  readonly kind: EventKind;
  readonly typeId: ObjectTypeId;
  readonly objectId: string;
  readonly actor: Actor;
  /** For `propertyChange`: the property that a subscription must name. */
  readonly propertyName?: string;
  readonly fields?: WebhookPayload;
}

/** Properties whose changes are never announced. HubSpot refuses subscriptions to them. */
const NEVER_ANNOUNCED = ['hs_lastmodifieddate', 'num_unique_conversion_events'];

/** Event ids are drawn below this number. */
const EVENT_IDS = 2 ** 31;

/** Longest delay of the second copy of an event, milliseconds. */
const DUPLICATE_LAG_MS = 10_000;

/** Queues the event once for each matching subscription. Without a matching subscription, the event is dropped. */
export function announce(portal: Portal, event: PortalEvent): void {
  if (portal.state.settings.lostEvents.includes(event.kind)) return;
  if (event.propertyName !== undefined && NEVER_ANNOUNCED.includes(event.propertyName)) return;
  for (const subscriptionId of matchingSubscriptions(portal.state.settings, event)) {
    const payload = payloadOf(portal, { event, subscriptionId });
    const creationOf = event.kind === 'creation' ? `${event.typeId}:${event.objectId}` : undefined;
    if (creationOf) portal.state.creations[creationOf] = { payload, lastAttempt: 0 };
    enqueue(portal, { payload, attempt: 0, ...(creationOf && { creationOf }) });
    if (portal.random() < portal.state.settings.duplicateRate) {
      const delayMs = portal.random() < 0.5 ? 0 : Math.floor(portal.random() * DUPLICATE_LAG_MS);
      enqueue(portal, { payload, attempt: 0, delayMs });
    }
  }
}

/** Queues the creation event of a record again. @returns false if there is none. */
export function announceAgain(portal: Portal, creationOf: string): boolean {
  const creation = portal.state.creations[creationOf];
  if (!creation) return false;
  creation.lastAttempt += 1;
  enqueue(portal, { payload: creation.payload, attempt: creation.lastAttempt, creationOf });
  return true;
}

function enqueue(
  portal: Portal,
  {
    delayMs = 0,
    ...entry
  }: { payload: WebhookPayload; attempt: number; creationOf?: string; delayMs?: number },
): void {
  const key = portal.state.nextEventKey++;
  portal.state.pendingEvents.push({ key, dueAt: portal.clock.now() + delayMs, ...entry });
  portal.wake.resolve();
}

/** Ids of the active subscriptions that match the event. An id is the subscription's number in the list. */
function matchingSubscriptions({ subscriptions }: SandboxSettings, event: PortalEvent): number[] {
  const objectType = singularName(event.typeId);
  const crm = subscriptions.crmObjects.map(
    (one) =>
      one.active &&
      one.objectType === objectType &&
      one.subscriptionType.endsWith(`.${event.kind}`) &&
      (event.kind !== 'propertyChange' || one.propertyName === event.propertyName),
  );
  const hub = subscriptions.hubEvents.map(
    (one) => one.active && one.subscriptionType === `${objectType}.${event.kind}`,
  );
  return [...crm, ...hub].flatMap((wanted, index) => (wanted ? [7_662_001 + index] : []));
}

function payloadOf(
  portal: Portal,
  { event, subscriptionId }: { event: PortalEvent; subscriptionId: number },
): WebhookPayload {
  const { settings } = portal.state;
  const classic = settings.eventStyle === 'classic' || event.kind === 'privacyDeletion';
  const prefix = classic ? singularName(event.typeId) : 'object';
  return {
    eventId: Math.floor(portal.random() * EVENT_IDS),
    subscriptionId,
    portalId: settings.portalId,
    appId: settings.appId,
    occurredAt: portal.clock.now(),
    subscriptionType: `${prefix}.${event.kind}`,
    objectId: Number(event.objectId),
    ...(classic ? {} : { objectTypeId: event.typeId }),
    changeSource: changeSourceOf(settings, event.actor),
    sourceId: event.actor.sourceId,
    ...event.fields,
  };
}

function changeSourceOf(settings: SandboxSettings, { sourceType }: Actor): string {
  if (sourceType === 'INTEGRATION') return settings.changeSource;
  return sourceType === 'CRM_UI' ? settings.personChangeSource : sourceType;
}

/** Sends one webhook request. In tests, it is the receiver's handler. */
export type Send = (request: Request) => Promise<Response>;

/** Counts of events, except `requests`. */
export interface DeliveryReport {
  readonly requests: number;
  readonly delivered: number;
  readonly failed: number;
  /** Events dropped after the last attempt. */
  readonly dropped: number;
  readonly pending: number;
}

const EVENTS_PER_REQUEST = 100;
const REQUESTS_IN_FLIGHT = 10;
/** Delays of the ten retries. The last retry is within 24 hours. HubSpot does not publish the intervals. */
const RETRY_DELAYS_MS = [
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  40 * MINUTE_MS,
  1.5 * HOUR_MS,
  3 * HOUR_MS,
  5 * HOUR_MS,
  8 * HOUR_MS,
];
/** Random variation of each delay, as a share. With it, all delays together are at most 23.5 hours. */
const RETRY_JITTER = 0.25;

export function createWebhookSender(portal: Portal, send: Send) {
  /**
   * Keys of events that are being sent. The events stay in the state until then, so a save does not lose them. The
   * keys prevent that an event is sent twice.
   */
  const inFlight = new Set<number>();
  const deliver = async (): Promise<DeliveryReport> => {
    const batches = dueBatches(portal, inFlight);
    const results: boolean[] = [];
    for (const wave of inChunks(batches, REQUESTS_IN_FLIGHT)) {
      results.push(...(await Promise.all(wave.map((events) => sendBatch({ portal, send, events })))));
    }
    return settle(portal, { batches, results, inFlight });
  };
  return { deliver, run: (signal: AbortSignal) => deliverContinuously(portal, deliver, signal) };
}

function dueBatches(portal: Portal, inFlight: Set<number>): readonly (readonly PendingEvent[])[] {
  if (portal.state.settings.webhookUrl === null) return [];
  const now = portal.clock.now();
  const due = portal.state.pendingEvents.filter((event) => event.dueAt <= now && !inFlight.has(event.key));
  for (const event of due) inFlight.add(event.key);
  return inChunks(portal.state.settings.outOfOrder ? shuffled(portal, due) : due, EVENTS_PER_REQUEST);
}

/** Sends a batch of events. @returns whether the receiver accepted it, by an answer below 400 in time. */
async function sendBatch(delivery: {
  portal: Portal;
  send: Send;
  events: readonly PendingEvent[];
}): Promise<boolean> {
  const { portal, send, events } = delivery;
  const { webhookTimeoutMs } = portal.state.settings;
  const late = new AbortController();
  const done = new AbortController();
  const timeout = async () => {
    await portal.clock.sleep(webhookTimeoutMs, done.signal);
    late.abort(new Error('The receiver did not answer in time.'));
    return false;
  };
  const attempt = async () => {
    const response = await send(signedRequest({ portal, events, signal: late.signal }));
    await response.body?.cancel();
    return response.status < 400;
  };
  // A refused connection, a timeout and a cancelled timer all count as no answer.
  const answers = [attempt().catch(() => false)];
  if (webhookTimeoutMs > 0) answers.push(timeout().catch(() => false));
  const taken = await Promise.race(answers);
  done.abort();
  return taken;
}

function signedRequest(delivery: {
  portal: Portal;
  events: readonly PendingEvent[];
  signal: AbortSignal;
}): Request {
  const { portal, events, signal } = delivery;
  const { clientSecret: secret, webhookUrl, signatureVersion } = portal.state.settings;
  const url = webhookUrl ?? '';
  const body = JSON.stringify(events.map(({ payload, attempt }) => ({ ...payload, attemptNumber: attempt })));
  const timestamp = portal.clock.now();
  const headers = new Headers({ 'content-type': 'application/json', 'user-agent': 'HubSpot sandbox' });
  if (signatureVersion === 'v1') {
    headers.set('X-HubSpot-Signature', createHash('sha256').update(`${secret}${body}`, 'utf8').digest('hex'));
    headers.set('X-HubSpot-Signature-Version', 'v1');
  } else {
    headers.set('X-HubSpot-Signature-v3', signV3({ secret, method: 'POST', url, body, timestamp }));
    headers.set('X-HubSpot-Request-Timestamp', String(timestamp));
  }
  return new Request(url, { method: 'POST', headers, body, signal });
}

function settle(
  portal: Portal,
  {
    batches,
    results,
    inFlight,
  }: { batches: readonly (readonly PendingEvent[])[]; results: readonly boolean[]; inFlight: Set<number> },
): DeliveryReport {
  const { state } = portal;
  const gone = new Set<number>();
  const counts = { delivered: 0, failed: 0, dropped: 0 };
  for (const [index, events] of batches.entries()) {
    for (const event of events) {
      inFlight.delete(event.key);
      const outcome = results[index] ? 'delivered' : postpone(portal, event);
      counts[outcome] += 1;
      if (outcome !== 'failed') gone.add(event.key);
    }
  }
  state.pendingEvents = state.pendingEvents.filter((event) => !gone.has(event.key));
  return { requests: batches.length, ...counts, pending: state.pendingEvents.length };
}

function postpone(portal: Portal, event: PendingEvent): 'failed' | 'dropped' {
  const base = RETRY_DELAYS_MS[event.attempt];
  if (base === undefined) return 'dropped';
  const jitter = 1 + RETRY_JITTER * (2 * portal.random() - 1);
  event.attempt += 1;
  event.dueAt = portal.clock.now() + Math.round(base * jitter * portal.state.settings.webhookRetryScale);
  const creation = event.creationOf ? portal.state.creations[event.creationOf] : undefined;
  if (creation) creation.lastAttempt = Math.max(creation.lastAttempt, event.attempt);
  return 'failed';
}

function shuffled(portal: Portal, events: readonly PendingEvent[]): PendingEvent[] {
  return events
    .map((event) => ({ event, place: portal.random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ event }) => event);
}

/** Delivers due events, after a short wait in which more events can join. */
async function deliverContinuously(
  portal: Portal,
  deliver: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    portal.wake = Promise.withResolvers();
    await untilDue(portal, signal);
    await pause(portal, { ms: portal.state.settings.webhookDelayMs, signal });
    if (!signal.aborted) await deliver();
  }
}

/** Waits until an event is due, an event or a setting changes, or the signal is aborted. */
async function untilDue(portal: Portal, signal: AbortSignal): Promise<void> {
  const dueAt = Math.min(...portal.state.pendingEvents.map((event) => event.dueAt));
  const idle = portal.state.settings.webhookUrl === null || dueAt === Number.POSITIVE_INFINITY;
  const waitMs = dueAt - portal.clock.now();
  if (!idle && waitMs <= 0) return;
  const woken = new AbortController();
  const stop = () => portal.wake.resolve();
  signal.addEventListener('abort', stop);
  const timer = idle ? [] : [pause(portal, { ms: waitMs, signal: woken.signal })];
  await Promise.race([portal.wake.promise, ...timer]);
  woken.abort();
  signal.removeEventListener('abort', stop);
}

async function pause(portal: Portal, { ms, signal }: { ms: number; signal: AbortSignal }): Promise<void> {
  try {
    await portal.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The only escapes that HubSpot decodes before it signs an address. */
const DECODED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
};

interface Signed {
  readonly secret: string;
  readonly method: string;
  /** Scheme, host, path and query as configured. */
  readonly url: string;
  readonly body: string;
  /** Epoch milliseconds. */
  readonly timestamp: number;
}

/** `X-HubSpot-Signature-v3`: base64 of the HMAC-SHA256 of method, address, body and timestamp, without separators. */
export function signV3({ secret, method, url, body, timestamp }: Signed): string {
  const uri = url.replace(/%[0-9a-f]{2}/gi, (code) => DECODED[code.toUpperCase()] ?? code);
  return createHmac('sha256', secret).update(`${method}${uri}${body}${timestamp}`, 'utf8').digest('base64');
}
