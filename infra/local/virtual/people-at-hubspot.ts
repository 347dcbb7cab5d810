import type { ObjectType, RecordName } from '#shared/crm';
import type { HubSpotSandbox, SandboxSettings } from '../../sandbox/hubspot/hubspot-sandbox.ts';

export type Properties = Readonly<Record<string, string>>;

interface Reply {
  readonly id?: string;
  readonly recordWrites?: number;
  readonly propertyWrites?: number;
  readonly records?: readonly { readonly id: string; readonly properties: Properties }[];
}

/** Actions of people at the stand-in HubSpot's screens, and reads of its records. */
export function peopleAt({ handle }: Pick<HubSpotSandbox, 'handle'>) {
  const verb = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await handle(new Request(`https://hubspot.example/_sandbox/${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`The stand-in refused ${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
  return {
    /** Creates a record as a person, unless `by` sets another source. */
    create: async (
      objectType: ObjectType,
      properties: Properties,
      associations: readonly RecordName[] = [],
      by: Properties = {},
    ): Promise<RecordName> => {
      const { id = '' } = await verb('POST', 'create', { objectType, properties, associations, ...by });
      return { objectType, id };
    },
    /** Edits as a person, unless `by` sets another source (IMPORT, FORM, INTEGRATION ...). */
    edit: async (record: RecordName, properties: Properties, by: Properties = {}): Promise<void> => {
      await verb('POST', 'edit', { ...record, properties, ...by });
    },
    associate: async (contact: RecordName, company: RecordName): Promise<void> => {
      await verb('POST', 'associate', { contactId: contact.id, companyId: company.id });
    },
    archive: async (record: RecordName): Promise<void> => {
      await verb('POST', 'archive', record);
    },
    restore: async (record: RecordName): Promise<void> => {
      await verb('POST', 'restore', record);
    },
    /** Deletes a contact permanently, as a privacy request does. */
    erase: async (record: RecordName): Promise<void> => {
      await verb('POST', 'erase', record);
    },
    merge: async (primary: RecordName, other: RecordName): Promise<RecordName> => {
      const { objectType, id: primaryObjectId } = primary;
      const { id = '' } = await verb('POST', 'merge', {
        objectType,
        primaryObjectId,
        objectIdToMerge: other.id,
      });
      return { objectType, id };
    },
    /** Makes HubSpot deliver a creation event again. */
    redeliver: async (record: RecordName): Promise<void> => {
      await verb('POST', 'redeliver', record);
    },
    change: async (settings: Partial<SandboxSettings>): Promise<void> => {
      await verb('PUT', 'settings', settings);
    },
    /** Counts of records and properties that apps have written. Refused writes do not count. */
    appWrites: async () => {
      const { recordWrites, propertyWrites } = await verb('GET', 'requests');
      return { recordWrites, propertyWrites };
    },
    records: async () => (await verb('GET', 'records')).records ?? [],
    /** All properties that are not empty. */
    properties: async ({ objectType, id }: RecordName): Promise<Properties> => {
      const { records = [] } = await verb('GET', `records?kind=${objectType}&id=${id}`);
      return records[0]?.properties ?? {};
    },
  };
}
