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

/** The form field and the options of each type. */
const FORMS = {
  enumeration: {
    fieldType: 'select',
    options: ENRICHMENT_STATUSES.map((value) => ({ label: STATUS_LABELS[value], value })),
  },
  datetime: { fieldType: 'date' },
  date: { fieldType: 'date' },
  string: { fieldType: 'text' },
  number: { fieldType: 'number' },
  bool: {
    fieldType: 'booleancheckbox',
    options: [
      { label: 'Yes', value: 'true' },
      { label: 'No', value: 'false' },
    ],
  },
} as const satisfies Readonly<
  Record<EnrichmentProperty['type'], Pick<EnrichmentProperty, 'fieldType' | 'options'>>
>;

function property(
  name: string,
  label: string,
  type: EnrichmentProperty['type'],
  description: string,
): EnrichmentProperty {
  return { name, label, type, description, ...FORMS[type] };
}

/** Properties on contacts and on companies. */
const STATUS: readonly EnrichmentProperty[] = [
  property(
    'enrichment_status',
    'Enrichment status',
    'enumeration',
    'How the last enrichment of this record ended.',
  ),
  property(
    'enrichment_last_at',
    'Enrichment last answered at',
    'datetime',
    'When a new answer about this record was last received.',
  ),
  property(
    'enrichment_reason',
    'Enrichment reason',
    'string',
    'Why the last enrichment of this record ended as it did.',
  ),
  property('enrichment_credits', 'Enrichment credits', 'number', 'Credits spent on this record so far.'),
  property('enrichment_source', 'Enrichment source', 'string', 'Which question the values were taken from.'),
  property(
    'enrichment_requested',
    'Enrichment requested',
    'bool',
    'Set to Yes to have this record enriched now; set back when it is done.',
  ),
  property(
    'enrichment_next_check_at',
    'Enrichment next check at',
    'date',
    'From this day, the record is due for its next lookup. Empty if it is not refreshed.',
  ),
];

/** Properties on contacts about the notice to the person: when data were obtained, and whether the person was informed. */
const PRIVACY: readonly EnrichmentProperty[] = [
  property(
    'enrichment_first_at',
    'Enrichment first data obtained at',
    'datetime',
    'When data about this person were first obtained from the data service.',
  ),
  property(
    'enrichment_notice_due',
    'Enrichment notice due',
    'date',
    'By then this person has to be told where the data come from, by the rules of the policy.',
  ),
  property(
    'enrichment_notice_sent_at',
    'Enrichment notice sent at',
    'date',
    'When this person was told. A workflow or a person fills it; the enrichment never does.',
  ),
];

/** Properties on contacts that start workflows after a job change. */
const JOB_CHANGE: readonly EnrichmentProperty[] = [
  property(
    'enrichment_job_changed_at',
    'Enrichment job changed at',
    'datetime',
    'When an answer first named another employer than the answer before.',
  ),
  property(
    'enrichment_previous_company',
    'Enrichment previous company',
    'string',
    'The company of the record when the job change was found.',
  ),
  property(
    'enrichment_previous_title',
    'Enrichment previous title',
    'string',
    'The job title of the record when the job change was found.',
  ),
  property(
    'enrichment_email_outdated',
    'Enrichment email outdated',
    'bool',
    'Yes: the email is that of an employer whom the person has left.',
  ),
];

/**
 * Properties that report a job change to workflows. They are written and undone together with the employer's values.
 */
export const JOB_CHANGE_PROPERTIES = JOB_CHANGE.map(({ name }) => name);
