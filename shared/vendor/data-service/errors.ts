import { UpstreamError } from '#shared/kernel';
import type { CallResult } from '../vendor.ts';
import { isFree, type OperationName } from './operations.ts';

/** The error texts that the specification publishes. */
const PUBLISHED = [
  /^API key is required$/,
  /^Invalid or missing API key$/,
  /^Invalid limit value\. Must be between 1 and 100$/,
  /^At least one search (criterion|filter) is required$/,
  /^Either (company_)?domain or [a-z_]+( parameter)? is required$/,
  /^Missing required parameters: company_domain and first_name are required$/,
  /^Missing required parameter: [a-z_]{1,40}$/,
  /^Invalid [A-Za-z ]{1,40} format(; must be a company page URL)?$/,
  /^Not sufficient credit available for request$/,
  /^Company not found or has insufficient employee data$/,
  /^No (profile|company) found matching the provided criteria$/,
  /^(Profile not|No profile) found for the provided [a-zA-Z/ ]{1,40}$/,
  /^Too many requests within the limit$/,
];

/** Whether the specification publishes this text of an error. */
export function isPublishedText(vendorText: string): boolean {
  return PUBLISHED.some((pattern) => pattern.test(vendorText));
}

/** The rate headers of an answer or of an error. */
export interface ServiceRate {
  /** Allowed requests a minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** Reset of the window by the server's clock, epoch milliseconds. */
  readonly resetAtMs: number;
  /** The server's time, if the answer contains one. Epoch milliseconds, precise to a second. */
  readonly serverDateMs?: number;
  /** Set if the reset was given as a duration, not as a time. */
  readonly isDelta?: true;
}

/** What a failure proves about the charge. After `no-match` and `unknown`, the service may have charged the call. */
export type FailureProof =
  | Exclude<CallResult['kind'], 'found' | 'declined'>
  | Extract<CallResult, { readonly kind: 'declined' }>['why'];

export interface FailureMeaning {
  readonly proves: FailureProof;
  /** Sentence for a person. STATUS is replaced by the HTTP status. */
  readonly sentence: string;
  /** The HTTP status with this meaning. */
  readonly status?: number;
  /** The transport's error code with this meaning. */
  readonly transport?: string;
  /** Set if the same call can succeed later. */
  readonly hasChance?: true;
}

/** All failures of a call, by code. Source: the specification's Errors. */
export const FAILURES = {
  /** The client refused the call. Nothing was sent. */
  DATA_SERVICE_INVALID_PARAMETER: { proves: 'invalid', sentence: 'A parameter cannot be used.' },
  DATA_SERVICE_BAD_REQUEST: {
    proves: 'bad-request',
    status: 400,
    sentence: 'The data service refused the parameters.',
  },
  DATA_SERVICE_UNAUTHORIZED: {
    proves: 'key-refused',
    status: 401,
    sentence: 'The data service refused the API key.',
  },
  DATA_SERVICE_INSUFFICIENT_CREDITS: {
    proves: 'out-of-credits',
    status: 402,
    sentence: 'The account at the data service has too few credits.',
  },
  /** No such person or company. The vendor does not publish whether this costs credits. */
  DATA_SERVICE_NOT_FOUND: {
    proves: 'no-match',
    status: 404,
    sentence: 'The data service found no match.',
  },
  DATA_SERVICE_RATE_LIMITED: {
    proves: 'rate-limited',
    status: 429,
    hasChance: true,
    sentence: 'The data service refused the request: its rate limit is used up.',
  },
  /** Any status from 500. */
  DATA_SERVICE_SERVER_FAILURE: {
    proves: 'unknown',
    hasChance: true,
    sentence: 'The data service failed with status STATUS.',
  },
  /** Any other status. */
  DATA_SERVICE_UNEXPECTED_STATUS: {
    proves: 'unknown',
    sentence: 'The data service answered with status STATUS, which it does not document.',
  },
  /** A success status with a body that is too large or in another format. */
  DATA_SERVICE_MALFORMED_ANSWER: {
    proves: 'unknown',
    transport: 'HTTP_RESPONSE_TOO_LARGE',
    hasChance: true,
    sentence: 'The answer of the data service is larger than allowed.',
  },
  /** A 404 of another server, such as a proxy. The service did not receive the request. */
  DATA_SERVICE_WRONG_ADDRESS: {
    proves: 'wrong-address',
    sentence: 'The address of the data service answers 404, but not as the data service does.',
  },
  DATA_SERVICE_NOT_SENT: {
    proves: 'not-sent',
    transport: 'HTTP_NOT_SENT',
    sentence: 'Nothing was sent to the data service.',
  },
  /** For this code and the next two: the request was sent, got no answer, and may have been processed. */
  DATA_SERVICE_TIMEOUT: {
    proves: 'unknown',
    transport: 'HTTP_TIMEOUT',
    sentence: 'The data service did not answer in time.',
  },
  DATA_SERVICE_CONNECTION_LOST: {
    proves: 'unknown',
    sentence: 'The connection to the data service was lost.',
  },
  DATA_SERVICE_ABORTED: {
    proves: 'unknown',
    transport: 'HTTP_ABORTED',
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
   * True if the service may have charged the call, or may still charge it. Never true together with `retryable`,
   * because a second call could be charged again.
   */
  readonly creditsMayBeSpent: boolean;
  /** The rate headers of the answer, if the answer has them. */
  readonly rate: ServiceRate | undefined;
  /** The service's text, at most 200 characters. The text can quote the question, so it must not be logged. */
  readonly vendorText: string | undefined;
  /** True if the specification publishes this text. Then the text quotes nothing of the question. */
  readonly isTextPublished: boolean;
  /** Only for `DATA_SERVICE_INVALID_PARAMETER`: the refused parameter, if it is a single one. */
  readonly parameter: string | undefined;

  constructor(
    code: DataServiceErrorCode,
    facts: {
      readonly operation: OperationName;
      /** Replaces the code's sentence. */
      readonly message?: string;
      /** Replaces the code's `hasChance`. */
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
    const creditsMayBeSpent = ['no-match', 'unknown'].includes(meaning.proves) && !isFree(facts.operation);
    const { message = meaning.sentence, hasChance = meaning.hasChance === true } = facts;
    super({ ...facts, code, message, retryable: hasChance && !creditsMayBeSpent });
    this.name = 'DataServiceError';
    this.operation = facts.operation;
    this.creditsMayBeSpent = creditsMayBeSpent;
    this.rate = facts.rate;
    this.vendorText = facts.vendorText?.slice(0, 200);
    this.isTextPublished = facts.isTextPublished ?? false;
    this.parameter = facts.parameter;
  }
}
