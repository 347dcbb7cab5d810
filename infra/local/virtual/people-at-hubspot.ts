import type { ObjectType, RecordName } from '#shared/crm';
import type { HubSpotSandbox, SandboxSettings } from '../../sandbox/hubspot/hubspot-sandbox.ts';

export type Properties = Readonly<Record<string, string>>;

/** What the verbs answer; each has some of it. */
interface Reply {
  readonly id?: string;
  readonly recordWrites?: number;
  readonly propertyWrites?: number;
  readonly records?: readonly { readonly id: string; readonly properties: Properties }[];
}

/** What people do at the screen of the stand-in HubSpot, and what can be seen there. */
export function peopleAt(sandbox: Pick<HubSpotSandbox, 'handle'>) {
  const verb = createVerbs(sandbox);
  return {
    /** A person's, unless `by` names another source. */
    create: async (
      objectType: ObjectType,
      properties: Properties,
      associations: readonly RecordName[] = [],
      by: Properties = {},
    ): Promise<RecordName> => {
      const { id = '' } = await verb('POST', 'create', { objectType, properties, associations, ...by });
      return { objectType, id };
    },
    /** A person's, unless `by` names another source (IMPORT, FORM, INTEGRATION ...). */
    edit: async (record: RecordName, properties: Properties, by: Properties = {}): Promise<void> => {
      await verb('POST', 'edit', { ...record, properties, ...by });
    },
    associate: async (contact: RecordName, company: RecordName): Promise<void> => {
      await verb('POST', 'associate', { contactId: contact.id, companyId: company.id });
    },
    archive: async (record: RecordName): Promise<void> => {
      await verb('POST', 'archive', record);
    },
    /** Brings a record back from the bin. */
    restore: async (record: RecordName): Promise<void> => {
      await verb('POST', 'restore', record);
    },
    /** Deletes a contact for good, as its person asked. */
    erase: async (record: RecordName): Promise<void> => {
      await verb('POST', 'erase', record);
    },
    /** Makes one record of two; all ids lead to it from now on. */
    merge: async (primary: RecordName, other: RecordName): Promise<RecordName> => {
      const { objectType, id: primaryObjectId } = primary;
      const { id = '' } = await verb('POST', 'merge', {
        objectType,
        primaryObjectId,
        objectIdToMerge: other.id,
      });
      return { objectType, id };
    },
    /** HubSpot delivers a creation once more, on a whim. */
    redeliver: async (record: RecordName): Promise<void> => {
      await verb('POST', 'redeliver', record);
    },
    change: async (settings: Partial<SandboxSettings>): Promise<void> => {
      await verb('PUT', 'settings', settings);
    },
    /** How many records, and properties of them, apps have written so far; refused writes not counted. */
    appWrites: async () => {
      const { recordWrites, propertyWrites } = await verb('GET', 'requests');
      return { recordWrites, propertyWrites };
    },
    /** Everything that is not empty. */
    properties: async ({ objectType, id }: RecordName): Promise<Properties> => {
      const { records = [] } = await verb('GET', `records?kind=${objectType}&id=${id}`);
      return records[0]?.properties ?? {};
    },
  };
}

type Verb = (method: string, path: string, body?: unknown) => Promise<Reply>;

function createVerbs({ handle }: Pick<HubSpotSandbox, 'handle'>): Verb {
  return async (method, path, body) => {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await handle(new Request(`https://hubspot.example/_sandbox/${path}`, init));
    const text = await response.text();
    if (!response.ok) throw new Error(`The stand-in refused ${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };
}
