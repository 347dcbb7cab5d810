import { type HttpResponse, retryAfterMs, serverDateMs } from '#shared/http';
import { parseJson, type UpstreamError } from '#shared/kernel';
import {
  DATA_SERVICE_ERROR_CODES,
  DataServiceError,
  type DataServiceErrorCode,
  FAILURES,
  type FailureMeaning,
  isPublishedText,
  type ServiceRate,
} from './errors.ts';
import type { OperationName } from './operations.ts';
import { isObject } from './schemas.ts';

/** Reads the three `X-RateLimit-*` headers; `undefined` unless all three are numbers. */
export function readRateHeaders(response: HttpResponse): ServiceRate | undefined {
  const limit = readCount(response, 'x-ratelimit-limit');
  const remaining = readCount(response, 'x-ratelimit-remaining');
  const reset = readCount(response, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  const dateMs = serverDateMs(response);
  return {
    limit,
    remaining,
    ...(reset < SMALLEST_TIMESTAMP
      ? { resetAtMs: (dateMs ?? response.receivedAtMs) + reset * 1_000, isDelta: true }
      : { resetAtMs: epochMs(reset) }),
    ...(dateMs !== undefined && { serverDateMs: dateMs }),
  };
}

function readCount(response: HttpResponse, header: string): number | undefined {
  const value = response.headers[header]?.trim() ?? '';
  return /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

/** A timestamp below this number would be before the year 2001. So such a value is a number of seconds from now. */
const SMALLEST_TIMESTAMP = 1e9;

/**
 * A Unix timestamp counts seconds. Above this number, it would be after the year 5000, so the value counts
 * milliseconds. If it were read as seconds, all requests would stop permanently.
 */
const LARGEST_IN_SECONDS = 1e11;

function epochMs(timestamp: number): number {
  return Math.round(timestamp > LARGEST_IN_SECONDS ? timestamp : timestamp * 1_000);
}

/** Converts an error response to a failure. */
export function failureOfStatus(operation: OperationName, response: HttpResponse): DataServiceError {
  const body = readErrorBody(response.body);
  const code = codeOfStatus(response, body);
  const sentence = FAILURES[code].sentence.replace('STATUS', String(response.status));
  const vendorText = body?.error ?? body?.message;
  const isTextPublished = isPublishedText(vendorText ?? '');
  return new DataServiceError(code, {
    operation,
    message: isTextPublished ? `${sentence} ${vendorText}.` : sentence,
    vendorText,
    isTextPublished,
    retryAfterMs: retryAfterMs(response),
    ...responseFacts(response),
  });
}

/** Creates the failure for a response with a success status and a body in another format. */
export function malformedAnswer(
  operation: OperationName,
  failure: { readonly response: HttpResponse; readonly message: string },
): DataServiceError {
  const { response, message } = failure;
  return new DataServiceError('DATA_SERVICE_MALFORMED_ANSWER', {
    operation,
    message,
    ...responseFacts(response),
  });
}

/**
 * Creates the failure for a request without a response. An unknown transport code counts as a lost connection, because
 * this is the worst case.
 */
export function failureOfTransport(operation: OperationName, cause: UpstreamError): DataServiceError {
  const code = codeWhere(({ transport }) => transport === cause.code) ?? 'DATA_SERVICE_CONNECTION_LOST';
  return new DataServiceError(code, { operation, hasChance: cause.retryable, cause });
}

function codeOfStatus(response: HttpResponse, body: ErrorBody | undefined): DataServiceErrorCode {
  const { status } = response;
  if (status === 404 && !isAboutRecord(response, body)) return 'DATA_SERVICE_WRONG_ADDRESS';
  const otherCode = status >= 500 ? 'DATA_SERVICE_SERVER_FAILURE' : 'DATA_SERVICE_UNEXPECTED_STATUS';
  return codeWhere((meaning) => meaning.status === status) ?? otherCode;
}

function codeWhere(matches: (meaning: FailureMeaning) => boolean): DataServiceErrorCode | undefined {
  return DATA_SERVICE_ERROR_CODES.find((code) => matches(FAILURES[code]));
}

interface ErrorBody {
  readonly statusCode: unknown;
  readonly message: string | undefined;
  readonly error: string | undefined;
}

function readErrorBody(body: string): ErrorBody | undefined {
  const given = parseJson(body);
  if (!isObject(given)) return undefined;
  const { statusCode, message, error } = given;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { statusCode, message: textOf(message), error: textOf(error) };
}

/**
 * Whether a 404 is the data service's "no match". A web server or a proxy also answers 404 if it does not know the
 * path. Such an answer must not be stored as a miss. The data service is recognised by its rate headers or by the form
 * of its errors.
 */
function isAboutRecord(response: HttpResponse, body: ErrorBody | undefined): boolean {
  if (UNKNOWN_PATH.test(response.body)) return false;
  if (readRateHeaders(response)) return true;
  const { statusCode, message, error } = body ?? {};
  const hasWords = message !== undefined && error !== undefined;
  return statusCode === 404 && hasWords && !(message === BARE_NOT_FOUND && error === BARE_NOT_FOUND);
}

/** The texts of Express, Nest and Fastify for a path without a route. */
const UNKNOWN_PATH = /\bCannot (?:GET|POST) \/|\bRoute (?:GET|POST):\//;
/** The text of hapi for an unknown path, in both fields. It does not show that the data service answered. */
const BARE_NOT_FOUND = 'Not Found';

function responseFacts(response: HttpResponse) {
  return {
    status: response.status,
    rate: readRateHeaders(response),
    requestId: response.headers['x-request-id'],
  };
}
