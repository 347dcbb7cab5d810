import type { Dispatcher } from 'undici';
import type { Clock } from '#shared/kernel';
import { type HttpErrorCode, type HttpRequest, type HttpResponse, httpError } from './http-request.ts';

interface Exchange {
  readonly dispatcher: Dispatcher;
  readonly request: HttpRequest;
  readonly clock: Clock;
  readonly maxResponseBytes: number;
}

/**
 * Sends one request and reads its response. Uses the low-level handler, because only this handler shows when undici
 * starts to write the request. A failure before `onRequestStart` proves that nothing was sent.
 */
export function exchange({ dispatcher, request, clock, maxResponseBytes }: Exchange): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const ended = new AbortController();
  const body = createBody();
  let controller: Dispatcher.DispatchController | undefined;
  let head: Pick<HttpResponse, 'status' | 'headers'> | undefined;

  const fail = (codeIfSent: HttpErrorCode, details: { retryable: boolean; cause?: unknown }) => {
    const error = httpError({ code: controller ? codeIfSent : 'HTTP_NOT_SENT', ...details });
    reject(error);
    ended.abort();
    controller?.abort(error);
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      // If the caller gave up during the wait for a connection, the abort prevents the write of the request.
      if (ended.signal.aborted) return started.abort(new Error('given up before it was sent'));
      controller = started;
    },
    // Also called for informational responses. The last call has the answer.
    onResponseStart: (_, status, headers) => {
      head = { status, headers: joinHeaders(headers) };
    },
    onResponseData: (_, chunk) => {
      if (body.add(chunk) > maxResponseBytes) fail('HTTP_RESPONSE_TOO_LARGE', { retryable: false });
    },
    onResponseEnd: () => {
      if (!head) return fail('HTTP_CONNECTION_LOST', { retryable: true });
      resolve({ ...head, body: body.text(), receivedAtMs: clock.now() });
      ended.abort();
    },
    onResponseError: (_, cause) =>
      fail('HTTP_CONNECTION_LOST', { retryable: !isInvalidRequest(cause), cause }),
  };

  const giveUp = () => fail('HTTP_ABORTED', { retryable: false, cause: request.signal?.reason });
  if (request.signal?.aborted) {
    giveUp();
    return promise;
  }
  request.signal?.addEventListener('abort', giveUp, { once: true, signal: ended.signal });
  clock.sleep(request.timeoutMs, ended.signal).then(
    () => fail('HTTP_TIMEOUT', { retryable: true }),
    (reason) => {
      if (!ended.signal.aborted) reject(reason);
    },
  );
  dispatcher.dispatch(dispatchOptions(request), handler);
  return promise;
}

function dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(request.url);
  return {
    origin,
    path: pathname + search,
    method: request.method,
    headers: { ...request.headers },
    body: request.body ?? null,
    // These timeouts are disabled, because one timeout by our clock covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function createBody() {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    /** @returns the number of bytes so far. */
    add: (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.length;
      return bytes;
    },
    text: () => new TextDecoder().decode(Buffer.concat(chunks)),
  };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const joined = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(joined);
}

function isInvalidRequest(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_INVALID_ARG';
}
