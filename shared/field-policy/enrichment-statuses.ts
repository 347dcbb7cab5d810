/** Values of `enrichment_status`. */
export const ENRICHMENT_STATUSES = [
  'enriched',
  'unchanged',
  'unmatched',
  'skipped',
  'waiting',
  'failed',
  'review',
] as const;
export type EnrichmentStatus = (typeof ENRICHMENT_STATUSES)[number];

/** Names of the statuses for a person, in HubSpot and on every other surface. */
export const STATUS_LABELS: Readonly<Record<EnrichmentStatus, string>> = {
  enriched: 'Enriched',
  unchanged: 'Unchanged',
  unmatched: 'No match',
  skipped: 'Skipped',
  waiting: 'Waiting',
  failed: 'Failed',
  review: 'Needs review',
};
