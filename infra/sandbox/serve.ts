import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import { ConnectionReset } from './connection-reset.ts';

export interface ServeOptions {
  /**
   * Answers a request. To drop the connection, it rejects with `ConnectionReset`. To simulate a hang, it waits for
   * the request's signal.
   */
  readonly handle: (request: Request) => Promise<Response>;
  /** 0 means any free port. */
  readonly port: number;
  /** Port to take if it is free and `port` is 0. */
  readonly preferredPort?: number | undefined;
}

export interface Served {
  /** Address of the server, without a final slash. */
  readonly url: string;
  /** Stops listening and drops the connections that are still open. */
  close(): Promise<void>;
}

/**
 * Serves a `Request -> Response` function on a port of 127.0.0.1. Bodies are passed on unchanged. @throws if the port
 * is taken
 */
export async function serveSandbox({ handle, port, preferredPort = 0 }: ServeOptions): Promise<Served> {
  const server = createServer((incoming, outgoing) => {
    void serveOne(handle, incoming, outgoing);
  });
  const listen = (wanted: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', resolve);
    });
  try {
    await listen(port || preferredPort);
  } catch (error) {
    if (port !== 0 || preferredPort === 0) throw error;
    await listen(0);
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function serveOne(
  handle: ServeOptions['handle'],
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = new NodeRequest({ req: incoming, res: outgoing });
  outgoing.sendDate = false;
  try {
    await sendNodeResponse(outgoing, await handle(request));
  } catch (error) {
    const isExpected = error instanceof ConnectionReset || request.signal.aborted || !incoming.complete;
    if (!isExpected) console.error(error);
    incoming.socket.destroy();
  }
}
