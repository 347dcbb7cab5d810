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

/** HTTP API takes 10 MB. */
const MAX_BODY_BYTES = 10_000_000;

/**
 * Stands where API Gateway does: turns requests into events for the first route whose prefix fits.
 * @throws SettingsError when the port cannot be had.
 */
export async function startHttpServer(
  port: number,
  routes: Readonly<Record<string, Route>>,
): Promise<Served> {
  try {
    return await serveSandbox({ handle: (request) => answer(request, routes), port });
  } catch (error) {
    throw portProblem(error, port) ?? error;
  }
}

function portProblem(error: unknown, port: number): SettingsError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new SettingsError(`PORT ${port} is in use: choose another, or set none.`);
  if (code === 'EACCES') return new SettingsError(`PORT ${port} is not open to you: choose one above 1023.`);
  return undefined;
}

/** Without a socket: what the first route whose prefix fits makes of a request. */
export async function answer(request: Request, routes: Readonly<Record<string, Route>>): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const route = Object.entries(routes).find(([prefix]) => pathname.startsWith(prefix))?.[1];
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
