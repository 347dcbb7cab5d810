import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SettingsError } from './settings.ts';

/** What the handlers behind API Gateway read of an event (HTTP API, payload 2.0). */
export interface GatewayEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly method: string } };
  readonly headers: Readonly<Record<string, string>>;
  readonly queryStringParameters: Readonly<Record<string, string>>;
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
export async function startHttpServer(port: number, routes: Readonly<Record<string, Route>>) {
  const server = createServer(async (request, response) => {
    const event = await toEvent(request);
    const route = Object.entries(routes).find(([prefix]) => event?.rawPath.startsWith(prefix))?.[1];
    const result = await answer(event, route);
    response.writeHead(result.statusCode, result.headers).end(result.body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portProblem(error, port) ?? error));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portProblem(error: Error, port: number): SettingsError | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return new SettingsError(`PORT ${port} is in use: choose another, or set none.`);
  if (code === 'EACCES') return new SettingsError(`PORT ${port} is not open to you: choose one above 1023.`);
  return undefined;
}

async function answer(event: GatewayEvent | undefined, route: Route | undefined): Promise<GatewayResult> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  if (!event) return { statusCode: 413, headers, body: 'The body is too large.' };
  if (!route) return { statusCode: 404, headers, body: 'Not found.' };
  try {
    return await route(event);
  } catch (error) {
    console.error('A request failed:', error);
    return { statusCode: 500, headers, body: 'Internal error.' };
  }
}

async function toEvent(request: IncomingMessage): Promise<GatewayEvent | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  const url = new URL(request.url ?? '/', 'http://localhost');
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    rawPath: url.pathname,
    requestContext: { http: { method: request.method ?? 'GET' } },
    headers: Object.fromEntries(headers),
    queryStringParameters: Object.fromEntries(url.searchParams),
    body: Buffer.concat(chunks).toString('base64'),
    isBase64Encoded: true,
  };
}
