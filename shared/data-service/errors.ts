import { UpstreamError } from '#shared/kernel';
import type { OperationName } from './operations.ts';
import { isFree } from './pricing.ts';
import type { ServiceRate } from './types.ts';

export interface FailureMeaning {
  /** For a person. STATUS stands for the HTTP status. */
  readonly sentence: string;
  /** The one HTTP status that has this meaning. */
  readonly status?: number;
  /** The code of the transport that has this meaning. */
  readonly transport?: string;
  /** The same call may succeed later. */
  readonly hasChance?: true;
  /** The service may have charged for it, or may still do so. */
  readonly charges?: true;
}

/** Every way in which a call can fail, by code. Source: the specification's Errors. */
export const FAILURES = {
  /** Refused here; nothing was sent. */
  DATA_SERVICE_INVALID_PARAMETER: { sentence: 'A parameter cannot be used.' },
  DATA_SERVICE_BAD_REQUEST: { status: 400, sentence: 'The data service refused the parameters.' },
  DATA_SERVICE_UNAUTHORIZED: { status: 401, sentence: 'The data service refused the API key.' },
  DATA_SERVICE_INSUFFICIENT_CREDITS: {
    status: 402,
    sentence: 'The account at the data service has too few credits.',
  },
  /** No such person or company. Whether that costs something is not published. */
  DATA_SERVICE_NOT_FOUND: { status: 404, charges: true, sentence: 'The data service found no match.' },
  DATA_SERVICE_RATE_LIMITED: {
    status: 429,
    hasChance: true,
    sentence: 'The data service refused the request: its rate limit is used up.',
  },
  /** Any status from 500. */
  DATA_SERVICE_SERVER_FAILURE: {
    hasChance: true,
    charges: true,
    sentence: 'The data service failed with status STATUS.',
  },
  /** Any other status. */
  DATA_SERVICE_UNEXPECTED_STATUS: {
    charges: true,
    sentence: 'The data service answered with status STATUS, which it does not document.',
  },
  /** Not in the format of a success, or too large to read. */
  DATA_SERVICE_MALFORMED_ANSWER: {
    transport: 'HTTP_RESPONSE_TOO_LARGE',
    hasChance: true,
    charges: true,
    sentence: 'The answer of the data service is larger than allowed.',
  },
  /** A 404 of another server, such as a proxy: the service has not seen the request. */
  DATA_SERVICE_WRONG_ADDRESS: {
    sentence: 'The address of the data service answers 404, but not as the data service does.',
  },
  /** Provably nothing left this machine. */
  DATA_SERVICE_NOT_SENT: { transport: 'HTTP_NOT_SENT', sentence: 'Nothing was sent to the data service.' },
  /** Sent without an answer; it may have been processed. So are the next two. */
  DATA_SERVICE_TIMEOUT: {
    transport: 'HTTP_TIMEOUT',
    charges: true,
    sentence: 'The data service did not answer in time.',
  },
  DATA_SERVICE_CONNECTION_LOST: {
    charges: true,
    sentence: 'The connection to the data service was lost.',
  },
  DATA_SERVICE_ABORTED: {
    transport: 'HTTP_ABORTED',
    charges: true,
    sentence: 'The caller gave up before the data service answered.',
  },
} as const satisfies Readonly<Record<string, FailureMeaning>>;

export type DataServiceErrorCode = keyof typeof FAILURES;
export const DATA_SERVICE_ERROR_CODES = Object.keys(FAILURES) as DataServiceErrorCode[];

/** The only error that the client throws. */
export class DataServiceError extends UpstreamError {
  declare readonly code: DataServiceErrorCode;
  readonly operation: OperationName;
  /**
   * True when it cannot be excluded that the service has charged, or will. Never true together with `retryable`:
   * a second call could then cost a second time, and that is not for the client to decide.
   */
  readonly creditsMayBeSpent: boolean;
  /** The rate headers of the answer, when there was one and it carried them. */
  readonly rate: ServiceRate | undefined;
  /** When the rate limit is lifted, of `DATA_SERVICE_RATE_LIMITED`. The server's clock, epoch milliseconds. */
  readonly resetAtMs: number | undefined;
  /** The service's own words, at most 200 characters. They may repeat the question: not for logs. */
  readonly vendorText: string | undefined;
  /** The specification publishes these words, so they repeat nothing of the question. */
  readonly isTextPublished: boolean;
  /** Which parameter was refused, of `DATA_SERVICE_INVALID_PARAMETER` where it was a single one. */
  readonly parameter: string | undefined;

  constructor(
    code: DataServiceErrorCode,
    facts: {
      readonly operation: OperationName;
      /** In place of the usual sentence of the code. */
      readonly message?: string;
      /** In place of the usual chance of the code. */
      readonly hasChance?: boolean;
      readonly rate?: ServiceRate | undefined;
      readonly vendorText?: string | undefined;
      readonly isTextPublished?: boolean;
      readonly parameter?: string | undefined;
      readonly retryAfterMs?: number | undefined;
      readonly status?: number;
      readonly requestId?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    const meaning: FailureMeaning = FAILURES[code];
    const creditsMayBeSpent = meaning.charges === true && !isFree(facts.operation);
    const { message = meaning.sentence, hasChance = meaning.hasChance === true } = facts;
    super({ ...facts, code, message, retryable: hasChance && !creditsMayBeSpent });
    this.name = 'DataServiceError';
    this.operation = facts.operation;
    this.creditsMayBeSpent = creditsMayBeSpent;
    this.rate = facts.rate;
    this.resetAtMs = code === 'DATA_SERVICE_RATE_LIMITED' ? facts.rate?.resetAtMs : undefined;
    this.vendorText = facts.vendorText?.slice(0, 200);
    this.isTextPublished = facts.isTextPublished ?? false;
    this.parameter = facts.parameter;
  }
}
