import { type HubSpotFailure, type HubSpotFailureCode, hubSpotFailureKind } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import type { EnrichmentServices } from './services.ts';

/**
 * Returns until when work waits after a failure of HubSpot as a whole. Uses HubSpot's own delay if it gave one;
 * otherwise the delay depends on whether a retry can help.
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

/** The failed items with their errors. */
export type Failures<T> = ReadonlyMap<T, { readonly error: unknown }>;

/** Works on many items concurrently. A failure affects only its own item. */
export async function eachAlone<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<Failures<T>> {
  const failures = new Map<T, { readonly error: unknown }>();
  await Promise.all(
    items.map((item) => work(item).catch((error: unknown) => void failures.set(item, { error }))),
  );
  return failures;
}

/** A failure before the record's state could store it. */
export interface CaughtFailure {
  readonly kind: 'error';
  readonly error: unknown;
}

/**
 * Confines a failure to one record. The failure is reported, the message is delivered again, and other records
 * continue.
 */
export async function caught<R>(work: () => Promise<R>): Promise<R | CaughtFailure> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'error', error };
  }
}
