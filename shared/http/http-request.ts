import { SECOND_MS, UpstreamError } from '#shared/kernel';

export interface HttpRequest {
  readonly method: string;
  /** Absolute http or https URL, fully encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Timeout of the whole exchange, from the call to the last byte of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /**
   * Uses a new connection. For requests that cost credits. A server can close an idle connection while a request is
   * written. Then it is unknown whether the request was processed.
   */
  readonly freshConnection?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** Names are in lower case. Repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, decoded as UTF-8. */
  readonly body: string;
  /** When the last byte arrived, wall clock, epoch milliseconds. */
  readonly receivedAtMs: number;
}

/**
 * Sends one request, without retries, and returns the response with any status.
 * @throws UpstreamError with an {@link HttpErrorCode} if there is no response.
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * Failures, by what they prove:
 *
 * - `HTTP_NOT_SENT`: no byte of the request was sent (connection refused, unknown host, connect timeout, TLS failure,
 *   aborted or timed out before a connection existed).
 * - `HTTP_TIMEOUT`, `HTTP_CONNECTION_LOST`, `HTTP_ABORTED`: the request was sent at least in part, so it may have been
 *   processed.
 * - `HTTP_RESPONSE_TOO_LARGE`: the request was processed. The response was not read to its end.
 */
const HTTP_ERROR_CODES = [
  'HTTP_NOT_SENT',
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_LOST',
  'HTTP_ABORTED',
  'HTTP_RESPONSE_TOO_LARGE',
] as const;

export type HttpErrorCode = (typeof HTTP_ERROR_CODES)[number];

const MESSAGES: { readonly [code in HttpErrorCode]: string } = {
  HTTP_NOT_SENT: 'The request was not sent.',
  HTTP_TIMEOUT: 'No complete response came in time; the request may have been processed.',
  HTTP_CONNECTION_LOST: 'The connection was lost; the request may have been processed.',
  HTTP_ABORTED: 'The caller gave up after the request was sent; it may have been processed.',
  HTTP_RESPONSE_TOO_LARGE: 'The response is larger than allowed.',
};

/**
 * @param failure.retryable whether another attempt may succeed. The caller decides by the code whether an attempt could
 * be charged again.
 */
export function httpError(failure: {
  readonly code: HttpErrorCode;
  readonly retryable: boolean;
  readonly cause?: unknown;
}): UpstreamError {
  return new UpstreamError({ ...failure, message: MESSAGES[failure.code] });
}

/**
 * Timeouts for every AWS client. Without timeouts, a hanging connection would block a worker for its whole lifetime.
 * After a timeout, the SDK retries the request, with at most 4 attempts. All attempts together take less than the 10
 * seconds of the webhook's function. AWS normally answers these requests within a second.
 */
export const AWS_TIMEOUTS = {
  requestHandler: {
    connectionTimeout: SECOND_MS,
    /** Time from the start of the request to the headers of the answer. */
    requestTimeout: 2 * SECOND_MS,
    throwOnRequestTimeout: true,
    /** Longest time without a byte, for an answer that stops in the middle. */
    socketTimeout: 2 * SECOND_MS,
  },
} as const;
