import type { GatewayEvent, GatewayResult } from '#shared/lambda';
import { unavailable } from '../../functions/report-spend/handler.ts';
import { hostNamed, isLoopback } from '../sandbox/host-name.ts';
import { type Served, serveSandbox } from '../sandbox/serve.ts';
import { errorText, failureOf } from './failure.ts';
import { type SettingsError, settingsError } from './settings-error.ts';

type Route = (event: GatewayEvent) => Promise<GatewayResult>;

/** The routes for HubSpot, which are all that answers at the public name. The spend page has no login. */
const PUBLIC_ROUTES = '/hubspot';
/** The bare address redirects to the spend page. */
const FRONT_PAGE = '/spend';

/** API Gateway's HTTP API accepts up to 10 MB. */
const MAX_BODY_BYTES = 10_000_000;

interface ServerSettings {
  /** 0 means any free port. */
  readonly port: number;
  /** Port to take if it is free and `port` is 0. */
  readonly preferredPort?: number | undefined;
  /** The option that sets the port. If absent, `PORT` sets it. */
  readonly setting?: '--port' | 'PORT' | undefined;
  /** Public address from the settings. HubSpot's requests to its host name are accepted too. */
  readonly publicUrl?: string | undefined;
}

/**
 * Serves the handlers in place of API Gateway. Each request goes to the first route whose prefix fits. The server
 * answers only requests to its own host names, because a foreign site can point its host name at this machine (DNS
 * rebinding).
 * @throws SettingsError when the port is taken or not permitted.
 */
export async function startHttpServer(
  { port, preferredPort, setting, publicUrl }: ServerSettings,
  routes: Readonly<Record<string, Route>>,
): Promise<Served> {
  const handle = async (request: Request) => {
    const { url } = await listening.promise;
    if (isOwnName(request, { url, publicUrl })) return answer(request, routes);
    const other = setting ? '' : '. For requests of HubSpot, set WEBHOOK_PUBLIC_URL to their name';
    const body = `This server answers at ${url} only. Open that address${other}.`;
    return new Response(body, { status: 421, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  };
  const listening = Promise.withResolvers<Served>();
  const served = await startReceiver(port, handle, { setting, preferredPort });
  listening.resolve(served);
  return served;
}

/**
 * Serves requests without a check of the host name.
 * @throws SettingsError when the port is taken or not permitted.
 */
export async function startReceiver(
  port: number,
  handle: (request: Request) => Promise<Response>,
  { setting = 'PORT', preferredPort }: Pick<ServerSettings, 'setting' | 'preferredPort'> = {},
): Promise<Served> {
  try {
    return await serveSandbox({ handle, port, preferredPort });
  } catch (error) {
    throw portProblem(error, port, setting) ?? error;
  }
}

function isOwnName(
  request: Request,
  { url, publicUrl }: { url: string; publicUrl: string | undefined },
): boolean {
  const named = hostNamed(request.headers.get('host'));
  if (!named) return false;
  if (isLoopback(named)) return named.port === new URL(url).port;
  const isPublic = publicUrl !== undefined && named.hostname === new URL(publicUrl).hostname;
  return isPublic && new URL(request.url).pathname.startsWith(PUBLIC_ROUTES);
}

function portProblem(error: unknown, port: number, setting: string): SettingsError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return settingsError('port-in-use', { setting, port });
  if (code === 'EACCES') return settingsError('port-not-allowed', { setting, port });
  return undefined;
}

/** Answers a request without a socket, by the first route whose prefix fits. */
export async function answer(request: Request, routes: Readonly<Record<string, Route>>): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const route = Object.entries(routes).find(([prefix]) => pathname.startsWith(prefix))?.[1];
  if (!route && pathname === '/')
    return new Response(null, { status: 302, headers: { location: FRONT_PAGE } });
  if (!route) return new Response('Not found.', { status: 404 });
  const body = await bodyOf(request);
  if (body === undefined) return new Response('The body is too large.', { status: 413 });
  try {
    const result = await route({
      rawPath: pathname,
      rawQueryString: search.slice(1),
      requestContext: { http: { method: request.method } },
      headers: Object.fromEntries(request.headers),
      body,
      isBase64Encoded: true,
    });
    return new Response(result.body, { status: result.statusCode, headers: result.headers });
  } catch (error) {
    console.error(`A request failed: ${errorText(error)}`);
    return new Response('Internal error.', { status: 500 });
  }
}

/** @returns the body in base64, or `undefined` if it is too large. The rest of a too large body is not read. */
async function bodyOf({ body }: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('base64');
}

/**
 * Serves the spend page on this machine. If the tables cannot be read, the page says so and the server continues.
 * @param problemOf returns a sentence for the reader of the page; `undefined` for a bug of the program.
 */
export function spendRoute(
  report: (event: GatewayEvent) => Promise<GatewayResult>,
  problemOf: (error: unknown) => string | undefined = (error) => failureOf(error)?.message,
): Route {
  return async (event) => {
    if (isOfOtherSite(event)) return OTHER_SITE;
    try {
      return await report(event);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      return unavailable(event, problem);
    }
  };
}

const OTHER_SITE = {
  statusCode: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Another site sent this request. Open the address of this page in your browser instead.\n',
};

/**
 * Detects requests of other sites, which could make this machine read the tables repeatedly. Links from there are
 * allowed.
 */
function isOfOtherSite({ headers }: GatewayEvent): boolean {
  const { origin, host } = headers;
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
  return !isOwn || (headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] !== 'navigate');
}
