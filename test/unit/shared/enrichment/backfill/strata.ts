import type { Stratum } from '#inside/enrichment/backfill/schemas.ts';

/** Records of which none was asked about yet, but for what is told. */
export function stratum(given: Partial<Stratum>): Stratum {
  const counts = {
    letIn: 0,
    hits: 0,
    servedHits: 0,
    misses: 0,
    others: 0,
    hitSpent: 0,
    missSpent: 0,
    otherSpent: 0,
  };
  const { hitCredits = 1, missCredits = 1 } = given;
  const minCredits = Math.min(hitCredits, missCredits);
  const credits = { hitCredits, missCredits, minCredits, maxCredits: 1 };
  return {
    name: 'by email',
    records: 1,
    prior: { hits: 0, misses: 0 },
    questions: [],
    missIds: [],
    ...counts,
    ...credits,
    ...given,
  };
}
