import {
  type Lane,
  laneOf,
  OBJECT_TYPES,
  type ObjectType,
  PURPOSES,
  type Purpose,
  readAsker,
} from '#shared/crm';
import { parseJson } from '#shared/kernel';
import type { Asked } from '#shared/records';

/** Work on one record, or the same on several. Carries ids, never values: no queue ever has to be purged of a person. */
export interface WorkMessage {
  readonly objectType: ObjectType;
  readonly id: string;
  /** Further records of the same type: scheduled work that one request to the data service may serve. */
  readonly moreIds?: readonly string[] | undefined;
  readonly purpose: Purpose;
  /** Keys of the webhook events behind it; empty for scheduled work. */
  readonly eventKeys: readonly string[];
  /** A wish of a person or of a workflow: it reaches records from before the installation too. */
  readonly asked?: Asked | undefined;
  /** Who or what asks: `user:12345`, `source:IMPORT`. Absent for scheduled work, whose run says it. */
  readonly askedBy?: string | undefined;
  /** A key of `requests`: what a person asked for beside an enrichment is kept there, and nothing else is done. */
  readonly request?: string | undefined;
  /** Only a change of the record is reported: for an unknown record it means nothing. */
  readonly isChange?: boolean | undefined;
  /** The record went: into the bin, or for good because its person asked for it. */
  readonly gone?: Gone | undefined;
  /** Records that were merged into this one and are no more. */
  readonly mergedIds?: readonly string[] | undefined;
  /** The HubSpot account whose events are behind it; scheduled work and an operator's wishes have none, and are ours. */
  readonly portalId?: string | undefined;
}

export const GONE = ['deleted', 'forgotten'] as const;
export type Gone = (typeof GONE)[number];

/** Edits come in storms, and wait behind no lead; what the law or a person waits for waits behind nothing. */
export function laneOfMessage({ purpose, gone, mergedIds, isChange }: WorkMessage): Lane {
  if (gone || mergedIds) return 'urgent';
  return isChange && purpose !== 'manual' ? 'bulk' : laneOf(purpose);
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
