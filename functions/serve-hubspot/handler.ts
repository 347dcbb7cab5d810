import { OBJECT_TYPES, type RecordName, readAsker } from '#shared/crm';
import { UpstreamError } from '#shared/kernel';
import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import { takeExecution } from './action-route.ts';
import { type Admitted, admit, isOwnPortal } from './admit.ts';
import { refusal } from './answers.ts';
import { showHome, takeDecision } from './home-route.ts';
import { showRecord, takeRequest } from './record-routes.ts';
import { viewerQuerySchema } from './schemas.ts';
import type { ServeServices } from './services.ts';

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
