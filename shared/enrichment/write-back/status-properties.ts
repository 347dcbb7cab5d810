import type { PropertyDefinitions } from '#shared/crm/property-definition.ts';
import type { EnrichmentStatus } from '#shared/field-policy/enrichment-properties.ts';
import type { Proposal } from '#shared/field-policy/mapping/map-answer.ts';
import type { QuestionOperation } from '#shared/questions/question.ts';

export const STATUS_PROPERTIES = [
  'enrichment_status',
  'enrichment_reason',
  'enrichment_credits',
  'enrichment_last_at',
  'enrichment_source',
  'enrichment_requested',
] as const;

export interface Status {
  readonly status: EnrichmentStatus;
  readonly reason: string;
  /** Spent on the record in all its runs. */
  readonly creditsSpent: number;
  /** Somebody asked for it in HubSpot; the request is set back. */
  readonly requested: boolean;
  /** Only where a new answer came: the two properties that tell of it stay as they are otherwise. */
  readonly answer?: { readonly askedAtMs: number; readonly operation: QuestionOperation } | undefined;
}

/** What RevOps builds lists and workflows on. Properties that the portal does not have are left out. */
export function statusProposals(status: Status, definitions: PropertyDefinitions): Proposal[] {
  const values: [(typeof STATUS_PROPERTIES)[number], string][] = [
    ['enrichment_status', status.status],
    ['enrichment_reason', status.reason],
    ['enrichment_credits', String(status.creditsSpent)],
  ];
  if (status.answer) {
    values.push(['enrichment_last_at', new Date(status.answer.askedAtMs).toISOString()]);
    values.push(['enrichment_source', status.answer.operation]);
  }
  if (status.requested) values.push(['enrichment_requested', 'false']);
  return values
    .filter(([property]) => definitions.has(property))
    .map(([property, value]) => ({
      property,
      value,
      rule: { property, from: property, convert: 'text', write: 'always' },
    }));
}
