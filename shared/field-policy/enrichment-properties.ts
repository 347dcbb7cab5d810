/** A property of ours in HubSpot, in a form that says nothing about how it is created. */
export interface EnrichmentProperty {
  readonly name: string;
  readonly label: string;
  readonly type: 'enumeration' | 'datetime' | 'string' | 'number' | 'bool';
  readonly fieldType: 'select' | 'date' | 'text' | 'number' | 'booleancheckbox';
  readonly description: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

/** The group that holds our properties, on contacts and on companies. */
export const ENRICHMENT_GROUP = { name: 'enrichment', label: 'Enrichment' } as const;

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

/** The same properties on contacts and on companies. */
export const ENRICHMENT_PROPERTIES: readonly EnrichmentProperty[] = [
  {
    name: 'enrichment_status',
    label: 'Enrichment status',
    type: 'enumeration',
    fieldType: 'select',
    description: 'How the last enrichment of this record ended.',
    options: ENRICHMENT_STATUSES.map((value) => ({ label: capitalised(value), value })),
  },
  {
    name: 'enrichment_last_at',
    label: 'Enrichment last answered at',
    type: 'datetime',
    fieldType: 'date',
    description: 'When a new answer about this record was last received.',
  },
  {
    name: 'enrichment_reason',
    label: 'Enrichment reason',
    type: 'string',
    fieldType: 'text',
    description: 'Why the last enrichment of this record ended as it did.',
  },
  {
    name: 'enrichment_credits',
    label: 'Enrichment credits',
    type: 'number',
    fieldType: 'number',
    description: 'Credits spent on this record so far.',
  },
  {
    name: 'enrichment_source',
    label: 'Enrichment source',
    type: 'string',
    fieldType: 'text',
    description: 'Which question the values were taken from.',
  },
  {
    name: 'enrichment_requested',
    label: 'Enrichment requested',
    type: 'bool',
    fieldType: 'booleancheckbox',
    description: 'Set to Yes to have this record enriched now; set back when it is done.',
    options: [
      { label: 'Yes', value: 'true' },
      { label: 'No', value: 'false' },
    ],
  },
];

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
