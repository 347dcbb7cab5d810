import { newStratum } from '#inside/extensions/backfill/transitions.ts';
import type { Stratum } from '#shared/extensions/backfill';

/** Records that were not looked up yet, with the given differences. */
export function stratum(given: Partial<Stratum>): Stratum {
  return { ...newStratum({ name: 'by email', hitCredits: 1, missCredits: 1, maxCredits: 1 }), ...given };
}
