import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import { assert, type Clock } from '#shared/kernel';
import { exchange } from './exchange.undici.ts';
import { type HttpRequest, type HttpResponse, httpError, type Send } from './http-request.ts';

export interface UndiciSendOptions {
  readonly clock: Clock;
  /** Timeout for opening a connection, including TLS. Milliseconds. */
  readonly connectTimeoutMs: number;
  /** Largest body. Default: 32 MiB. This is far above any page of records and far below a function's memory. */
  readonly maxResponseBytes?: number;
  /** Pooled connections for each origin. Default: 16. */
  readonly maxConnections?: number;
}

export interface UndiciSend {
  readonly send: Send;
  /** Waits for open exchanges. From the start of this call, no new request is accepted. */
  close(): Promise<void>;
}

/** Uses only HTTP/1.1, because this protocol shows for certain whether a request was written to its connection. */
export function createUndiciSend(options: UndiciSendOptions): UndiciSend {
  const settings = { connect: { timeout: options.connectTimeoutMs }, allowH2: false };
  const pool = new Agent({ ...settings, connections: options.maxConnections ?? 16 });
  const maxResponseBytes = options.maxResponseBytes ?? 32 * 1024 * 1024;
  const running = new Set<Promise<HttpResponse>>();
  let closed = false;

  const sendOver = (dispatcher: Dispatcher, request: HttpRequest) =>
    exchange({ dispatcher, request, clock: options.clock, maxResponseBytes });

  const sendOnFreshConnection = async (request: HttpRequest) => {
    const client = new Client(new URL(request.url).origin, { ...settings, pipelining: 0 });
    try {
      return await sendOver(client, request);
    } finally {
      await client.destroy();
    }
  };

  const send: Send = async (request) => {
    assert(request.timeoutMs > 0, 'a request needs time');
    if (closed) throw httpError({ code: 'HTTP_NOT_SENT', retryable: false });
    const exchanging = request.freshConnection ? sendOnFreshConnection(request) : sendOver(pool, request);
    running.add(exchanging);
    try {
      return await exchanging;
    } finally {
      running.delete(exchanging);
    }
  };

  const close = async () => {
    closed = true;
    await Promise.allSettled(running);
    await pool.destroy();
  };

  return { send, close };
}
