import { isAboutPerson, type ObjectType } from '#shared/crm';
import { ENRICHMENT_STATUSES, STATUS_LABELS } from './enrichment-statuses.ts';

/** A property that this product creates in HubSpot, independent of HubSpot's API. */
export interface EnrichmentProperty {
  readonly name: string;
  readonly label: string;
  readonly type: 'enumeration' | 'datetime' | 'date' | 'string' | 'number' | 'bool';
  readonly fieldType: 'select' | 'date' | 'text' | 'number' | 'booleancheckbox';
  readonly description: string;
  readonly options?: readonly { readonly label: string; readonly value: string }[];
}

/** The group of our properties, on contacts and on companies. */
export const ENRICHMENT_GROUP = { name: 'enrichment', label: 'Enrichment' } as const;

/** The properties that `setup` creates on an object type. */
export function enrichmentProperties(objectType: ObjectType): readonly EnrichmentProperty[] {
  return isAboutPerson({ objectType }) ? [...STATUS, ...PRIVACY, ...JOB_CHANGE] : STATUS;
}

const YES_OR_NO = [
  { label: 'Yes', value: 'true' },
  { label: 'No', value: 'false' },
] as const;

/** Properties on contacts and on companies. */
const STATUS: readonly EnrichmentProperty[] = [
  {
    name: 'enrichment_status',
    label: 'Enrichment status',
    type: 'enumeration',
    fieldType: 'select',
    description: 'How the last enrichment of this record ended.',
    options: ENRICHMENT_STATUSES.map((value) => ({ label: STATUS_LABELS[value], value })),
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
    options: YES_OR_NO,
  },
  {
    name: 'enrichment_next_check_at',
    label: 'Enrichment next check at',
    type: 'date',
    fieldType: 'date',
    description: 'From this day, the record is due for its next lookup. Empty if it is not refreshed.',
  },
];

/** Properties on contacts about the notice to the person: when data were obtained, and whether the person was informed. */
const PRIVACY: readonly EnrichmentProperty[] = [
  {
    name: 'enrichment_first_at',
    label: 'Enrichment first data obtained at',
    type: 'datetime',
    fieldType: 'date',
    description: 'When data about this person were first obtained from the data service.',
  },
  {
    name: 'enrichment_notice_due',
    label: 'Enrichment notice due',
    type: 'date',
    fieldType: 'date',
    description: 'By then this person has to be told where the data come from, by the rules of the policy.',
  },
  {
    name: 'enrichment_notice_sent_at',
    label: 'Enrichment notice sent at',
    type: 'date',
    fieldType: 'date',
    description: 'When this person was told. A workflow or a person fills it; the enrichment never does.',
  },
];

/** Properties on contacts that start workflows after a job change. */
const JOB_CHANGE: readonly EnrichmentProperty[] = [
  {
    name: 'enrichment_job_changed_at',
    label: 'Enrichment job changed at',
    type: 'datetime',
    fieldType: 'date',
    description: 'When an answer first named another employer than the answer before.',
  },
  {
    name: 'enrichment_previous_company',
    label: 'Enrichment previous company',
    type: 'string',
    fieldType: 'text',
    description: 'The company of the record when the job change was found.',
  },
  {
    name: 'enrichment_previous_title',
    label: 'Enrichment previous title',
    type: 'string',
    fieldType: 'text',
    description: 'The job title of the record when the job change was found.',
  },
  {
    name: 'enrichment_email_outdated',
    label: 'Enrichment email outdated',
    type: 'bool',
    fieldType: 'booleancheckbox',
    description: 'Yes: the email is that of an employer whom the person has left.',
    options: YES_OR_NO,
  },
];

/**
 * Properties that report a job change to workflows. They are written and undone together with the employer's values.
 */
export const JOB_CHANGE_PROPERTIES = JOB_CHANGE.map(({ name }) => name);
