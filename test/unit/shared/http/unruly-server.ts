import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface UnrulyServer extends AsyncDisposable {
  readonly url: string;
  /** One entry a request that reached the handler. */
  readonly requests: { readonly path: string; readonly socket: Socket }[];
}

/** A real server on a free port of this machine that does whatever the test wants. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<UnrulyServer> {
  const requests: UnrulyServer['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', socket: request.socket });
    handle(request, response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An address at which nobody listens. */
export async function refusedUrl(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
