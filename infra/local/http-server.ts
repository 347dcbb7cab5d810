import { hostNamed, isLoopback } from '../sandbox/host-name.ts';
import { type Served, serveSandbox } from '../sandbox/serve.ts';
import { told } from './failure.ts';
import { SettingsError } from './settings.ts';

/** What the handlers behind API Gateway read of an event (HTTP API, payload 2.0). */
export interface GatewayEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

export interface GatewayResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Route = (event: GatewayEvent) => Promise<GatewayResult>;

/** A person who opens the bare address gets the spend page. */
const FRONT_PAGE = '/spend';

/** HTTP API takes 10 MB. */
const MAX_BODY_BYTES = 10_000_000;

export interface ServerSettings {
  /** 0 for any free one. */
  readonly port: number;
  /** The name by which a person chooses the port: `PORT` unless given. */
  readonly setting?: '--port' | undefined;
  /** A public address that a person set: its host name is accepted too. */
  readonly publicUrl?: string | undefined;
}

/**
 * Stands where API Gateway does: turns requests into events for the first route whose prefix fits. A page of a stranger
 * may lead its own name to this machine (DNS rebinding), so only requests to the server's own names are answered.
 * @throws SettingsError when the port cannot be had.
 */
export async function startHttpServer(
  { port, setting, publicUrl }: ServerSettings,
  routes: Readonly<Record<string, Route>>,
): Promise<Served> {
  const handle = async (request: Request) => {
    const { url } = await listening.promise;
    if (isOwnName(request.headers.get('host'), { url, publicUrl })) return answer(request, routes);
    const other = setting ? '' : ', or set WEBHOOK_PUBLIC_URL to the name that you use';
    const body = `This server answers at ${url} only. Open that address${other}.`;
    return new Response(body, { status: 421, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  };
  const listening = Promise.withResolvers<Served>();
  const served = await startReceiver(port, handle, setting);
  listening.resolve(served);
  return served;
}

/** Without a look at the name that was called. @throws SettingsError when the port cannot be had. */
export async function startReceiver(
  port: number,
  handle: (request: Request) => Promise<Response>,
  setting = 'PORT',
): Promise<Served> {
  try {
    return await serveSandbox({ handle, port });
  } catch (error) {
    throw portProblem(error, `${setting} ${port}`) ?? error;
  }
}

/** @param host the header: a name, and a port unless it is the default one. */
function isOwnName(
  host: string | null,
  { url, publicUrl }: { readonly url: string; readonly publicUrl: string | undefined },
): boolean {
  const named = hostNamed(host);
  if (!named) return false;
  if (isLoopback(named)) return named.port === new URL(url).port;
  return publicUrl !== undefined && named.hostname === new URL(publicUrl).hostname;
}

function portProblem(error: unknown, chosen: string): SettingsError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new SettingsError(`${chosen} is in use: choose another, or leave it out.`);
  if (code === 'EACCES') return new SettingsError(`${chosen} is not open to you: choose one above 1023.`);
  return undefined;
}

/** Without a socket: what the first route whose prefix fits makes of a request. */
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
    console.error(`A request failed: ${told(error)}`);
    return new Response('Internal error.', { status: 500 });
  }
}

/** In base64; nothing where it is too large, and then the rest is not read. */
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
