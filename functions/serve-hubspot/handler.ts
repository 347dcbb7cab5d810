import { OBJECT_TYPES, type RecordName, readAsker } from '#shared/crm';
import { type HomeItems, homeKind, withStopInForce } from '#shared/home';
import { type SignedRequest, verifyActionSignature, verifyWebhookSignature } from '#shared/hubspot';
import {
  type Clock,
  errorCode,
  type Logger,
  parseJson,
  type QueryValues,
  readQuery,
  UpstreamError,
} from '#shared/kernel';
import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import type { BreakerState } from '#shared/questions';
import {
  type OwnPortal,
  type RecordState,
  standingOfEvent,
  type WordedStanding,
  withWords,
} from '#shared/records';
import {
  type ActionExecution,
  EXECUTION_DAYS,
  eventKeyOfExecution,
  eventKeyOfRequest,
  type PersonRequest,
  type Reply,
  type RequestItems,
  refusedReply,
  requestKind,
  type ViewServices,
  viewRecord,
  type WishSchema,
} from '#shared/requests';
import type { Reviews, ShownPreview } from '#shared/review';
import { change } from '#shared/store';
import { NO_RECORD, type WorkQueue } from '#shared/work-queue';
import {
  actionRequestSchema,
  cardRequestSchema,
  homeRequestSchema,
  type Viewer,
  viewerQuerySchema,
  wishRequestSchema,
} from './schemas.ts';

function json(statusCode: number, body: object): GatewayResult {
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

/** `reason` is a word from a fixed list. */
function refusal(statusCode: number, reason: string): GatewayResult {
  return json(statusCode, { refused: reason });
}

export interface ServeServices extends ViewServices {
  readonly requests: RequestItems;
  /** Schemas of the requests that the extensions carry out, by the page that sends them. */
  readonly wishSchemas: Readonly<Record<'card' | 'home', readonly WishSchema[]>>;
  readonly reviews: Pick<Reviews, 'read' | 'readPreview'>;
  /** Tells whether a person has stopped spending. */
  readonly breakers: { read(): Promise<Pick<BreakerState, 'stopped'>> };
  /** The content of the home page, which the sweep stores. */
  readonly homes: Pick<HomeItems, 'read'>;
  /** `urgent` receives people's requests, and `bulk` receives executions of workflows. */
  readonly queues: { readonly urgent: WorkQueue; readonly bulk: WorkQueue };
  readonly portal: Pick<OwnPortal, 'known'>;
  /** The app's client secret, with which HubSpot signs. */
  readonly clientSecret: () => Promise<string>;
  /** The webhook's target URL. The routes are under this URL, and signatures include it. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A request with a valid signature of HubSpot. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly text: string;
  readonly query: QueryValues;
}

export interface RefusedRequest {
  readonly kind: 'refused';
  readonly status: number;
  /** A word from a fixed list. */
  readonly reason: string;
}

/** HubSpot's own limit for requests and responses. */
const MAX_BODY_CHARACTERS = 1_400_000;

/**
 * Checks the signature before anything else is read. Requests of extensions have a version 3 signature, which contains
 * a time. A workflow's action has a version 2 signature, without a time, and version 2 is accepted only for this
 * action.
 */
async function admit(
  services: ServeServices,
  event: GatewayEvent,
  { isAction, path }: { readonly isAction: boolean; readonly path: string },
): Promise<Admitted | RefusedRequest> {
  const { body = '', isBase64Encoded, headers, rawQueryString } = event;
  if (body.length > MAX_BODY_CHARACTERS) return refused(413, 'body-too-large');
  const clientSecret = await readSecret(services);
  if (clientSecret === undefined) return refused(503, 'not-ready');
  const raw = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const request: SignedRequest = {
    method: event.requestContext.http.method,
    publicUrl: `${services.publicUrl}${path}${rawQueryString === '' ? '' : `?${rawQueryString}`}`,
    rawBody: raw,
    clientSecret,
  };
  const verdict = isAction
    ? verifyActionSignature({ ...request, headers })
    : verifyWebhookSignature({ ...request, headers, nowMs: services.clock.now() });
  if (verdict.kind === 'refused') return refused(401, verdict.reason);
  const query = readQuery(rawQueryString);
  if (!query) return refused(400, 'repeated-parameter');
  return { kind: 'admitted', text: raw.toString('utf8'), query };
}

/**
 * Whether the request is for the account of this installation. While this account is unknown, no request is admitted.
 */
async function isOwnPortal(
  { portal }: Pick<ServeServices, 'portal'>,
  portalId: string | undefined,
): Promise<boolean> {
  return portalId !== undefined && (await portal.known())?.portalId === portalId;
}

async function readSecret({ clientSecret, logger }: ServeServices): Promise<string | undefined> {
  try {
    return await clientSecret();
  } catch (error) {
    logger.error('secret-unreadable', { code: errorCode(error) });
    return undefined;
  }
}

function refused(status: number, reason: string): RefusedRequest {
  return { kind: 'refused', status, reason };
}

/** The reply to a request, with the values of a preview. */
export type ShownReply =
  | Exclude<Reply, { readonly kind: 'previewed' }>
  | ({ readonly kind: 'previewed' } & ShownPreview);

/**
 * Stores a person's request before its message is sent, so that the worker finds it. A request that is repeated with
 * the same id is carried out a single time.
 */
async function queueRequest(services: ServeServices, wanted: PersonRequest): Promise<GatewayResult> {
  const { requests, clock, queues } = services;
  const item = { key: requestKind.key({ request: wanted.id }), kind: 'request', clock };
  const { stored } = await change(requests, item, (known) => ({
    stored: known?.request ?? wanted,
    value: known ? undefined : { request: wanted },
  }));
  if (!isSameRequest(stored, wanted)) return refusal(409, 'id-in-use');
  if (!stored.reply) {
    const name = 'recordId' in stored ? { objectType: stored.objectType, id: stored.recordId } : NO_RECORD;
    await queues.urgent.send([{ ...name, purpose: 'manual', eventKeys: [], request: stored.id }]);
  }
  return json(202, { id: wanted.id });
}

/** Reads a request that an extension carries out; `undefined` if no extension knows it, or if it is unreadable. */
function readWished(schemas: readonly WishSchema[], body: unknown) {
  const { data } = wishRequestSchema.safeParse(body);
  const [wish] = schemas.flatMap((schema) => schema.safeParse(body).data ?? []);
  return data && wish && { ...data, wish };
}

/** Fields that the worker fills. */
const WORKERS_OWN = { reply: undefined, chosen: undefined, claimedUntilMs: undefined } as const;

/** Whether two requests have the same content. The time and the worker's fields may differ. */
function isSameRequest(stored: PersonRequest, wanted: PersonRequest): boolean {
  return contentOf(stored) === contentOf(wanted);
}

function contentOf(request: PersonRequest): string {
  const fields = Object.entries({ ...request, askedAtMs: 0, ...WORKERS_OWN });
  return JSON.stringify(fields.filter(([, value]) => value !== undefined).sort());
}

/**
 * @returns `undefined` while no reply exists. Also `undefined` if another user requested the values, because only this
 * user may see them.
 */
async function replyTo(
  { reviews }: Pick<ServeServices, 'reviews'>,
  request: PersonRequest,
  askedBy: string | undefined,
): Promise<ShownReply | undefined> {
  const { reply } = request;
  if (reply?.kind !== 'previewed') return reply;
  // Without an id, one user cannot be told from another.
  const isSameUser = request.askedBy === askedBy && askedBy?.includes(':');
  if (!('recordId' in request) || !isSameUser) return undefined;
  const { id, objectType, recordId } = request;
  const shown = await reviews.readPreview({ objectType, id: recordId }, id);
  if (!shown) return refusedReply('preview-expired', {});
  const { says, changes, fitsIdentifier } = shown;
  return { kind: 'previewed', says, changes, fitsIdentifier };
}

/** The progress of the request that the card waits for. */
export interface RequestProgress {
  /** Progress of an enrichment. */
  readonly standing?: WordedStanding;
  /** Reply to any other request. */
  readonly reply?: ShownReply | undefined;
}

/** Returns the stored data about a record, and the progress of a request. Changes nothing. */
async function showRecord(services: ServeServices, name: RecordName, query: Viewer): Promise<GatewayResult> {
  const { stopped } = await services.breakers.read();
  const isStoppedByPerson = stopped !== undefined;
  const { view, state } = await viewRecord(services, name, isStoppedByPerson);
  if (query.request === undefined) return json(200, { view });
  return json(200, { view, progress: await progressOf(services, { name, query, state, isStoppedByPerson }) });
}

async function progressOf(
  services: ServeServices,
  {
    name,
    query: { request: requestId = '', askedBy },
    state,
    isStoppedByPerson,
  }: {
    readonly name: RecordName;
    readonly query: Viewer;
    readonly state: RecordState;
    readonly isStoppedByPerson: boolean;
  },
): Promise<RequestProgress> {
  const stored = (await services.requests.read(requestKind.key({ request: requestId })))?.value.request;
  if (stored && 'recordId' in stored && stored.objectType === name.objectType && stored.recordId === name.id)
    return { reply: await replyTo(services, stored, askedBy) };
  const eventKey = eventKeyOfRequest(requestId);
  const wish = { eventKey, recordId: name.id, nowMs: services.clock.now(), isStoppedByPerson };
  return { standing: withWords(standingOfEvent(state, wish)) };
}

/** Queues a person's request about a record. A repeated request for an enrichment opens only one run. */
async function takeRequest(
  services: ServeServices,
  name: RecordName,
  { text, askedBy }: Viewer & { readonly text: string },
): Promise<GatewayResult> {
  const body = parseJson(text);
  const { data: request } = cardRequestSchema.safeParse(body);
  if (request?.kind === 'enrich') {
    const { id, maxCredits } = request;
    const eventKeys = [eventKeyOfRequest(id)];
    await services.queues.urgent.send([
      { ...name, purpose: 'manual', eventKeys, asked: { maxCredits }, askedBy },
    ]);
    return json(202, { id });
  }
  const { objectType, id: recordId } = name;
  const askedAtMs = services.clock.now();
  const asked = { objectType, recordId, askedAtMs, askedBy };
  if (request) return queueRequest(services, { ...request, ...asked });
  const wished = readWished(services.wishSchemas.card, body);
  if (!wished) return refusal(400, 'unreadable-request');
  return queueRequest(services, { ...wished, ...asked, kind: 'record-wish' });
}

/**
 * Accepts an execution of the workflow's action. HubSpot blocks the execution until the sweep reports how the record's
 * run ended. The signature of this request contains no time, so the request can be replayed. A replay spends nothing,
 * because its callback id is already stored.
 */
async function takeExecution(services: ServeServices, text: string): Promise<GatewayResult> {
  const parsed = actionRequestSchema.safeParse(parseJson(text));
  if (!parsed.success) return refusal(400, 'unreadable-request');
  const { callbackId, context, origin, object } = parsed.data;
  if (!(await isOwnPortal(services, origin.portalId))) return refusal(403, 'other-portal');
  const { objectType, objectId: id } = object;
  const execution = { callbackId, objectType, recordId: id, askedAtMs: services.clock.now() };
  if ((await storeExecution(services, execution)) === 'open')
    await services.queues.bulk.send([
      {
        objectType,
        id,
        purpose: 'workflow',
        asked: { byWorkflow: true },
        askedBy: readAsker(`workflow:${context?.workflowId}`),
        eventKeys: [eventKeyOfExecution(callbackId)],
      },
    ]);
  return json(200, { outputFields: BLOCKED });
}

/**
 * Stores the execution before its message is sent, so that the sweep finds it.
 * @returns `done` if the result was already reported to HubSpot.
 */
async function storeExecution(
  { requests, clock }: ServeServices,
  execution: ActionExecution,
): Promise<'open' | 'done'> {
  const item = { key: requestKind.key({ execution: execution.callbackId }), kind: 'execution', clock };
  const { stored } = await change(requests, item, (known) => ({
    stored: known?.execution ?? execution,
    value: known ? undefined : { execution },
  }));
  return stored.doneAtMs === undefined ? 'open' : 'done';
}

/**
 * Output that makes HubSpot block the execution until we complete it, at most for this ISO 8601 duration. Source:
 * "Asynchronous custom action execution".
 */
const BLOCKED = { hs_execution_state: 'BLOCK', hs_expiration_duration: `P${EXECUTION_DAYS}D` } as const;

/**
 * Returns the home page as it was stored, with the stop in force now; no view before the first sweep. If the query
 * names a request, also returns the request's reply, if it exists. Changes nothing.
 */
async function showHome(
  services: Pick<ServeServices, 'homes' | 'requests' | 'reviews' | 'breakers'>,
  { request: requestId, askedBy }: Viewer,
): Promise<GatewayResult> {
  const stored = (await services.homes.read(homeKind.key()))?.value;
  const view = stored && withStopInForce(stored, await services.breakers.read());
  if (requestId === undefined) return json(200, { view });
  const request = (await services.requests.read(requestKind.key({ request: requestId })))?.value.request;
  const reply = request && (await replyTo(services, request, askedBy));
  return json(200, { view, reply });
}

/** Queues a person's decision about the installation. */
async function takeDecision(
  services: ServeServices,
  { text, askedBy }: Viewer & { readonly text: string },
): Promise<GatewayResult> {
  const body = parseJson(text);
  const asked = { askedAtMs: services.clock.now(), askedBy };
  const { data } = homeRequestSchema.safeParse(body);
  if (data) return queueRequest(services, { ...data, ...asked });
  const wished = readWished(services.wishSchemas.home, body);
  if (!wished) return refusal(400, 'unreadable-request');
  return queueRequest(services, { ...wished, ...asked, kind: 'home-wish' });
}

type Route =
  | { readonly kind: 'action' }
  | { readonly kind: 'home' | 'decide' }
  | { readonly kind: 'show'; readonly record: RecordName }
  | { readonly kind: 'request'; readonly record: RecordName };

/**
 * Serves the pages inside HubSpot: the card of a record and the app's home page. Also serves the action of workflows.
 * This function only shows stored data and queues requests. The worker spends credits, reads answers and writes to
 * HubSpot. The pages poll for the worker's reply.
 *
 * - 400: a parameter or the body is unreadable, or a parameter is repeated. Nothing is changed.
 * - 401, 403: the request has no valid signature of HubSpot for this address and time, or it is for another account.
 *   Nothing is shown or changed.
 * - 503: the secret, the store, the queue or HubSpot failed. The same request can be sent again.
 */
export function createHandler(services: ServeServices) {
  return async (event: GatewayEvent): Promise<GatewayResult> => {
    const result = await resultOf(services, event);
    const { statusCode: status, body } = result;
    if (status < 400) services.logger.info('hubspot-served', { status });
    else {
      const { routeKey: route, requestContext } = event;
      const { requestId } = requestContext;
      services.logger.warn('hubspot-refused', { route, status, reason: reasonOf(body), requestId });
    }
    return result;
  };
}

async function resultOf(services: ServeServices, event: GatewayEvent): Promise<GatewayResult> {
  const path = pathOf(event);
  const route = routeOf(event.requestContext.http.method, path);
  const admitted = await admit(services, event, { isAction: path === ACTION_PATH, path });
  if (admitted.kind === 'refused') return refusal(admitted.status, admitted.reason);
  if (!route) return refusal(404, 'no-such-route');
  try {
    return await answer(services, route, admitted);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { code, status, requestId, retryable } = error;
    services.logger.warn('hubspot-unserved', { code, status, requestId, retryable });
    return refusal(503, 'try-again');
  }
}

async function answer(
  services: ServeServices,
  route: Route,
  { text, query }: Admitted,
): Promise<GatewayResult> {
  if (route.kind === 'action') return takeExecution(services, text);
  const parsed = viewerQuerySchema.safeParse(query);
  if (!parsed.success) return refusal(400, 'unreadable-request');
  const { portalId, userId = '' } = parsed.data;
  if (!(await isOwnPortal(services, portalId))) return refusal(403, 'other-portal');
  const viewer = { request: parsed.data.request, askedBy: readAsker(`user:${userId}`) };
  switch (route.kind) {
    case 'home':
      return showHome(services, viewer);
    case 'decide':
      return takeDecision(services, { ...viewer, text });
    case 'show':
      return showRecord(services, route.record, viewer);
    case 'request':
      return takeRequest(services, route.record, { ...viewer, text });
  }
}

const HOME_PATH = '/home';
const DECISIONS_PATH = '/home/requests';
const ACTION_PATH = '/workflow-actions/enrich';
/** Matches the webhook's address at the start of a path, on any domain. */
const BASE = /^.*?\/hubspot(?=\/)/;

function pathOf({ rawPath }: GatewayEvent): string {
  return rawPath.replace(BASE, '');
}

const RECORD_PATH = new RegExp(`^/records/(${OBJECT_TYPES.join('|')})/(\\d{1,20})(/requests)?$`);

function routeOf(method: string, path: string): Route | undefined {
  if (path === ACTION_PATH) return method === 'POST' ? { kind: 'action' } : undefined;
  if (path === HOME_PATH) return method === 'GET' ? { kind: 'home' } : undefined;
  if (path === DECISIONS_PATH) return method === 'POST' ? { kind: 'decide' } : undefined;
  const [, type, id = '', requests] = RECORD_PATH.exec(path) ?? [];
  const objectType = OBJECT_TYPES.find((each) => each === type);
  if (!objectType) return undefined;
  const record = { objectType, id };
  if (requests !== undefined) return method === 'POST' ? { kind: 'request', record } : undefined;
  return method === 'GET' ? { kind: 'show', record } : undefined;
}

function reasonOf(body: string): unknown {
  return JSON.parse(body).refused;
}
