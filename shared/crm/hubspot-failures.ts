import { type FailureKind, HUBSPOT_ERRORS, type HubSpotErrorCode } from '#shared/hubspot';
import { UpstreamError } from '#shared/kernel';

/** Failures of the connection. They prove nothing about HubSpot. A type test compares them with the transport's. */
const CONNECTION_FAILURES = [
  'HTTP_NOT_SENT',
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_LOST',
  'HTTP_ABORTED',
  'HTTP_RESPONSE_TOO_LARGE',
] as const;

export type HubSpotFailureCode = HubSpotErrorCode | (typeof CONNECTION_FAILURES)[number];

/** @returns `undefined` for any other code. */
export function hubSpotFailureKind(code: string): FailureKind | undefined {
  if (CONNECTION_FAILURES.some((each) => each === code)) return 'unreachable';
  return Object.hasOwn(HUBSPOT_ERRORS, code) ? HUBSPOT_ERRORS[code as HubSpotErrorCode].kind : undefined;
}

/** A failure of HubSpot or of the connection to it, not of our stores. */
export type HubSpotFailure = UpstreamError & { readonly code: HubSpotFailureCode };

export function isHubSpotFailure(error: unknown): error is HubSpotFailure {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) !== undefined;
}
