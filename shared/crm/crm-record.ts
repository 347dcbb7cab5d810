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
  return `${portal}/${key.replace('#', '/')}`;
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
