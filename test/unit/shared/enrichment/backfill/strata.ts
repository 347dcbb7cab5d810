import type { Stratum } from '#inside/enrichment/backfill/schemas.ts';
import { newStratum } from '#inside/enrichment/backfill/transitions.ts';

/** Records of which none was asked about yet, but for what is told. */
export function stratum(given: Partial<Stratum>): Stratum {
  const { hitCredits = 1, missCredits = 1 } = given;
  const minCredits = Math.min(hitCredits, missCredits);
  const credits = { hitCredits, missCredits, minCredits, maxCredits: 1 };
  const kind = { name: 'by email', prior: { hits: 0, misses: 0 }, questions: [], ...credits };
  return { ...newStratum(kind), ...given };
}
