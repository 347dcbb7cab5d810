import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { UndiciSend } from '#inside/http/send.undici.ts';
import type { HttpRequest } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { UpstreamError } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { refusedUrl, serve } from './unruly-server.ts';

const senders: UndiciSend[] = [];

function sender(options: { maxResponseBytes?: number; maxConnections?: number } = {}) {
  const made = createUndiciSend({ clock: systemClock, connectTimeoutMs: 1_000, ...options });
  senders.push(made);
  return made.send;
}

afterEach(async () => {
  await Promise.all(senders.splice(0).map((made) => made.close()));
});

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: {}, timeoutMs: 5_000, ...more };
}

async function failureOf(sending: Promise<unknown>): Promise<UpstreamError> {
  const error = await sending.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (error instanceof UpstreamError) return error;
  throw error;
}

for (const freshConnection of [false, true]) {
  describe(freshConnection ? 'on a fresh connection' : 'over the pool', () => {
    it('sends method, path, headers and body as given', async () => {
      await using server = await serve((request, response) => {
        request.setEncoding('utf8').on('data', (body) => {
          response.setHeader('X-Echo', [String(request.headers['x-api-key']), 'two']);
          response.statusCode = 201;
          response.end(`${request.method} ${request.url} ${body} ü`);
        });
      });
      const response = await sender()({
        ...get(`${server.url}/a%20b?c=%2B1`),
        method: 'POST',
        headers: { 'x-api-key': 'k' },
        body: '{"é":1}',
        freshConnection,
      });
      expect(response).toMatchObject({ status: 201, body: 'POST /a%20b?c=%2B1 {"é":1} ü' });
      expect(response.headers['x-echo']).toBe('k, two');
      expect(Math.abs(response.receivedAtMs - systemClock.now())).toBeLessThan(60_000);
    });

    it('returns an error status and a redirect as responses', async () => {
      await using server = await serve((request, response) => {
        response.writeHead(request.url === '/moved' ? 302 : 500, { location: '/elsewhere' }).end();
      });
      const send = sender();
      expect((await send(get(`${server.url}/moved`, { freshConnection }))).status).toBe(302);
      expect((await send(get(`${server.url}/broken`, { freshConnection }))).status).toBe(500);
      expect(server.requests).toHaveLength(2);
    });

    it('proves that a refused connection sent nothing', async () => {
      const failure = await failureOf(sender()(get(await refusedUrl(), { freshConnection })));
      expect(failure).toMatchObject({ code: 'HTTP_NOT_SENT', retryable: true });
    });

    it('proves that an unknown host was sent nothing', async () => {
      const failure = await failureOf(sender()(get('http://nobody.invalid', { freshConnection })));
      expect(failure.code).toBe('HTTP_NOT_SENT');
    });

    it('proves that a failed TLS handshake sent nothing', async () => {
      await using server = await serve((_, response) => response.end());
      const url = server.url.replace('http:', 'https:');
      const failure = await failureOf(sender()(get(url, { freshConnection })));
      expect(failure.code).toBe('HTTP_NOT_SENT');
      expect(server.requests).toHaveLength(0);
    });

    it('tells a reset before any answer as a lost connection, and sends it once only', async () => {
      await using server = await serve((request) => request.socket.resetAndDestroy());
      const failure = await failureOf(sender()(get(server.url, { freshConnection })));
      expect(failure).toMatchObject({ code: 'HTTP_CONNECTION_LOST', retryable: true });
      expect(server.requests).toHaveLength(1);
    });

    it('tells a truncated body as a lost connection', async () => {
      await using server = await serve((request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"data":', () => request.socket.destroy());
      });
      expect((await failureOf(sender()(get(server.url, { freshConnection })))).code).toBe(
        'HTTP_CONNECTION_LOST',
      );
    });

    it('times out when no answer comes', async () => {
      await using server = await serve(() => undefined);
      const failure = await failureOf(sender()(get(server.url, { freshConnection, timeoutMs: 50 })));
      expect(failure).toMatchObject({ code: 'HTTP_TIMEOUT', retryable: true });
      expect(server.requests).toHaveLength(1);
    });

    it('times out when the body trickles on past the time', async () => {
      await using server = await serve((_, response) => {
        // biome-ignore lint/plugin: the server has to write for longer than the sender's real timeout
        const trickle = setInterval(() => response.write('.'), 10);
        response.on('close', () => clearInterval(trickle));
      });
      const failure = await failureOf(sender()(get(server.url, { freshConnection, timeoutMs: 100 })));
      expect(failure.code).toBe('HTTP_TIMEOUT');
    });

    it('stops reading a body that is larger than allowed', async () => {
      await using server = await serve((_, response) => response.end('x'.repeat(5_000)));
      const send = sender({ maxResponseBytes: 1_000 });
      const failure = await failureOf(send(get(server.url, { freshConnection })));
      expect(failure).toMatchObject({ code: 'HTTP_RESPONSE_TOO_LARGE', retryable: false });
    });

    it('says that a request aborted after sending may have been processed', async () => {
      const caller = new AbortController();
      await using server = await serve(() => caller.abort());
      const failure = await failureOf(sender()(get(server.url, { freshConnection, signal: caller.signal })));
      expect(failure).toMatchObject({ code: 'HTTP_ABORTED', retryable: false });
    });

    it('proves that a request aborted beforehand was not sent', async () => {
      await using server = await serve((_, response) => response.end());
      const request = get(server.url, { freshConnection, signal: AbortSignal.abort() });
      expect(await failureOf(sender()(request))).toMatchObject({ code: 'HTTP_NOT_SENT', retryable: false });
      expect(server.requests).toHaveLength(0);
    });

    it('proves that a request with an impossible header was not sent', async () => {
      await using server = await serve((_, response) => response.end());
      const request = get(server.url, { freshConnection, headers: { 'x-api-key': 'a\r\nb: c' } });
      expect(await failureOf(sender()(request))).toMatchObject({ code: 'HTTP_NOT_SENT', retryable: false });
    });
  });
}

describe('connections', () => {
  it('are reused by the pool and never by fresh requests', async () => {
    await using server = await serve((_, response) => response.end());
    const send = sender({ maxConnections: 1 });
    for (const path of ['/1', '/2']) await send(get(server.url + path));
    for (const path of ['/3', '/4']) await send(get(server.url + path, { freshConnection: true }));
    const [first, second, third, fourth] = server.requests.map((request) => request.socket);
    expect(first === second).toBe(true);
    expect(new Set([second, third, fourth]).size).toBe(3);
  });

  it('that a fresh request used are closed when it has ended', async () => {
    await using server = await serve((_, response) => response.end());
    await sender()(get(server.url, { freshConnection: true }));
    const socket = server.requests[0]?.socket;
    if (socket && !socket.destroyed) await once(socket, 'close');
    expect(socket?.destroyed).toBe(true);
  });

  it('carry nothing of a request whose time was up while it waited for one', async () => {
    const silent = createServer();
    const send = sender();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    // TLS towards a server that never says hello: connected, but no request can be written.
    const failure = await failureOf(send(get(`https://127.0.0.1:${port}`, { timeoutMs: 50 })));
    expect(failure).toMatchObject({ code: 'HTTP_NOT_SENT', retryable: true });
    silent.close();
  });

  it('let no request through that was given up in the queue of the pool', async () => {
    const release = Promise.withResolvers<void>();
    await using server = await serve((_, response) => void release.promise.then(() => response.end()));
    const send = sender({ maxConnections: 1 });
    const first = send(get(`${server.url}/first`));
    const queued = failureOf(send(get(`${server.url}/queued`, { timeoutMs: 50 })));
    expect((await queued).code).toBe('HTTP_NOT_SENT');
    release.resolve();
    await first;
    await send(get(`${server.url}/last`));
    expect(server.requests.map((request) => request.path)).toEqual(['/first', '/last']);
  });
});

it('close waits for what is under way and lets nothing out afterwards', async () => {
  await using server = await serve((_, response) => setImmediate(() => response.end('done')));
  const { send, close } = createUndiciSend({ clock: systemClock, connectTimeoutMs: 1_000 });
  const underWay = [send(get(server.url)), send(get(server.url, { freshConnection: true }))];
  await close();
  expect((await Promise.all(underWay)).map((response) => response.body)).toEqual(['done', 'done']);
  expect((await failureOf(send(get(server.url)))).code).toBe('HTTP_NOT_SENT');
  expect(server.requests).toHaveLength(2);
});
