import { PURPOSES, type Purpose } from '../credit-ledger/entries.ts';
import { OBJECT_TYPES, type ObjectType } from '../records/crm-record.ts';

/** Work on one record. Carries ids, never values: no queue ever has to be purged of a person. */
export interface WorkMessage {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly purpose: Purpose;
  /** Keys of the webhook events behind it; empty for scheduled work. */
  readonly eventKeys: readonly string[];
}

/** Version of the message's shape; a worker refuses what it does not know, so that nothing is misread. */
const VERSION = 1;

export function encodeMessage(message: WorkMessage): string {
  return JSON.stringify({ version: VERSION, ...message });
}

/** `undefined` for anything that is not a whole message of ours. */
export function decodeMessage(body: string): WorkMessage | undefined {
  const value = parseJson(body);
  if (value === null || typeof value !== 'object') return undefined;
  const { version, objectType, id, purpose, eventKeys } = { ...value } as Partial<Record<string, unknown>>;
  const known = OBJECT_TYPES.find((each) => each === objectType);
  const meant = PURPOSES.find((each) => each === purpose);
  if (version !== VERSION || !known || !meant || typeof id !== 'string' || !/^\d{1,20}$/.test(id))
    return undefined;
  if (!Array.isArray(eventKeys) || !eventKeys.every((key) => typeof key === 'string')) return undefined;
  return { objectType: known, id, purpose: meant, eventKeys };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
