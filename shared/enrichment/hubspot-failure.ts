import { MINUTE_MS } from '../kernel/clock.ts';
import type { OutsideError } from '../kernel/errors.ts';
import type { EnrichmentDeps } from './deps.ts';

/** HubSpot as a whole failed: until when work waits, by its wish or by how likely it is to come right soon. */
export function hubSpotFailure(
  { code, status, requestId, retryable, retryAfterMs }: OutsideError,
  { clock, logger }: Pick<EnrichmentDeps, 'clock' | 'logger'>,
): { readonly reason: string; readonly untilMs: number } {
  logger.warn('hubspot-unavailable', { code, status, requestId, retryable });
  const waitMs = retryAfterMs ?? (retryable ? MINUTE_MS : 15 * MINUTE_MS);
  return { reason: code, untilMs: clock.now() + waitMs };
}
