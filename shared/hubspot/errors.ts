/**
 * - `unreachable`: HubSpot serves no request. The state ends with the first answered request.
 * - `timed`: HubSpot serves no request before a given time.
 * - `scope`, `request`: a repeat would also be refused, because of a missing scope or because of the request itself.
 * - `one`: the failure affects one record or one request, and is temporary.
 */
export type FailureKind = 'unreachable' | 'timed' | 'scope' | 'request' | 'one';

interface ErrorRow {
  readonly kind: FailureKind;
  /** Whether the same request may succeed soon. */
  readonly retryable: boolean;
  readonly advice: string;
}

/** HubSpot's errors, by our code. */
export const HUBSPOT_ERRORS = {
  /** 401: the access token is wrong, expired or of another account. */
  HUBSPOT_UNAUTHORIZED: row('unreachable', false, 'the access token is not valid for this account'),
  /** 403. */
  HUBSPOT_FORBIDDEN: row('scope', false, 'the app lacks a scope that this request needs'),
  HUBSPOT_NOT_FOUND: row('request', false, 'there is nothing at this address'),
  HUBSPOT_CONFLICT: row('request', false, 'an object with this name already exists'),
  /** Any other 4xx: the request is invalid. */
  HUBSPOT_INVALID_REQUEST: row('request', false, 'the request was refused'),
  /** 429 `DAILY`: HubSpot refuses requests of all private apps until midnight in the account's time zone. */
  HUBSPOT_DAILY_LIMIT: row(
    'timed',
    false,
    "the account's daily requests are used up until midnight in its time zone",
  ),
  /** 429 of a window of seconds. */
  HUBSPOT_RATE_LIMIT: row('unreachable', true, 'too many requests in a short time'),
  /** 423: locked by bulk writes, for about two seconds. */
  HUBSPOT_LOCKED: row('one', true, 'the resource is locked for a moment'),
  /** 477: the account is being moved. `retryAfterMs` is the duration. */
  HUBSPOT_MIGRATING: row('unreachable', true, 'the account is being moved to another data centre'),
  /** 488: the account's data centre does not know the token, for instance since the account was moved. It stays so. */
  HUBSPOT_WRONG_DATA_CENTRE: row(
    'unreachable',
    false,
    "the access token is not known in the account's data centre",
  ),
  HUBSPOT_UNAVAILABLE: row('unreachable', true, 'HubSpot is not able to answer now'),
  /** A 2xx answer whose body does not fit the schema. A retry is safe: reads change nothing, writes are absolute. */
  HUBSPOT_UNREADABLE_ANSWER: row('unreachable', true, 'the body has an unexpected form'),
  /** The request was not sent, because our own time limit was over. */
  HUBSPOT_TIME_SHORT: row('one', true, 'our time limit for requests was over'),
} as const;

export type HubSpotErrorCode = keyof typeof HUBSPOT_ERRORS;

function row(kind: FailureKind, retryable: boolean, advice: string): ErrorRow {
  return { kind, retryable, advice };
}
