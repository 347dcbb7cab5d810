import {
  type Lane,
  laneOf,
  OBJECT_TYPES,
  type ObjectType,
  PURPOSES,
  type Purpose,
  type RecordName,
  readAsker,
} from '#shared/crm';
import { parseJson } from '#shared/kernel';
import type { Asked } from '#shared/records';

/** Work on one record. A message carries ids and no values, so a privacy deletion need not purge the queues. */
export interface WorkMessage {
  readonly objectType: ObjectType;
  readonly id: string;
  readonly purpose: Purpose;
  /** Keys of the webhook events that caused the work; empty for scheduled work. */
  readonly eventKeys: readonly string[];
  /** A request of a person or a workflow. Such a request can also be for a record from before the installation. */
  readonly asked?: Asked | undefined;
  /** The asker: `user:12345`, `source:IMPORT`. Absent for scheduled work, whose run names it. */
  readonly askedBy?: string | undefined;
  /**
   * The key of a stored request (`requests`) of a person, for something other than an enrichment. The worker then only
   * carries out this request.
   */
  readonly request?: string | undefined;
  /** Set if only a change of the record is reported. If the record is unknown, no work is needed. */
  readonly isChange?: boolean | undefined;
  /**
   * Set if the record no longer exists: `deleted` in HubSpot, or `forgotten`, because its person asked for the privacy
   * deletion.
   */
  readonly gone?: Gone | undefined;
  /** Records that were merged into this record and no longer exist. */
  readonly mergedIds?: readonly string[] | undefined;
  /**
   * The HubSpot account that sent the events. Absent for scheduled work and operator commands, which are always for our
   * account.
   */
  readonly portalId?: string | undefined;
}

/** Names no record: the message's request is about the whole installation. */
export const NO_RECORD: RecordName = { objectType: 'contacts', id: '0' };

export const GONE = ['deleted', 'forgotten'] as const;
export type Gone = (typeof GONE)[number];

/**
 * Returns a message's lane. Edits arrive in bursts and must not delay leads. Privacy requests, deletions and merges go
 * first.
 */
export function laneOfMessage({ purpose, gone, mergedIds, isChange }: WorkMessage): Lane {
  if (gone || mergedIds) return 'urgent';
  return isChange && purpose !== 'manual' ? 'bulk' : laneOf(purpose);
}

/** Version of the message format. A worker rejects an unknown version, so that no message is misread. */
const VERSION = 1;

export function encodeMessage(message: WorkMessage): string {
  return JSON.stringify({ version: VERSION, ...message });
}

/** @returns `undefined` if the text is not a complete message of this program. */
export function decodeMessage(body: string): WorkMessage | undefined {
  const value = parseJson(body);
  if (value === null || typeof value !== 'object') return undefined;
  const fields = { ...value } as Partial<Record<string, unknown>>;
  const { version, objectType, id, purpose, eventKeys, mergedIds } = fields;
  const known = OBJECT_TYPES.find((each) => each === objectType);
  const knownPurpose = PURPOSES.find((each) => each === purpose);
  if (version !== VERSION || !known || !knownPurpose || !isRecordId(id)) return undefined;
  if (!isListOf(eventKeys, isText)) return undefined;
  if (mergedIds !== undefined && !isListOf(mergedIds, isRecordId)) return undefined;
  const { portalId } = fields;
  if (portalId !== undefined && !isRecordId(portalId)) return undefined;
  const gone = GONE.find((each) => each === fields['gone']);
  if (fields['gone'] !== undefined && !gone) return undefined;
  const { isChange, request } = fields;
  const asked = askedOf(fields['asked']);
  // An asker in an unknown form is no reason to lose a record's message.
  const askedBy = readAsker(fields['askedBy']);
  if (asked === 'unknown' || (request !== undefined && !isText(request))) return undefined;
  if (isChange !== undefined && typeof isChange !== 'boolean') return undefined;
  return {
    objectType: known,
    id,
    purpose: knownPurpose,
    eventKeys,
    ...(asked && { asked }),
    ...(askedBy !== undefined && { askedBy }),
    ...(request !== undefined && { request }),
    ...(isChange && { isChange }),
    ...(gone && { gone }),
    ...(mergedIds && { mergedIds }),
    ...(portalId !== undefined && { portalId }),
  };
}

function askedOf(value: unknown): Asked | 'unknown' | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value !== 'object') return 'unknown';
  const { maxCredits, byWorkflow } = { ...value } as Partial<Record<string, unknown>>;
  if (byWorkflow !== undefined) return byWorkflow === true ? { byWorkflow } : 'unknown';
  if (maxCredits === undefined) return {};
  return Number.isSafeInteger(maxCredits) ? { maxCredits: Number(maxCredits) } : 'unknown';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isRecordId(value: unknown): value is string {
  return isText(value) && /^\d{1,20}$/.test(value);
}

function isListOf(value: unknown, is: (each: unknown) => each is string): value is string[] {
  return Array.isArray(value) && value.every(is);
}
