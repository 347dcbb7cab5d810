/** The two kinds of HubSpot record that are enriched, in HubSpot's own plural words. */
export const OBJECT_TYPES = ['contacts', 'companies'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** Which record of the portal. */
export interface RecordName {
  readonly objectType: ObjectType;
  /** HubSpot's record id: decimal digits. */
  readonly id: string;
}

/** A HubSpot record as read: values are strings, `null` where the property exists but holds nothing. */
export interface CrmRecord extends RecordName {
  readonly properties: Readonly<Record<string, string | null>>;
  /** Of a contact: the domain of its company in HubSpot, where that has one and was read with it. */
  readonly companyDomain?: string | undefined;
  /** Of a contact: all domains of that company; its website alone is none. */
  readonly companyDomains?: readonly string[] | undefined;
  /** Of a contact: what was asked for of its company's properties. Absent where it has no company. */
  readonly companyProperties?: CrmRecord['properties'] | undefined;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** When anybody wrote to it last, as far as it was read. Epoch milliseconds. */
  readonly updatedAtMs?: number | undefined;
}

/** One string that names a record in keys and messages: `contacts#123`. */
export function recordKey({ objectType, id }: RecordName): string {
  return `${objectType}#${id}`;
}

/** The record that a key names; nothing where it is no such key. */
export function nameOfKey(key: string): RecordName | undefined {
  const [, type, id] = /^(\w+)#(\d{1,20})$/.exec(key) ?? [];
  const objectType = OBJECT_TYPES.find((each) => each === type);
  return objectType && id !== undefined ? { objectType, id } : undefined;
}
