import { ConnectionReset } from '../connection-reset.ts';
import { refusalOf } from '../own-pages-only.ts';
import {
  ApiError,
  badRequest,
  type Call,
  createRouter,
  failureBody,
  isJsonObject,
  type Match,
  newCorrelationId,
  notFound,
  type Reply,
  type Route,
} from './http.ts';
import { applyFault, countRequest, dailyUsage, rateLimitHeaders, takeAllowance } from './limits.ts';
import { PROPERTY_ROUTES } from './property-routes.ts';
import { ASSOCIATION_ROUTES, RECORD_ROUTES } from './record-routes.ts';
import { iso } from './records.ts';
import { screenFor } from './screens/screens.ts';
import { SEARCH_ROUTES } from './search.ts';
import { appActor, objectTypeIdOf, type Portal, pluralName } from './state.ts';
import { CALLBACK_ROUTES, type SandboxActions, sandboxReply } from './verbs.ts';

const ACCOUNT_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/account-info/2026-09/details', needs: 'account', run: details },
  {
    method: 'GET',
    path: '/account-info/2026-09/api-usage/daily/private-apps',
    needs: 'account',
    run: apiUsage,
  },
  { method: 'POST', path: '/oauth/v2/private-apps/get/access-token-info', run: tokenInfo },
];

/** The router uses the first matching route, so `search`, `merge` and `groups` come before `{id}` and `{name}`. */
const findRoute = createRouter([
  ...SEARCH_ROUTES,
  ...ASSOCIATION_ROUTES,
  ...RECORD_ROUTES,
  ...PROPERTY_ROUTES,
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
    const path = match?.route.path ?? incoming.path;
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

function answer(
  portal: Portal,
  { incoming, match }: { incoming: Incoming; match: ReturnType<typeof findRoute> },
): Reply {
  if (incoming.headers.get('authorization') !== `Bearer ${portal.state.settings.accessToken}`) {
    throw new ApiError(unauthorized(incoming.headers.has('authorization')));
  }
  if (!match) throw new ApiError(notFound(`Nothing is at ${incoming.method} ${incoming.path}.`));
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

/** Returns data about the token in the body. Needs no scope. */
function tokenInfo({ portal, body }: Call): Reply {
  const { accessToken, appId, portalId, scopes } = portal.state.settings;
  if (!isJsonObject(body) || body['tokenKey'] !== accessToken)
    throw new ApiError(badRequest('The token in `tokenKey` is not known.'));
  return { status: 200, body: { userId: USER_ID, hubId: portalId, appId, scopes } };
}

const USER_ID = 1_001;

function details({ portal }: Call): Reply {
  const { portalId, accountType, timeZone, currency } = portal.state.settings;
  const body = { portalId, accountType, timeZone, companyCurrency: currency, uiDomain: 'app.hubspot.com' };
  return { status: 200, body };
}

function apiUsage({ portal }: Call): Reply {
  const { limit, used, resetsAt } = dailyUsage(portal);
  return {
    status: 200,
    body: {
      results: [
        {
          usageLimit: limit,
          currentUsage: used,
          collectedAt: iso(portal.clock.now()),
          resetsAt: iso(resetsAt),
        },
      ],
    },
  };
}
