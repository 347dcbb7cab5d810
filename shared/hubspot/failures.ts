import { type HttpResponse, retryAfterMs } from '#shared/http';
import { parseJson, SECOND_MS, UpstreamError } from '#shared/kernel';
import { HUBSPOT_ERRORS, type HubSpotErrorCode } from './errors.ts';
import { ErrorSchema, type HubSpotErrorBody, MessageDetailsSchema } from './schemas.ts';
import type { BatchFailure } from './types.ts';

/** Parses the error in an answer. Any field can be missing, and the body can be other than JSON. */
export function errorIn(response: HttpResponse): HubSpotErrorBody {
  const body = parseJson(response.body);
  return ErrorSchema.parse(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {});
}

/**
 * Converts a non-2xx answer to an error. The error's message has only the status and HubSpot's category. HubSpot's own
 * messages quote values, which are personal data.
 */
export function responseFailure(response: HttpResponse): UpstreamError {
  const error = errorIn(response);
  const code = codeOf(response.status, error);
  const label = wordOf(error.category) ?? wordOf(error.policyName) ?? wordOf(error.errorType);
  return new UpstreamError({
    code,
    message: `HubSpot answered ${response.status}${label === undefined ? '' : ` (${label})`}: ${adviceOf(code, error)}.`,
    retryable: HUBSPOT_ERRORS[code].retryable,
    retryAfterMs: waitMs(response, error),
    status: response.status,
    requestId: requestIdOf(response, error),
  });
}

/** Adds the missing scopes to the advice. HubSpot names the scopes in the error. */
function adviceOf(code: HubSpotErrorCode, { errors }: HubSpotErrorBody): string {
  const named = errors.flatMap(({ context }) => context['requiredGranularScopes'] ?? []);
  const scopes = named.filter((scope) => /^[a-z][a-z0-9_.-]{0,99}$/.test(scope));
  const { kind, advice } = HUBSPOT_ERRORS[code];
  if (kind !== 'scope' || scopes.length === 0) return advice;
  return `${advice}: ${[...new Set(scopes)].join(', ')}`;
}

function unreadableAnswer(response: HttpResponse): UpstreamError {
  const code = 'HUBSPOT_UNREADABLE_ANSWER';
  const { advice, retryable } = HUBSPOT_ERRORS[code];
  return new UpstreamError({
    code,
    message: `HubSpot answered ${response.status}: ${advice}.`,
    retryable,
    status: response.status,
    requestId: requestIdOf(response, errorIn(response)),
  });
}

interface Schema<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false };
}

/** Parses the body. @throws UpstreamError `HUBSPOT_UNREADABLE_ANSWER` */
export function readAnswer<Value>(response: HttpResponse, schema: Schema<Value>): Value {
  const parsed = schema.safeParse(parseJson(response.body));
  if (!parsed.success) throw unreadableAnswer(response);
  return parsed.data;
}

/** Returns HubSpot's correlation id of an answer, from the body or the header. */
export function requestIdOf(response: HttpResponse, error: HubSpotErrorBody): string | undefined {
  return error.correlationId ?? response.headers['x-hubspot-correlation-id'];
}

/** Returns a text only if it is a code or a name. A sentence could quote a value. */
function wordOf(text: string | undefined): string | undefined {
  return text !== undefined && /^[A-Za-z][A-Za-z0-9_.]{0,99}$/.test(text) ? text : undefined;
}

function codeOf(status: number, error: HubSpotErrorBody): HubSpotErrorCode {
  if (status === 429) return isDaily(error) ? 'HUBSPOT_DAILY_LIMIT' : 'HUBSPOT_RATE_LIMIT';
  return CODES[status] ?? (status >= 400 && status < 500 ? 'HUBSPOT_INVALID_REQUEST' : 'HUBSPOT_UNAVAILABLE');
}

const CODES: Readonly<Record<number, HubSpotErrorCode>> = {
  401: 'HUBSPOT_UNAUTHORIZED',
  403: 'HUBSPOT_FORBIDDEN',
  404: 'HUBSPOT_NOT_FOUND',
  // Rarer than 504: HubSpot's edge server stopped waiting for the request.
  408: 'HUBSPOT_UNAVAILABLE',
  409: 'HUBSPOT_CONFLICT',
  423: 'HUBSPOT_LOCKED',
  477: 'HUBSPOT_MIGRATING',
  488: 'HUBSPOT_WRONG_DATA_CENTRE',
};

/**
 * Decides by the policy name. If there is none, the only other sign is the message "You have reached your daily limit."
 */
function isDaily(error: HubSpotErrorBody): boolean {
  return error.policyName === undefined
    ? /\bdaily\b/i.test(error.message ?? '')
    : error.policyName === 'DAILY';
}

/**
 * Returns the wait before a retry. A `Retry-After` header decides, although HubSpot documents it for 477 only. Without
 * the header, the wait after a 429 is the length of its window, and after a lock two seconds.
 */
function waitMs(response: HttpResponse, error: HubSpotErrorBody): number | undefined {
  const requestedMs = retryAfterMs(response);
  if (requestedMs !== undefined) return requestedMs;
  if (response.status === 423) return 2 * SECOND_MS;
  if (response.status !== 429 || isDaily(error)) return undefined;
  return isSecondly(error) ? SECOND_MS : 10 * SECOND_MS;
}

function isSecondly(error: HubSpotErrorBody): boolean {
  return error.policyName === undefined
    ? /\byour secondly\b/i.test(error.message ?? '')
    : error.policyName === 'SECONDLY';
}

/** One error of a batch: the inputs that caused the error, and facts without personal data. */
export interface BatchError {
  /** Record ids in the error, as ids or as `objectWriteTraceId`s (see `records.ts`). */
  readonly ids: ReadonlySet<string>;
  /** Properties that cannot be written with any value. Every input with such a property fails. */
  readonly impossibleProperties: ReadonlySet<string>;
  readonly category: string;
  readonly reason: string;
  /** Properties that the error names. */
  readonly properties: readonly string[];
  readonly retryable: boolean;
  /** See `BatchFailure`. */
  readonly isLiftable?: boolean;
  readonly correlationId: string | undefined;
}

/** @param fallbackId the correlation id of the whole answer, for errors without their own. */
export function toBatchError(error: HubSpotErrorBody, fallbackId: string | undefined): BatchError {
  const faults = faultsOf(error);
  const category = wordOf(error.category) ?? wordOf(error.errorType) ?? 'UNKNOWN';
  const reason =
    faults.length === 0
      ? (wordOf(error.subCategory) ?? category)
      : [...new Set(faults.map(describe))].join(', ');
  return {
    ids: new Set(ID_KEYS.flatMap((key) => error.context[key] ?? [])),
    impossibleProperties: new Set(
      faults.flatMap((fault) => (IMPOSSIBLE.has(fault.code) ? fault.properties : [])),
    ),
    category,
    reason,
    properties: [...new Set(faults.flatMap(({ properties }) => properties))],
    retryable: TRANSIENT.test(category),
    isLiftable: LIFTABLE.test(reason),
    correlationId: error.correlationId ?? fallbackId,
  };
}

export function failureOfInput(id: string, error: BatchError): BatchFailure {
  const { category, reason, properties, retryable, isLiftable } = error;
  return { id, reason, properties, category, retryable, ...(isLiftable && { isLiftable }) };
}

/** An error of ours about the only record of a request, for which HubSpot gave none. */
export function ownError(category: 'UNREADABLE' | 'UNCONFIRMED'): BatchError {
  const named = { ids: new Set<string>(), impossibleProperties: new Set<string>(), properties: [] };
  return { ...named, category, reason: category, retryable: true, correlationId: undefined };
}

const ID_KEYS = ['objectWriteTraceId', 'id', 'ids', 'objectId', 'objectIds'];

const IMPOSSIBLE: ReadonlySet<string> = new Set(['PROPERTY_DOESNT_EXIST', 'READ_ONLY_VALUE']);

// HubSpot publishes no list of its categories and codes, so these patterns match parts of the names.
const TRANSIENT = /RATE_LIMIT|INTERNAL|TIMEOUT|LOCKED|UNAVAILABLE/;

const LIFTABLE = /MISSING_|READ_ONLY|DOESNT_EXIST|INVALID_OPTION|PERMISSION/;

interface Fault {
  readonly code: string;
  readonly properties: readonly string[];
}

function faultsOf(error: HubSpotErrorBody): readonly Fault[] {
  const nested = error.errors.map((detail) => fault(detail.code, detail.context['propertyName']));
  const own = fault(error.code, error.context['propertyName']);
  const fromMessage = detailsIn(error.message).map(({ code, property }) =>
    fault(code, property === undefined ? undefined : [property]),
  );
  return [own, ...nested, ...fromMessage].filter((found) => found !== undefined);
}

function fault(code: string | undefined, properties: readonly string[] | undefined): Fault | undefined {
  const word = wordOf(code);
  if (word === undefined) return undefined;
  return { code: word, properties: (properties ?? []).filter((name) => wordOf(name) !== undefined) };
}

function describe({ code, properties }: Fault): string {
  return properties.length === 0 ? code : `${code} (${properties.join(', ')})`;
}

/** `Property values were not valid: [{"error":"INVALID_OPTION","name":"industry", ...}]` */
function detailsIn(message = ''): readonly { code?: string | undefined; property?: string | undefined }[] {
  const start = message.indexOf('[{');
  if (start < 0) return [];
  // If the text is not JSON, only the category is known.
  return MessageDetailsSchema.parse(parseJson(message.slice(start, message.lastIndexOf(']') + 1)));
}
