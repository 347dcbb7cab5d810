import type { HttpErrorCode } from '#shared/http';
import { UpstreamError } from '#shared/kernel';

/**
 * - `unreachable`: HubSpot as a whole does not serve us. Any answered request ends that.
 * - `timed`: nothing is served before a time that HubSpot names.
 * - `scope`, `request`: refused, however often it is repeated; for want of a scope, or for what it asks.
 * - `one`: concerns one record or one request, and passes by itself.
 */
export type HubSpotFailureKind = 'unreachable' | 'timed' | 'scope' | 'request' | 'one';

interface ErrorRow {
  readonly kind: HubSpotFailureKind;
  /** Whether the same request has a chance soon. */
  readonly retryable: boolean;
  readonly advice: string;
}

const ROWS = {
  /** 401: the access token is wrong, expired or of another account. */
  HUBSPOT_UNAUTHORIZED: {
    kind: 'unreachable',
    retryable: false,
    advice: 'the access token is not valid for this account',
  },
  /** 403. */
  HUBSPOT_FORBIDDEN: {
    kind: 'scope',
    retryable: false,
    advice: 'the app lacks a scope that this request needs',
  },
  HUBSPOT_NOT_FOUND: { kind: 'request', retryable: false, advice: 'there is nothing at this address' },
  HUBSPOT_CONFLICT: { kind: 'request', retryable: false, advice: 'something of this name exists already' },
  /** Any other 4xx: the request is at fault. */
  HUBSPOT_INVALID_REQUEST: { kind: 'request', retryable: false, advice: 'the request was refused' },
  /** 429 `DAILY`: no request of any private app succeeds before midnight in the account's time zone. */
  HUBSPOT_DAILY_LIMIT: {
    kind: 'timed',
    retryable: false,
    advice: "the account's daily requests are used up until midnight in its time zone",
  },
  /** 429 of a window of seconds. */
  HUBSPOT_RATE_LIMIT: { kind: 'unreachable', retryable: true, advice: 'too many requests in a short time' },
  /** 423: locked by bulk writes, for about two seconds. */
  HUBSPOT_LOCKED: { kind: 'one', retryable: true, advice: 'the resource is locked for a moment' },
  /** 477: the account is being moved; `retryAfterMs` says for how long. */
  HUBSPOT_MIGRATING: {
    kind: 'unreachable',
    retryable: true,
    advice: 'the account is being moved to another data centre',
  },
  HUBSPOT_UNAVAILABLE: { kind: 'unreachable', retryable: true, advice: 'HubSpot is not able to answer now' },
  /** A success whose body is not what it should be. */
  HUBSPOT_UNREADABLE_ANSWER: {
    kind: 'unreachable',
    retryable: true,
    advice: 'the body is not what it should be',
  },
  /** Not sent: our own time for it was over. */
  HUBSPOT_TIME_SHORT: {
    kind: 'one',
    retryable: true,
    advice: 'our time for requests was over',
  },
} as const satisfies Record<string, ErrorRow>;

export type HubSpotErrorCode = keyof typeof ROWS;
/** Of HubSpot, or of the way to it. */
export type HubSpotFailureCode = HubSpotErrorCode | HttpErrorCode;

export const HUBSPOT_ERRORS: Readonly<Record<HubSpotErrorCode, ErrorRow>> = ROWS;

const TRANSPORT: Readonly<Record<HttpErrorCode, HubSpotFailureKind>> = {
  HTTP_NOT_SENT: 'unreachable',
  HTTP_TIMEOUT: 'unreachable',
  HTTP_CONNECTION_LOST: 'unreachable',
  HTTP_ABORTED: 'unreachable',
  HTTP_RESPONSE_TOO_LARGE: 'unreachable',
};

/** @returns nothing for a code that is neither of HubSpot nor of the way to it. */
export function hubSpotFailureKind(code: string): HubSpotFailureKind | undefined {
  if (Object.hasOwn(ROWS, code)) return ROWS[code as HubSpotErrorCode].kind;
  return Object.hasOwn(TRANSPORT, code) ? TRANSPORT[code as HttpErrorCode] : undefined;
}

/** A failure of HubSpot, or of the way to it: not of our own stores, nor of our own making. */
export type HubSpotFailure = UpstreamError & { readonly code: HubSpotFailureCode };

export function isHubSpotFailure(error: unknown): error is HubSpotFailure {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) !== undefined;
}
