import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createDataServiceClient } from '../../../../shared/data-service/client.ts';
import { createUndiciSend } from '../../../../shared/http/send.undici.ts';
import { systemClock } from '../../../../shared/kernel/clock.system.ts';

/** Serves a stand-in on a free port of this machine, with a client for it. */
export async function clientOfServed(handle: (request: Request) => Promise<Response>) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks = await Readable.from(incoming).toArray();
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    try {
      const response = await handle(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    } catch {
      // What a stand-in throws is a broken connection.
      incoming.socket.resetAndDestroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { send, close } = createUndiciSend({ clock: systemClock, connectTimeoutMs: 1_000 });
  const clientWith = (apiKey: string) =>
    createDataServiceClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, send, timeoutMs: 5_000 });
  const stop = async () => {
    await close();
    server.closeAllConnections();
    server.close();
  };
  return { clientWith, stop };
}
