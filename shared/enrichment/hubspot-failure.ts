import { MINUTE_MS } from '#shared/kernel/clock.ts';
import type { UpstreamError } from '#shared/kernel/errors.ts';
import type { EnrichmentServices } from './services.ts';

/** Why a run waits whose values HubSpot does not take, or for which nothing is bought before it takes others. */
export const HUBSPOT_REFUSES = 'HUBSPOT_REFUSES';

/** HubSpot as a whole failed: until when work waits, by its wish or by how likely it is to come right soon. */
export function hubSpotFailure(
  { code, status, requestId, retryable, retryAfterMs }: UpstreamError,
  { clock, logger }: Pick<EnrichmentServices, 'clock' | 'logger'>,
): { readonly reason: string; readonly untilMs: number } {
  logger.warn('hubspot-unavailable', { code, status, requestId, retryable });
  const waitMs = retryAfterMs ?? (retryable ? MINUTE_MS : 15 * MINUTE_MS);
  return { reason: code, untilMs: clock.now() + waitMs };
}
