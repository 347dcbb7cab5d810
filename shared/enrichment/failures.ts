import { type HubSpotFailure, type HubSpotFailureCode, hubSpotFailureKind } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import type { EnrichmentServices } from './services.ts';

/**
 * Returns how long work waits after a failure of HubSpot as a whole: HubSpot's own delay, or one by the kind of
 * failure.
 */
export function hubSpotFailure(
  { code, status, requestId, retryable, retryAfterMs }: HubSpotFailure,
  { clock, logger }: Pick<EnrichmentServices, 'clock' | 'logger'>,
): { readonly reason: HubSpotFailureCode; readonly untilMs: number } {
  logger.warn('hubspot-unavailable', { code, status, requestId, retryable });
  const waitMs = retryAfterMs ?? (retryable ? MINUTE_MS : 15 * MINUTE_MS);
  return { reason: code, untilMs: clock.now() + waitMs };
}

/** Whether HubSpot refuses permanently. Any other failure may be retried. */
export function isRefusal({ code }: HubSpotFailure): boolean {
  const kind = hubSpotFailureKind(code);
  return kind === 'scope' || kind === 'request';
}

/** Failure of each item that failed. */
export type Failures<T> = ReadonlyMap<T, { readonly error: unknown }>;

/** Works on many items concurrently. A failure affects only its own item. */
export async function eachAlone<T>(
  things: readonly T[],
  work: (thing: T) => Promise<void>,
): Promise<Failures<T>> {
  const failures = new Map<T, { readonly error: unknown }>();
  await Promise.all(
    things.map((thing) => work(thing).catch((error: unknown) => void failures.set(thing, { error }))),
  );
  return failures;
}

/** A failure before the record's state could store it. */
export interface CaughtFailure {
  readonly kind: 'error';
  readonly error: unknown;
}

/**
 * Confines a failure to one record: the failure is reported, the message is delivered again, and other records
 * continue.
 */
export async function caught<R>(work: () => Promise<R>): Promise<R | CaughtFailure> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'error', error };
  }
}
