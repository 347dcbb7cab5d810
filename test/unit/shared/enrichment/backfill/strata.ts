import type { Stratum } from '#shared/enrichment/backfill/schemas.ts';

/** Records of which none was asked about yet, but for what is told. */
export function stratum(given: Partial<Stratum>): Stratum {
  const counts = { letIn: 0, hits: 0, misses: 0, others: 0, hitSpent: 0, missSpent: 0, otherSpent: 0 };
  const credits = { hitCredits: 1, missCredits: 1, maxCredits: 1 };
  return {
    name: 'by email',
    records: 1,
    prior: { hits: 0, misses: 0 },
    missIds: [],
    ...counts,
    ...credits,
    ...given,
  };
}
