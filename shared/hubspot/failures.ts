import { type HttpResponse, retryAfterMs } from '#shared/http';
import { parseJson, SECOND_MS, UpstreamError } from '#shared/kernel';
import { HUBSPOT_ERRORS, type HubSpotErrorCode } from './error-codes.ts';
import { ErrorSchema, type HubSpotErrorBody } from './schemas.ts';

/** The error that an answer describes; every field may be missing, the body may be no JSON at all. */
export function errorIn(response: HttpResponse): HubSpotErrorBody {
  const body = parseJson(response.body);
  return ErrorSchema.parse(typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {});
}

/**
 * The failure that a non-2xx answer means. Its message holds status and HubSpot's category only: HubSpot's own
 * messages quote values, and values are people's.
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

/** HubSpot names the scopes that a call needs. */
function adviceOf(code: HubSpotErrorCode, { errors }: HubSpotErrorBody): string {
  const named = errors.flatMap(({ context }) => context['requiredGranularScopes'] ?? []);
  const scopes = named.filter((scope) => /^[a-z][a-z0-9_.-]{0,99}$/.test(scope));
  const { refused, advice } = HUBSPOT_ERRORS[code];
  if (refused !== 'scope' || scopes.length === 0) return advice;
  return `${advice}: ${[...new Set(scopes)].join(', ')}`;
}

function unreadableAnswer(response: HttpResponse): UpstreamError {
  const code = 'HUBSPOT_UNREADABLE_ANSWER';
  const { advice, retryable } = HUBSPOT_ERRORS[code];
  return new UpstreamError({
    code,
    message: `HubSpot answered ${response.status}: ${advice}.`,
    // Reads are harmless, and writes carry absolute values: the same request again does no second harm.
    retryable,
    status: response.status,
    requestId: requestIdOf(response, errorIn(response)),
  });
}

interface Schema<Value> {
  safeParse(value: unknown): { readonly success: true; readonly data: Value } | { readonly success: false };
}

/** The body in the shape of the schema, or `HUBSPOT_UNREADABLE_ANSWER`. */
export function readAnswer<Value>(response: HttpResponse, schema: Schema<Value>): Value {
  const parsed = schema.safeParse(parseJson(response.body));
  if (!parsed.success) throw unreadableAnswer(response);
  return parsed.data;
}

/** HubSpot's correlation id of an answer, from body or header. */
export function requestIdOf(response: HttpResponse, error: HubSpotErrorBody): string | undefined {
  return error.correlationId ?? response.headers['x-hubspot-correlation-id'];
}

/** A code or name as HubSpot writes them; anything that could be a sentence, hence hold a value, is no word. */
export function wordOf(text: string | undefined): string | undefined {
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
  // Rare beside 504; HubSpot's edge gave up waiting for the request.
  408: 'HUBSPOT_UNAVAILABLE',
  409: 'HUBSPOT_CONFLICT',
  423: 'HUBSPOT_LOCKED',
  477: 'HUBSPOT_MIGRATING',
};

/** By policy name; its message, "You have reached your daily limit.", is the only other sign. */
function isDaily(error: HubSpotErrorBody): boolean {
  return error.policyName === undefined
    ? /\bdaily\b/i.test(error.message ?? '')
    : error.policyName === 'DAILY';
}

/**
 * The server's wish comes first; it is documented for 477 only. Without one, the window named by a 429 and the two
 * seconds that a lock lasts say how soon another attempt has a chance.
 */
function waitMs(response: HttpResponse, error: HubSpotErrorBody): number | undefined {
  const wishMs = retryAfterMs(response);
  if (wishMs !== undefined) return wishMs;
  if (response.status === 423) return 2 * SECOND_MS;
  if (response.status !== 429 || isDaily(error)) return undefined;
  return isSecondly(error) ? SECOND_MS : 10 * SECOND_MS;
}

function isSecondly(error: HubSpotErrorBody): boolean {
  return error.policyName === undefined
    ? /\byour secondly\b/i.test(error.message ?? '')
    : error.policyName === 'SECONDLY';
}
