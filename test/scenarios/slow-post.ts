import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A proxy before HubSpot that answers the first batch update with 504 at once and lets it arrive when it is told to:
 * the request that nobody knows the end of, and that is processed late.
 */
export async function openSlowPost(target: string) {
  const held = Promise.withResolvers<void>();
  const delivered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const method = request.method ?? 'GET';
    const headers = {
      'content-type': 'application/json',
      authorization: request.headers.authorization ?? '',
    };
    const forward = () =>
      fetch(`${target}${request.url}`, {
        ...{ method, headers },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
    if (!isHeld && request.url?.endsWith('/batch/update')) {
      isHeld = true;
      held.resolve();
      response.writeHead(504).end();
      await released.promise;
      await (await forward()).text();
      delivered.resolve();
      return;
    }
    const answer = await forward();
    const body = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when an update is held back. */
    holds: () => held.promise,
    release: async () => {
      released.resolve();
      await delivered.promise;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
