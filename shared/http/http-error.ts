import { UpstreamError } from '#shared/kernel/errors.ts';
import type { HttpErrorCode } from './http-request.ts';

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
