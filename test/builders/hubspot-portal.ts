import type { ObjectType } from '#shared/crm/crm-record.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { seededRandom } from '#shared/kernel/random.ts';
import {
  createHubSpotSandbox,
  type HubSpotSandbox,
  type SandboxSettings,
} from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { DEFAULT_SETTINGS } from '../../infra/sandbox/hubspot/settings.ts';

export type Properties = Readonly<Record<string, string>>;

export interface RecordName {
  readonly objectType: ObjectType;
  readonly id: string;
}

export const TOKEN = 'sandbox-token';
export const CLIENT_SECRET = 'sandbox-client-secret';
export const APP_ID = 7_001;
export const WEBHOOK_URL = 'https://receiver.example/hubspot';

/** What the verbs answer; each has some of it. */
interface Reply {
  readonly id?: string;
  readonly recordWrites?: number;
  readonly propertyWrites?: number;
  readonly records?: readonly { readonly id: string; readonly properties: Properties }[];
}

/** A HubSpot account with people at its screen. */
export function createPortal(options: {
  readonly clock: Clock;
  readonly seed: number;
  readonly settings: Partial<SandboxSettings>;
  /** The state to start from; an empty portal without it. */
  readonly saved: unknown;
  readonly receive: (request: Request) => Promise<Response>;
  /** The app's card, for a browser. */
  readonly card?: (() => Promise<string>) | undefined;
}) {
  const sandbox = createHubSpotSandbox({
    clock: options.clock,
    random: seededRandom(options.seed),
    send: options.receive,
    saved: options.saved,
    ...(options.card && { script: options.card }),
    settings: {
      ...DEFAULT_SETTINGS,
      accessToken: TOKEN,
      clientSecret: CLIENT_SECRET,
      appId: APP_ID,
      webhookUrl: WEBHOOK_URL,
      ...options.settings,
    },
  });
  return { sandbox, ...people(createVerbs(sandbox)) };
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

/** What people do at the screen, and what can be seen there. */
function people(verb: Verb) {
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
      const { records = [] } = await verb('GET', `records?kind=${objectType}`);
      return records.find((record) => record.id === id)?.properties ?? {};
    },
  };
}
