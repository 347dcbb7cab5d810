import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionReset } from './connection-reset.ts';

export interface ServeOptions {
  /** Rejects with `ConnectionReset` to drop the connection; waits for the request's signal to let the client hang. */
  readonly handle: (request: Request) => Promise<Response>;
  /** 0 for any free one. */
  readonly port: number;
  /** The machine itself only (127.0.0.1) unless told. */
  readonly host?: string;
}

export interface Served {
  /** Without a final slash. */
  readonly url: string;
  /** Stops listening and drops the connections that are still open. */
  close(): Promise<void>;
}

/** Puts a `Request -> Response` function on a port. Bodies go both ways byte for byte. @throws when the port is taken */
export async function serveSandbox({ handle, port, host = '127.0.0.1' }: ServeOptions): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    void serveOne(handle, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${isAddress(address) ? address.port : port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

async function serveOne(
  handle: ServeOptions['handle'],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort(new Error('The client has gone.'));
  });
  try {
    const request = await toRequest(incoming, gone.signal);
    if (request === undefined) refuse(outgoing);
    else await send(await handle(request), outgoing);
  } catch (error) {
    const isExpected = error instanceof ConnectionReset || gone.signal.aborted || !incoming.complete;
    if (!isExpected) console.error(error);
    incoming.socket.destroy();
  }
}

/** `undefined` for a request line or header that makes no address. */
async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request | undefined> {
  const path = incoming.url ?? '';
  const url = path.startsWith('/')
    ? URL.parse(`http://${incoming.headers.host ?? 'localhost'}${path}`)
    : null;
  if (url === null) return undefined;
  const method = incoming.method ?? 'GET';
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) };
  return new Request(url, { method, headers: headersOf(incoming), signal, ...body });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  return headers;
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  outgoing.sendDate = false;
  outgoing.statusCode = response.status;
  const cookies = response.headers.getSetCookie();
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') outgoing.setHeader(name, value);
  }
  if (cookies.length > 0) outgoing.setHeader('set-cookie', cookies);
  const hasNoBody = response.status === 204 || response.status === 304;
  if (!hasNoBody) outgoing.setHeader('content-length', body.byteLength);
  outgoing.end(hasNoBody ? undefined : body);
}

function refuse(outgoing: ServerResponse): void {
  outgoing.statusCode = 400;
  outgoing.end();
}
