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

/**
 * Work on one record, or the same work on several. It carries ids and no values, so no queue has to be purged of a
 * person.
 */
export interface WorkMessage {
  readonly objectType: ObjectType;
  readonly id: string;
  /**
   * Further records of the same type. Only scheduled work has them, because one request to the data service may serve
   * all.
   */
  readonly moreIds?: readonly string[] | undefined;
  readonly purpose: Purpose;
  /** Keys of the webhook events that caused the work; empty for scheduled work. */
  readonly eventKeys: readonly string[];
  /** A request of a person or a workflow. It also covers records from before the installation. */
  readonly asked?: Asked | undefined;
  /** The asker: `user:12345`, `source:IMPORT`. Absent for scheduled work, whose run names it. */
  readonly askedBy?: string | undefined;
  /**
   * A key of `requests`, which stores a person's request for something other than an enrichment. The worker does
   * nothing else.
   */
  readonly request?: string | undefined;
  /** Only a change of the record is reported. An unknown record then needs no work. */
  readonly isChange?: boolean | undefined;
  /** The record is gone: deleted in HubSpot, or erased because its person asked for it. */
  readonly gone?: Gone | undefined;
  /** Records that were merged into this one and no longer exist. */
  readonly mergedIds?: readonly string[] | undefined;
  /** The HubSpot account that sent the events. Scheduled work and operator commands have none: they are always ours. */
  readonly portalId?: string | undefined;
}

/** Names no record: the message's request is about the whole installation. */
export const NO_RECORD: RecordName = { objectType: 'contacts', id: '0' };

export const GONE = ['deleted', 'forgotten'] as const;
export type Gone = (typeof GONE)[number];

/** Edits arrive in bursts and must not delay leads. Privacy requests, deletions and merges go first. */
export function laneOfMessage({ purpose, gone, mergedIds, isChange }: WorkMessage): Lane {
  if (gone || mergedIds) return 'urgent';
  return isChange && purpose !== 'manual' ? 'bulk' : laneOf(purpose);
}

/** Version of the message format. A worker rejects unknown versions, so that it misreads none. */
const VERSION = 1;

export function encodeMessage(message: WorkMessage): string {
  return JSON.stringify({ version: VERSION, ...message });
}

/** @returns `undefined` if the text is not a complete message of ours. */
export function decodeMessage(body: string): WorkMessage | undefined {
  const value = parseJson(body);
  if (value === null || typeof value !== 'object') return undefined;
  const fields = { ...value } as Partial<Record<string, unknown>>;
  const { version, objectType, id, purpose, eventKeys, mergedIds, moreIds } = fields;
  const known = OBJECT_TYPES.find((each) => each === objectType);
  const meant = PURPOSES.find((each) => each === purpose);
  if (version !== VERSION || !known || !meant || !isRecordId(id)) return undefined;
  if (!isListOf(eventKeys, isText)) return undefined;
  if (mergedIds !== undefined && !isListOf(mergedIds, isRecordId)) return undefined;
  if (moreIds !== undefined && !isListOf(moreIds, isRecordId)) return undefined;
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
    purpose: meant,
    eventKeys,
    ...(asked && { asked }),
    ...(askedBy !== undefined && { askedBy }),
    ...(request !== undefined && { request }),
    ...(isChange && { isChange }),
    ...(gone && { gone }),
    ...(mergedIds && { mergedIds }),
    ...(moreIds && { moreIds }),
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
