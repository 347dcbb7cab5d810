import { UpstreamError } from '#shared/kernel';

/**
 * - `unreachable`: HubSpot as a whole does not serve us. Any answered request ends that.
 * - `timed`: nothing is served before a time that HubSpot names.
 * - `scope`, `request`: refused, however often it is repeated; for want of a scope, or for what it asks.
 * - `one`: concerns one record or one request, and passes by itself.
 */
type FailureKind = 'unreachable' | 'timed' | 'scope' | 'request' | 'one';

/** Of HubSpot, or of the way to it. A test compares it with the codes of the clients. */
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

/** @returns nothing for a code that is neither of HubSpot nor of the way to it. */
export function hubSpotFailureKind(code: string): FailureKind | undefined {
  return Object.hasOwn(KINDS, code) ? KINDS[code as HubSpotFailureCode] : undefined;
}

/** A failure of HubSpot, or of the way to it: not of our own stores, nor of our own making. */
export type HubSpotFailure = UpstreamError & { readonly code: HubSpotFailureCode };

export function isHubSpotFailure(error: unknown): error is HubSpotFailure {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) !== undefined;
}
