import { UpstreamError } from '#shared/kernel';
export interface HttpRequest {
  readonly method: string;
  /** Absolute, http or https, everything already encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, from the call to the last byte of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /**
   * Never sends on a connection that idled: the server may close it just when a request is written, and then it is unknown
   * whether the request was processed. For requests that cost credits.
   */
  readonly freshConnection?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded as UTF-8. */
  readonly body: string;
  /** When the last byte had come, wall clock, epoch milliseconds. */
  readonly receivedAtMs: number;
}

/**
 * Sends one request once. Any status is a response; what prevents one is thrown as an UpstreamError whose code
 * is an {@link HttpErrorCode}.
 */
export type Send = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * What can be proved after a failure:
 *
 * - `HTTP_NOT_SENT`: no byte of the request left the machine (refused, unknown host, connect timeout, TLS
 *   failure, aborted or timed out before there was a connection).
 * - `HTTP_TIMEOUT`, `HTTP_CONNECTION_LOST`, `HTTP_ABORTED`: sent at least in part, so it may have been processed.
 * - `HTTP_RESPONSE_TOO_LARGE`: processed; the response was not read to its end.
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
 * @param failure.retryable about the transport alone: whether another attempt has a chance. Whether it may cost
 *   something a second time is for the caller to judge, from the code.
 */
export function httpError(failure: {
  readonly code: HttpErrorCode;
  readonly retryable: boolean;
  readonly cause?: unknown;
}): UpstreamError {
  return new UpstreamError({ ...failure, message: MESSAGES[failure.code] });
}
