import { instant, longDay, utcDay } from '#shared/kernel';

interface ObjectTypeRow {
  /** HubSpot's id of the type. */
  readonly typeId: string;
  /** One record in words. */
  readonly singular: string;
  readonly about: 'person' | 'company';
  readonly createdProperty: string;
  /**
   * Properties whose change may lead to another answer. The HubSpot app subscribes to these properties, and the
   * fingerprint covers them.
   */
  readonly watched: readonly string[];
  /** Properties that name the record, each with the canonical field that fills it. */
  readonly named: Readonly<Record<string, string>>;
  /** Further properties that are compared with an answer, or that forbid a question. */
  readonly compared: readonly string[];
}

/** The enriched object types, as in HubSpot's paths. */
export const OBJECT_TYPE_ROWS = {
  contacts: {
    typeId: '0-1',
    singular: 'contact',
    about: 'person',
    createdProperty: 'createdate',
    watched: [
      ...['hs_linkedin_url', 'email', 'hs_additional_emails', 'firstname', 'lastname', 'website'],
      ...['phone', 'mobilephone'],
    ],
    named: { firstname: 'firstName', lastname: 'lastName', hs_linkedin_url: 'profileUrl' },
    compared: ['associatedcompanyid', 'country', 'hs_contact_enrichment_opt_out'],
  },
  companies: {
    typeId: '0-2',
    singular: 'company',
    about: 'company',
    createdProperty: 'createdate',
    watched: ['domain', 'website', 'linkedin_company_page'],
    named: { name: 'name', website: 'website', linkedin_company_page: 'pageUrl' },
    compared: ['name', 'hs_additional_domains'],
  },
} as const satisfies Readonly<Record<string, ObjectTypeRow>>;

export type ObjectType = keyof typeof OBJECT_TYPE_ROWS;

export const OBJECT_TYPES = Object.keys(OBJECT_TYPE_ROWS) as ObjectType[];

/** Makes a value for each object type. */
export function byObjectType<T>(make: (type: ObjectType) => T): Record<ObjectType, T> {
  return Object.fromEntries(OBJECT_TYPES.map((type) => [type, make(type)])) as Record<ObjectType, T>;
}

/** Whether records of the type are about one person. Otherwise they are about a company. */
export function isAboutPerson({ objectType }: Pick<RecordName, 'objectType'>): boolean {
  return OBJECT_TYPE_ROWS[objectType].about === 'person';
}

/** Finds an object type by any of HubSpot's names: `contacts`, `contact`, `CONTACT` or `0-1`. */
export function objectTypeNamed(given: string): ObjectType | undefined {
  const name = given.toLowerCase();
  return OBJECT_TYPES.find((type) => {
    const { typeId, singular } = OBJECT_TYPE_ROWS[type];
    return name === type || name === singular || name === typeId;
  });
}

/** Identifies a record of the account. */
export interface RecordName {
  readonly objectType: ObjectType;
  /** HubSpot's record id: decimal digits. */
  readonly id: string;
}

/** A HubSpot record. Values are strings, or `null` for an empty property. */
export interface CrmRecord extends RecordName {
  readonly properties: Readonly<Record<string, string | null>>;
  /**
   * Only for a contact: the domain of its company in HubSpot. Absent if it has no company, or the company was not read.
   */
  readonly companyDomain?: string | undefined;
  /** Only for a contact: all domains of its company. The website does not count. */
  readonly companyDomains?: readonly string[] | undefined;
  /** Only for a contact: the requested properties of its company. Absent if it has no company. */
  readonly companyProperties?: CrmRecord['properties'] | undefined;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Time of the last write by any source, epoch milliseconds. Absent if it was not read. */
  readonly updatedAtMs?: number | undefined;
}

/** The text that identifies a record in keys and messages: `contacts#123`. */
export function recordKey({ objectType, id }: RecordName): string {
  return `${objectType}#${id}`;
}

/** Returns the form of a key that people write, such as `contacts/123` for `contacts#123`. */
export function shownKey(key: string): string {
  return key.replace('#', '/');
}

/** Parses a record's key; `undefined` for another text. */
export function nameOfKey(key: string): RecordName | undefined {
  const [, type, id] = /^(\w+)#(\d{1,20})$/.exec(key) ?? [];
  const objectType = OBJECT_TYPES.find((each) => each === type);
  return objectType && id !== undefined ? { objectType, id } : undefined;
}

/**
 * The name of a record in items of the buyer, which several portals share: `portal-1/contacts/123`.
 * @param key `contacts#123`
 */
export function nameForBuyer(portal: string, key: string): string {
  return `${portal}/${shownKey(key)}`;
}

/** Reads such a name: the record's key, or `undefined` for a record of another portal. */
export function keyInPortal(portal: string, name: string): string | undefined {
  return name.startsWith(`${portal}/`) ? name.slice(portal.length + 1).replace('/', '#') : undefined;
}

/** `contact 123` for a record's key; another text is returned unchanged. */
export function wordsOfKey(key: string): string {
  const name = nameOfKey(key);
  return name ? `${OBJECT_TYPE_ROWS[name.objectType].singular} ${name.id}` : key;
}

/** HubSpot's definition of a property in this account. */
export interface PropertyDefinition {
  readonly name: string;
  /** The name for people. */
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  /** `string`, `number`, `bool`, `date`, `datetime`, `enumeration` or `phone_number`. Other types are not written. */
  readonly type: string;
  /** The form field. `checkbox` allows several values of an enumeration; `phonenumber` marks a string as a phone. */
  readonly fieldType: string;
  readonly options: readonly DefinedOption[];
  /** Set if HubSpot computes the value itself, or refuses writes. */
  readonly readOnly: boolean;
}

export interface DefinedOption {
  readonly label: string;
  /** The internal value, which is written to records. Upper and lower case matter. */
  readonly value: string;
  /** Set if an administrator has retired the option. It is never written. */
  readonly hidden?: boolean | undefined;
}

/** Definitions of one object type by internal name. */
export type PropertyDefinitions = ReadonlyMap<string, PropertyDefinition>;

const DIGITS = /^\d{1,20}$/;

/** Askers, each with the form of its id. HubSpot's ids are digits; a person's email or name fits none. */
const ASKERS: Readonly<Record<string, RegExp | undefined>> = {
  user: DIGITS,
  workflow: DIGITS,
  source: /^[A-Z][A-Z0-9_]{0,39}$/,
  backfill: /^[A-Za-z0-9-]{1,40}$/,
  app: undefined,
  sweep: undefined,
  schedule: undefined,
  operator: undefined,
};

/** Reads `user:12345` or `schedule`. An id in another form is dropped. @returns `undefined` for an unknown asker. */
export function readAsker(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [kind, id] = partsOf(value);
  if (!Object.hasOwn(ASKERS, kind)) return undefined;
  return id !== undefined && ASKERS[kind]?.test(id) ? value : kind;
}

/** HubSpot's sources for workflows. */
const WORKFLOWS: ReadonlySet<string> = new Set(['AUTOMATION_PLATFORM', 'WORKFLOWS']);

/** Returns the asker of a change, by the source that HubSpot gives. @param sourceId `userId:12345` for a person. */
export function askerOfSource(source: string, sourceId = ''): string | undefined {
  if (isPersonSource(source)) return readAsker(`user:${sourceId.replace(/^userId:/, '')}`);
  return readAsker(WORKFLOWS.has(source) ? 'workflow' : `source:${source}`);
}

/** The asker without the id of a person, a workflow or a backfill: a source keeps its name. */
export function sourceOfAsker(asker: string): string {
  return asker.startsWith('source:') ? asker : generalAsker(asker);
}

/** The asker without its id: `user` for `user:12345`. */
export function generalAsker(asker: string): string {
  return partsOf(asker)[0];
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['user', 'User'],
  ['workflow', 'Workflow'],
  ['backfill', 'Backfill'],
  ['source', 'Another source'],
  ['source:FORM', 'Form'],
  ['source:IMPORT', 'Import'],
  ['source:INTEGRATION', 'Another app'],
  ['source:API', 'Another app, by API'],
  ['source:AUTO_ASSOCIATE_BY_DOMAIN', 'HubSpot, by domain'],
  ['app', 'This app'],
  ['sweep', 'Sweep'],
  ['schedule', 'Scheduled refresh'],
  ['operator', 'Command line'],
]);

/** The asker for a person: `User 12345`. An unknown one stands for itself. */
export function askerWords(asker: string): string {
  const known = WORDS.get(asker);
  if (known !== undefined) return known;
  const [kind, id] = partsOf(asker);
  const general = kind === 'source' ? 'Source' : WORDS.get(kind);
  return general === undefined || id === undefined ? asker : `${general} ${id}`;
}

function partsOf(asker: string): readonly [kind: string, id: string | undefined] {
  const at = asker.indexOf(':');
  return at < 0 ? [asker, undefined] : [asker.slice(0, at), asker.slice(at + 1)];
}

/**
 * Purposes of a question, most urgent first: a person's request, an event of a fresh record, a workflow, an import, the
 * refresh of stale records, a backfill of the whole account.
 */
export const PURPOSES = ['manual', 'live', 'workflow', 'import', 'refresh', 'backfill'] as const;

export type Purpose = (typeof PURPOSES)[number];

/** Names of the purposes for people. */
export const PURPOSE_LABELS: Readonly<Record<Purpose, string>> = {
  manual: 'By hand',
  live: 'New and changed records',
  workflow: 'Workflows and bulk actions',
  import: 'Imports',
  refresh: 'Scheduled refresh',
  backfill: 'Backfill',
};

/**
 * Returns the purpose for HubSpot's source of a record or a change. HubSpot can add sources, so a source counts as a
 * lead unless it is known to cause large numbers.
 */
export function purposeOfSource(source: string): Purpose {
  return MASS_SOURCES.get(source) ?? 'live';
}

/** Whether a person made the change in HubSpot, for one or many records. Workflows, imports and apps do not count. */
export function isPersonSource(source: string): boolean {
  return /^(?:CRM_UI|MOBILE)/.test(source);
}

const MASS_SOURCES: ReadonlyMap<string, Purpose> = new Map([
  ['IMPORT', 'import'],
  ['AUTOMATION_PLATFORM', 'workflow'],
  ['WORKFLOWS', 'workflow'],
  ['CRM_UI_BULK_ACTION', 'workflow'],
  // Companies that HubSpot creates for contacts. An import can cause a hundred thousand.
  ['AUTO_ASSOCIATE_BY_DOMAIN', 'workflow'],
]);

/** Returns the more urgent of two purposes. */
export function moreUrgent(a: Purpose, b: Purpose): Purpose {
  return PURPOSES.indexOf(a) <= PURPOSES.indexOf(b) ? a : b;
}

/**
 * Lanes, the most urgent first. `urgent`: a person waits, or the law requires the work. `live`: fresh leads. `bulk`:
 * large numbers, which get the remaining capacity. A more urgent lane goes first in the queues, at the vendor's rate
 * and in the budgets.
 */
export const LANES = ['urgent', 'live', 'bulk'] as const;

export type Lane = (typeof LANES)[number];

export function laneOf(purpose: Purpose): Lane {
  if (purpose === 'manual') return 'urgent';
  return purpose === 'live' ? 'live' : 'bulk';
}

/**
 * Returns a value as HubSpot shows it to a person: an option by its label, a date, or yes and no.
 * @param timeZone of times. A date has none.
 */
export function shownValue(
  { type, options }: Pick<PropertyDefinition, 'type' | 'options'>,
  value: string,
  timeZone: string,
): string {
  switch (type) {
    case 'enumeration':
    case 'bool':
      return value
        .split(';')
        .map((one) => options.find((option) => option.value === one)?.label ?? YES_OR_NO[one] ?? one)
        .join(', ');
    case 'date':
    case 'datetime': {
      const atMs = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value);
      if (Number.isNaN(atMs)) return value;
      return type === 'date' ? longDay(utcDay(atMs)) : instant(atMs, timeZone);
    }
    default:
      return value;
  }
}

/** For an account whose definition of a yes-or-no property has no labels. */
const YES_OR_NO: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };
