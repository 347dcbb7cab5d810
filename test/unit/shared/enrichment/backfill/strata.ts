import type { Stratum } from '#inside/enrichment/backfill/schemas.ts';
import { newStratum } from '#inside/enrichment/backfill/transitions.ts';

/** Records that were not looked up yet, with the given differences. */
export function stratum(given: Partial<Stratum>): Stratum {
  return { ...newStratum({ name: 'by email', hitCredits: 1, missCredits: 1, maxCredits: 1 }), ...given };
}
