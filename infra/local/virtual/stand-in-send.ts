import { type HttpRequest, type HttpResponse, httpError, type Send } from '#shared/http';
import type { Clock } from '#shared/kernel';
import { ConnectionReset } from '../../sandbox/connection-reset.ts';

type Handle = (request: Request) => Promise<Response>;

/** Sends requests to the stand-in of their host without a socket. The stand-in's faults become transport errors. */
export function createStandInSend(options: {
  readonly clock: Clock;
  readonly hosts: Readonly<Record<string, Handle>>;
}): Send {
  const { clock, hosts } = options;
  return async (request) => {
    const handle = hosts[new URL(request.url).host];
    if (!handle) throw httpError({ code: 'HTTP_NOT_SENT', retryable: true });
    const hungUp = new AbortController();
    try {
      return await Promise.race([
        exchange({ handle, request, clock, hungUp }),
        untilHungUp(clock, request, hungUp),
      ]);
    } finally {
      hungUp.abort(ANSWERED);
    }
  };
}

/** The same for all: an exception of each abort would cost more than the exchange. */
const ANSWERED = new Error('The exchange is over.');

async function exchange({
  handle,
  request,
  clock,
  hungUp,
}: {
  handle: Handle;
  request: HttpRequest;
  clock: Clock;
  hungUp: AbortController;
}): Promise<HttpResponse> {
  const { url, method, headers, body } = request;
  const sent = new Request(url, {
    method,
    headers,
    signal: hungUp.signal,
    ...(body !== undefined && { body }),
  });
  const response = await handle(sent).catch((cause: unknown) => {
    if (!(cause instanceof ConnectionReset)) throw cause;
    throw httpError({ code: 'HTTP_CONNECTION_LOST', retryable: true, cause });
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
    receivedAtMs: clock.now(),
  };
}

/** Never resolves. Rejects on a timeout or when the caller aborts. */
async function untilHungUp(clock: Clock, request: HttpRequest, hungUp: AbortController): Promise<never> {
  const { signal, timeoutMs } = request;
  const isOver = signal ? AbortSignal.any([hungUp.signal, signal]) : hungUp.signal;
  await clock.sleep(timeoutMs, isOver).catch((cause: unknown) => {
    // If the answer has already arrived, this rejection is ignored.
    throw signal?.aborted ? httpError({ code: 'HTTP_ABORTED', retryable: false, cause }) : cause;
  });
  throw httpError({ code: 'HTTP_TIMEOUT', retryable: true });
}
