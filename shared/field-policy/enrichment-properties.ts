import { isAboutPerson, type NewProperty, type ObjectType } from '#shared/crm';
import type { Digest } from '#shared/kernel';

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

/** The group of our properties, on contacts and on companies. */
export const ENRICHMENT_GROUP = { name: 'enrichment', label: 'Enrichment' } as const;

/** The properties that `setup` creates on an object type. */
export function enrichmentProperties(objectType: ObjectType): readonly NewProperty[] {
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
  bool: { fieldType: 'booleancheckbox' },
} as const satisfies Readonly<Record<NewProperty['type'], Pick<NewProperty, 'fieldType' | 'options'>>>;

function property(name: string, label: string, type: NewProperty['type'], description: string): NewProperty {
  return { name, label, type, description, ...FORMS[type] };
}

/** Properties on contacts and on companies. */
const STATUS: readonly NewProperty[] = [
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
const PRIVACY: readonly NewProperty[] = [
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
const JOB_CHANGE: readonly NewProperty[] = [
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

/** The property whose description contains the mark of the installation that was set up last. */
export const MARKED_PROPERTY = { objectType: 'contacts', name: 'enrichment_status' } as const;

const MARK = / \[installation ([0-9a-f]{12})\]$/;

/** A short hash of the installation secret. It identifies the installation and is not personal data. */
export function installationMark(digest: Pick<Digest, 'keyed'>): string {
  return digest.keyed('installation mark').slice(0, 12);
}

/** Owner of the mark in the account. `unset`: our property does not exist, or its description has no mark. */
export type MarkSeen = 'ours' | 'other' | 'unset';

/** Reads the owner of the mark in a description. */
export function markSeen(description: string | undefined, digest: Pick<Digest, 'keyed'>): MarkSeen {
  const mark = MARK.exec(description ?? '')?.[1];
  if (mark === undefined) return 'unset';
  return mark === installationMark(digest) ? 'ours' : 'other';
}

/** Replaces the mark in a description; a person's own text stays. */
export function withMark(description: string | undefined, mark: string): string {
  return `${(description ?? '').replace(MARK, '')} [installation ${mark}]`;
}
