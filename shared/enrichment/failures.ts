import { type HubSpotFailure, type HubSpotFailureCode, hubSpotFailureKind } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import type { EnrichmentServices } from './services.ts';

/** HubSpot as a whole failed: until when work waits, by its wish or by how likely it is to come right soon. */
export function hubSpotFailure(
  { code, status, requestId, retryable, retryAfterMs }: HubSpotFailure,
  { clock, logger }: Pick<EnrichmentServices, 'clock' | 'logger'>,
): { readonly reason: HubSpotFailureCode; readonly untilMs: number } {
  logger.warn('hubspot-unavailable', { code, status, requestId, retryable });
  const waitMs = retryAfterMs ?? (retryable ? MINUTE_MS : 15 * MINUTE_MS);
  return { reason: code, untilMs: clock.now() + waitMs };
}

/** HubSpot will not do it however often it is asked; whatever else fails may come right. */
export function isRefusal({ code }: HubSpotFailure): boolean {
  const kind = hubSpotFailureKind(code);
  return kind === 'scope' || kind === 'request';
}

/** Why the work on some of many things failed: each one's own failure. */
export type Failures<T> = ReadonlyMap<T, { readonly error: unknown }>;

/** Works on many records side by side; the failure of one keeps no other. */
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

/** Something failed before the record's state could say so. */
export interface Failed {
  readonly kind: 'error';
  readonly error: unknown;
}

/** The border of one record's failure: it is reported and delivered again, and keeps no other record. */
export async function attempt<R>(work: () => Promise<R>): Promise<R | Failed> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'error', error };
  }
}
