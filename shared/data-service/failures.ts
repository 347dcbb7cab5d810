import type { HttpResponse } from '#shared/http/http-request.ts';
import { retryAfterMs } from '#shared/http/retry.ts';
import type { UpstreamError } from '#shared/kernel/errors.ts';
import { parseJson } from '#shared/kernel/json.ts';
import { DataServiceError, type DataServiceErrorCode } from './errors.ts';
import { readLeniently } from './lenient.ts';
import { isFree } from './pricing.ts';
import { readRate } from './rate-headers.ts';
import { errorBodySchema } from './schemas.ts';
import type { OperationName } from './types.ts';

/** What a response without success means (specification: Errors). */
export function failureOfStatus(operation: OperationName, response: HttpResponse): DataServiceError {
  const body = readErrorBody(response.body);
  const isForeign = response.status === 404 && !isAboutRecord(response, body);
  const meaning = isForeign ? WRONG_ADDRESS : meaningOf(response);
  const { code, sentence, hasChance = false, charges = false } = meaning;
  const creditsMayBeSpent = charges && !isFree(operation);
  const vendorText = body?.error ?? body?.message;
  return new DataServiceError({
    code,
    message: vendorText && isPublished(vendorText) ? `${sentence} ${vendorText}.` : sentence,
    retryable: hasChance && !creditsMayBeSpent,
    creditsMayBeSpent,
    operation,
    vendorText,
    retryAfterMs: retryAfterMs(response),
    ...circumstances(response),
  });
}

/** A response that claims success, or "not found", but is not made like one. */
export function malformedAnswer(failure: {
  readonly operation: OperationName;
  readonly response: HttpResponse;
  readonly sentence: string;
  readonly cause?: unknown;
}): DataServiceError {
  const creditsMayBeSpent = !isFree(failure.operation);
  return new DataServiceError({
    code: 'DATA_SERVICE_MALFORMED_ANSWER',
    message: failure.sentence,
    retryable: !creditsMayBeSpent,
    creditsMayBeSpent,
    operation: failure.operation,
    cause: failure.cause,
    ...circumstances(failure.response),
  });
}

/** A request without a response. A code that the transport does not promise is taken for the worst. */
export function failureOfTransport(operation: OperationName, cause: UpstreamError): DataServiceError {
  const { code, sentence } = TRANSPORT.get(cause.code) ?? LOST;
  const creditsMayBeSpent = code !== 'DATA_SERVICE_NOT_SENT' && !isFree(operation);
  return new DataServiceError({
    code,
    message: sentence,
    retryable: cause.retryable && !creditsMayBeSpent,
    creditsMayBeSpent,
    operation,
    cause,
  });
}

interface Meaning {
  readonly code: DataServiceErrorCode;
  readonly sentence: string;
  readonly hasChance?: boolean;
  /** Whether the service may have charged for it. */
  readonly charges?: boolean;
}

const BY_STATUS: ReadonlyMap<number, Meaning> = new Map([
  [400, { code: 'DATA_SERVICE_BAD_REQUEST', sentence: 'The data service refused the parameters.' }],
  [401, { code: 'DATA_SERVICE_UNAUTHORIZED', sentence: 'The data service refused the API key.' }],
  [
    402,
    {
      code: 'DATA_SERVICE_INSUFFICIENT_CREDITS',
      sentence: 'The credits of the data service do not suffice.',
    },
  ],
  [404, { code: 'DATA_SERVICE_NOT_FOUND', sentence: 'The data service found no match.', charges: true }],
  [
    429,
    {
      code: 'DATA_SERVICE_RATE_LIMITED',
      sentence: 'The data service wants fewer requests a minute.',
      hasChance: true,
    },
  ],
]);

const WRONG_ADDRESS: Meaning = {
  code: 'DATA_SERVICE_WRONG_ADDRESS',
  sentence: 'The address of the data service answers 404, but not as the data service does.',
};

const LOST = {
  code: 'DATA_SERVICE_CONNECTION_LOST',
  sentence: 'The connection to the data service was lost.',
} as const;

const TRANSPORT: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['HTTP_NOT_SENT', { code: 'DATA_SERVICE_NOT_SENT', sentence: 'Nothing was sent to the data service.' }],
  ['HTTP_TIMEOUT', { code: 'DATA_SERVICE_TIMEOUT', sentence: 'The data service did not answer in time.' }],
  [
    'HTTP_ABORTED',
    { code: 'DATA_SERVICE_ABORTED', sentence: 'The caller gave up before the data service answered.' },
  ],
  [
    'HTTP_RESPONSE_TOO_LARGE',
    {
      code: 'DATA_SERVICE_MALFORMED_ANSWER',
      sentence: 'The answer of the data service is larger than allowed.',
    },
  ],
]);

/** The error texts that the specification publishes: only these are known to repeat nothing that was asked for. */
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

function isPublished(text: string): boolean {
  return PUBLISHED.some((pattern) => pattern.test(text));
}

/** A miss in other words than the published ones: a miss all the same, but worth a look. */
export function isMissInOtherWords({ code, vendorText = '' }: DataServiceError): boolean {
  return code === 'DATA_SERVICE_NOT_FOUND' && !isPublished(vendorText);
}

function meaningOf({ status }: HttpResponse): Meaning {
  const known = BY_STATUS.get(status);
  if (known) return known;
  if (status >= 500) {
    return {
      code: 'DATA_SERVICE_SERVER_FAILURE',
      sentence: `The data service failed with status ${status}.`,
      hasChance: true,
      charges: true,
    };
  }
  return {
    code: 'DATA_SERVICE_UNEXPECTED_STATUS',
    sentence: `The data service answered with status ${status}, which it does not document.`,
    charges: true,
  };
}

type ErrorBody = NonNullable<ReturnType<typeof readErrorBody>>;

function readErrorBody(body: string) {
  return readLeniently({ schema: errorBodySchema, value: parseJson(body), onDrift: () => undefined });
}

/**
 * A 404 may also come from a web server or proxy that does not know the path at all. Such a one must never be kept as
 * "no match". The data service shows itself by its rate headers or by the shape of its errors, whatever the words.
 */
function isAboutRecord(response: HttpResponse, body: ErrorBody | undefined): boolean {
  if (UNKNOWN_PATH.test(response.body)) return false;
  if (readRate(response)) return true;
  const { statusCode, message, error } = body ?? {};
  const hasWords = message !== undefined && error !== undefined;
  return statusCode === 404 && hasWords && !(message === BARE && error === BARE);
}

/** What Express and Nest, and Fastify, say of a path that no route is made for. */
const UNKNOWN_PATH = /\bCannot (?:GET|POST) \/|\bRoute (?:GET|POST):\//;
/** In both places it says no more than the status does; hapi answers so for an unknown path. */
const BARE = 'Not Found';

function circumstances(response: HttpResponse) {
  return {
    status: response.status,
    rate: readRate(response),
    requestId: response.headers['x-request-id'],
  };
}
