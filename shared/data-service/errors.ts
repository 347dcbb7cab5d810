import { UpstreamError } from '#shared/kernel/errors.ts';
import type { OperationName, RateReport } from './types.ts';

/**
 * Every way in which a call can fail:
 *
 * - `INVALID_PARAMETER`: refused here, nothing was sent.
 * - `UNAUTHORIZED`, `BAD_REQUEST`, `INSUFFICIENT_CREDITS`, `RATE_LIMITED`: refused by the service.
 * - `NOT_FOUND`: no such person or company. Whether that costs is not published.
 * - `SERVER_FAILURE` (5xx), `UNEXPECTED_STATUS` (no other word for it in the specification),
 *   `MALFORMED_ANSWER` (not what a success looks like): nobody knows what was charged.
 * - `WRONG_ADDRESS`: a 404 of something else than the service, which has not seen the request.
 * - `NOT_SENT`: provably nothing left this machine.
 * - `TIMEOUT`, `CONNECTION_LOST`, `ABORTED`: sent, and no answer; it may have been processed.
 */
export const DATA_SERVICE_ERROR_CODES = [
  'DATA_SERVICE_INVALID_PARAMETER',
  'DATA_SERVICE_UNAUTHORIZED',
  'DATA_SERVICE_BAD_REQUEST',
  'DATA_SERVICE_INSUFFICIENT_CREDITS',
  'DATA_SERVICE_NOT_FOUND',
  'DATA_SERVICE_RATE_LIMITED',
  'DATA_SERVICE_SERVER_FAILURE',
  'DATA_SERVICE_UNEXPECTED_STATUS',
  'DATA_SERVICE_MALFORMED_ANSWER',
  'DATA_SERVICE_WRONG_ADDRESS',
  'DATA_SERVICE_NOT_SENT',
  'DATA_SERVICE_TIMEOUT',
  'DATA_SERVICE_CONNECTION_LOST',
  'DATA_SERVICE_ABORTED',
] as const;

export type DataServiceErrorCode = (typeof DATA_SERVICE_ERROR_CODES)[number];

export interface DataServiceErrorDetails {
  readonly code: DataServiceErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly operation: OperationName;
  readonly creditsMayBeSpent: boolean;
  readonly rate?: RateReport | undefined;
  readonly vendorText?: string | undefined;
  readonly parameter?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** The only thing that the client throws. */
export class DataServiceError extends UpstreamError {
  declare readonly code: DataServiceErrorCode;
  readonly operation: OperationName;
  /**
   * True when it cannot be excluded that the service has charged, or will. Never true together with `retryable`:
   * asking again could then cost a second time, and that is not for the client to decide.
   */
  readonly creditsMayBeSpent: boolean;
  /** What the rate headers of the answer said, when there was one and it carried them. */
  readonly rate: RateReport | undefined;
  /** When the rate limit is lifted, of `DATA_SERVICE_RATE_LIMITED`. The server's clock, epoch milliseconds. */
  readonly resetAtMs: number | undefined;
  /** The service's own words, at most 200 characters. May repeat what was asked for: not for logs. */
  readonly vendorText: string | undefined;
  /** Which parameter was refused, of `DATA_SERVICE_INVALID_PARAMETER` where it was a single one. */
  readonly parameter: string | undefined;

  constructor(details: DataServiceErrorDetails) {
    super(details);
    this.name = 'DataServiceError';
    this.operation = details.operation;
    this.creditsMayBeSpent = details.creditsMayBeSpent;
    this.rate = details.rate;
    this.resetAtMs = details.code === 'DATA_SERVICE_RATE_LIMITED' ? details.rate?.resetAtMs : undefined;
    this.vendorText = details.vendorText?.slice(0, 200);
    this.parameter = details.parameter;
  }
}

export function invalidParameter(refusal: {
  readonly operation: OperationName;
  readonly message: string;
  readonly parameter?: string | undefined;
}): DataServiceError {
  return new DataServiceError({
    ...refusal,
    code: 'DATA_SERVICE_INVALID_PARAMETER',
    retryable: false,
    creditsMayBeSpent: false,
  });
}
