/** The two kinds of HubSpot record that are enriched, in HubSpot's own plural words. */
export const OBJECT_TYPES = ['contacts', 'companies'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];

/** A HubSpot record as read: values are strings, `null` where the property exists but holds nothing. */
export interface CrmRecord {
  readonly objectType: ObjectType;
  /** HubSpot's record id: decimal digits. */
  readonly id: string;
  readonly properties: Readonly<Record<string, string | null>>;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
}

/** One string that names a record in keys and messages: `contacts#123`. */
export function recordKey(record: { readonly objectType: ObjectType; readonly id: string }): string {
  return `${record.objectType}#${record.id}`;
}
