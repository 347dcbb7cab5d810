import { ConnectionReset } from '../../connection-reset.ts';
import { refusalOf } from '../../own-pages-only.ts';
import { CALLBACK_ROUTES } from '../extensions/executions.ts';
import { ASSOCIATION_ROUTES } from '../objects/association-routes.ts';
import { BATCH_ROUTES } from '../objects/batch-routes.ts';
import { MERGE_ROUTES } from '../objects/merge-routes.ts';
import { OBJECT_ROUTES } from '../objects/object-routes.ts';
import { objectTypeIdOf, pluralName } from '../objects/object-types.ts';
import { SEARCH_ROUTES } from '../objects/search.ts';
import { appActor, type Portal } from '../portal.ts';
import { GROUP_ROUTES } from '../properties/group-routes.ts';
import { PROPERTY_ROUTES } from '../properties/property-routes.ts';
import { VALIDATION_ROUTES } from '../properties/validation-routes.ts';
import { screenFor } from '../screens/screens.ts';
import { ACCOUNT_ROUTES } from './account-routes.ts';
import { ApiError, badRequest, failureBody, newCorrelationId, notFound } from './api-error.ts';
import { applyFault } from './faults.ts';
import { isJsonObject } from './json.ts';
import { rateLimitHeaders, takeAllowance } from './rate-limits.ts';
import { countRequest } from './request-log.ts';
import type { Call, Reply, Route } from './route.ts';
import { createRouter, type Match } from './router.ts';
import { sandboxReply } from './sandbox-verbs.ts';
import type { SandboxActions } from './verb.ts';

/** The router uses the first matching route, so `search`, `merge` and `groups` come before `{id}` and `{name}`. */
const findRoute = createRouter([
  ...SEARCH_ROUTES,
  ...MERGE_ROUTES,
  ...BATCH_ROUTES,
  ...ASSOCIATION_ROUTES,
  ...OBJECT_ROUTES,
  ...GROUP_ROUTES,
  ...PROPERTY_ROUTES,
  ...VALIDATION_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CALLBACK_ROUTES,
]);

interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly bodyText: string;
  readonly signal: AbortSignal;
}

/** Answers one request. The steps are latency, fault, token, rate limit, scope and work, in this order. */
export function createFrontDoor(portal: Portal, actions: SandboxActions) {
  return async (request: Request): Promise<Response> => {
    const screen = await screenFor(request, { portal, actions });
    if (screen) return screen;
    // Programs send no Origin header. A browser sends the origin of its page.
    const refusal = refusalOf(request, { writes: false });
    if (refusal) return refusal;
    const incoming = await read(request);
    if (incoming.path.startsWith('/_sandbox/')) {
      const reply = await safely(() =>
        sandboxReply({ portal, actions, ...incoming, body: parsed(incoming) }),
      );
      return toResponse(portal, reply);
    }
    const { latencyMs } = portal.state.settings;
    if (latencyMs > 0) await portal.clock.sleep(latencyMs, request.signal);
    const { reply: faulty, resetAfterWork } = await applyFault({ portal, ...incoming });
    const match = findRoute(incoming.method, incoming.path);
    const reply = faulty ?? (await safely(() => answer(portal, { incoming, match })));
    const path = typeof match === 'object' ? match.route.path : incoming.path;
    countRequest(portal, { method: incoming.method, path, status: reply.status });
    if (resetAfterWork) throw new ConnectionReset(true);
    return toResponse(portal, reply);
  };
}

async function read(request: Request): Promise<Incoming> {
  const url = new URL(request.url);
  const { method, headers, signal } = request;
  const bodyText = await request.text();
  return { method, path: url.pathname, query: url.searchParams, headers, bodyText, signal };
}

interface Found {
  readonly incoming: Incoming;
  readonly match: ReturnType<typeof findRoute>;
}

function answer(portal: Portal, { incoming, match }: Found): Reply {
  if (incoming.headers.get('authorization') !== `Bearer ${portal.state.settings.accessToken}`) {
    throw new ApiError(unauthorized(incoming.headers.has('authorization')));
  }
  if (match === undefined) throw new ApiError(notFound(`Nothing is at ${incoming.path}.`));
  if (match === 'wrong-method') {
    const message = `The method ${incoming.method} is not allowed at ${incoming.path}.`;
    throw new ApiError({ status: 405, category: 'METHOD_NOT_ALLOWED', message });
  }
  const bucket = match.route.bucket ?? 'general';
  const refused = takeAllowance(portal, bucket);
  const headers = rateLimitHeaders(portal, bucket);
  if (refused) return { ...refused, headers };
  try {
    checkScope(portal, match);
    const reply = match.route.run(callOf(portal, { incoming, match }));
    return { ...reply, headers: { ...headers, ...reply.headers } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { failure } = error;
    throw new ApiError({ ...failure, headers: { ...headers, ...failure.headers } });
  }
}

function callOf(portal: Portal, { incoming, match }: { incoming: Incoming; match: Match }): Call {
  return {
    portal,
    method: incoming.method,
    path: incoming.path,
    params: match.params,
    query: incoming.query,
    body: parsed(incoming),
    bodyLength: incoming.bodyText.length,
    actor: appActor(portal.state.settings),
    newest: match.params['version'] === '2026-09',
  };
}

function parsed({ bodyText }: Incoming): unknown {
  if (bodyText === '') return undefined;
  try {
    return JSON.parse(bodyText);
  } catch {
    throw new ApiError(badRequest('Invalid input JSON: the body could not be read.'));
  }
}

function checkScope(portal: Portal, { route, params }: Match): void {
  const scope = scopeOf(route, params);
  if (scope === undefined || portal.state.settings.scopes.includes(scope)) return;
  const context = { requiredGranularScopes: [scope] };
  throw new ApiError({
    status: 403,
    category: 'MISSING_SCOPES',
    message: "This app hasn't been granted all required scopes to make this call.",
    errors: [{ message: 'One or more of the following scopes are required.', context }],
  });
}

function scopeOf({ needs }: Route, params: Match['params']): string | undefined {
  if (needs === 'account') return 'oauth';
  if (needs === 'automation') return 'automation';
  const typeId = objectTypeIdOf(params['objectType'] ?? params['from'] ?? '');
  if (!needs || !typeId) return undefined;
  const type = pluralName(typeId);
  return needs === 'schema' ? `crm.schemas.${type}.write` : `crm.objects.${type}.${needs}`;
}

function unauthorized(tokenGiven: boolean) {
  const message = tokenGiven ? 'The access token is not valid.' : 'Authentication credentials not found.';
  return { status: 401, category: 'INVALID_AUTHENTICATION', message };
}

async function safely(work: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { failure } = error;
    return { status: failure.status, body: failureBody(failure), headers: failure.headers ?? {} };
  }
}

/** Adds a correlation id to each answer. An error also has it in its body. */
function toResponse(portal: Portal, { status, body, headers = {} }: Reply): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const correlationId = newCorrelationId(portal.random);
  const failed = status >= 400 && isJsonObject(body);
  const said = failed ? { ...body, correlationId } : body;
  return Response.json(said, { status, headers: { ...headers, 'X-HubSpot-Correlation-Id': correlationId } });
}
