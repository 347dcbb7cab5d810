import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Guard {
  /** The AWS access key id that each request must be signed with. */
  readonly secret: string;
  readonly serve: RequestListener;
}

/**
 * Lets the server listen on 127.0.0.1. It refuses each request without the secret, with a foreign Host (DNS rebinding)
 * or with an Origin, which only browsers send.
 * @returns the server's address
 */
export async function listenGuarded(server: Server, { secret, serve }: Guard): Promise<string> {
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { host, origin, authorization = '' } = request.headers;
    const [, key = ''] = /^AWS4-HMAC-SHA256 Credential=([^/]*)\//.exec(authorization) ?? [];
    if (host === new URL(address).host && origin === undefined && isSame(key, secret))
      return serve(request, response);
    response.writeHead(403, { connection: 'close' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return address;
}

function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
