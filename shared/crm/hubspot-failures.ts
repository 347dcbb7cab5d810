import { UpstreamError } from '#shared/kernel';

/**
 * - `unreachable`: HubSpot serves no request. The state ends with the first answered request.
 * - `timed`: HubSpot serves no request before a given time.
 * - `scope`, `request`: a repeat would also be refused, because of a missing scope or because of the request itself.
 * - `one`: the failure affects one record or one request, and is temporary.
 */
type FailureKind = 'unreachable' | 'timed' | 'scope' | 'request' | 'one';

/** Failures of HubSpot or of the connection to it. A test compares this list with the clients' codes. */
const KINDS = {
  HUBSPOT_UNAUTHORIZED: 'unreachable',
  HUBSPOT_FORBIDDEN: 'scope',
  HUBSPOT_NOT_FOUND: 'request',
  HUBSPOT_CONFLICT: 'request',
  HUBSPOT_INVALID_REQUEST: 'request',
  HUBSPOT_DAILY_LIMIT: 'timed',
  HUBSPOT_RATE_LIMIT: 'unreachable',
  HUBSPOT_LOCKED: 'one',
  HUBSPOT_MIGRATING: 'unreachable',
  HUBSPOT_WRONG_DATA_CENTRE: 'unreachable',
  HUBSPOT_UNAVAILABLE: 'unreachable',
  HUBSPOT_UNREADABLE_ANSWER: 'unreachable',
  HUBSPOT_TIME_SHORT: 'one',
  HTTP_NOT_SENT: 'unreachable',
  HTTP_TIMEOUT: 'unreachable',
  HTTP_CONNECTION_LOST: 'unreachable',
  HTTP_ABORTED: 'unreachable',
  HTTP_RESPONSE_TOO_LARGE: 'unreachable',
} as const satisfies Record<string, FailureKind>;

export type HubSpotFailureCode = keyof typeof KINDS;

/** @returns `undefined` for any other code. */
export function hubSpotFailureKind(code: string): FailureKind | undefined {
  return Object.hasOwn(KINDS, code) ? KINDS[code as HubSpotFailureCode] : undefined;
}

/** A failure of HubSpot or of the connection to it, not of our stores. */
export type HubSpotFailure = UpstreamError & { readonly code: HubSpotFailureCode };

export function isHubSpotFailure(error: unknown): error is HubSpotFailure {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) !== undefined;
}
