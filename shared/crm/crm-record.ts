/** The two enriched object types, as in HubSpot's paths. */
export const OBJECT_TYPES = ['contacts', 'companies'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

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
