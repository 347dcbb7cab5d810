import type { Purpose } from '../credit-ledger/entries.ts';
import { recordKey } from '../records/crm-record.ts';
import { decodeMessage, type WorkMessage } from './message.ts';
import type { QueuedRecord } from './settle-batch.ts';

export interface Coalesced {
  readonly jobs: readonly { readonly message: WorkMessage; readonly messageIds: readonly string[] }[];
  /** Ids of messages that are not ours or damaged: they fail alone. */
  readonly malformed: readonly string[];
}

/** A person waits for live and manual work. */
const URGENCY: Readonly<Record<Purpose, number>> = { manual: 3, live: 2, refresh: 1, backfill: 0 };

/** Reads each message alone and joins those about one record: all their events, the most urgent purpose. */
export function coalesce(records: readonly QueuedRecord[]): Coalesced {
  const jobs = new Map<string, { message: WorkMessage; messageIds: string[] }>();
  const malformed: string[] = [];
  for (const { messageId, body } of records) {
    const message = decodeMessage(body);
    if (!message) {
      malformed.push(messageId);
      continue;
    }
    const known = jobs.get(recordKey(message));
    const joined = known ? join(known.message, message) : message;
    jobs.set(recordKey(message), { message: joined, messageIds: [...(known?.messageIds ?? []), messageId] });
  }
  return { jobs: [...jobs.values()], malformed };
}

export function join(a: WorkMessage, b: WorkMessage): WorkMessage {
  const purpose = URGENCY[a.purpose] >= URGENCY[b.purpose] ? a.purpose : b.purpose;
  return { ...a, purpose, eventKeys: [...new Set([...a.eventKeys, ...b.eventKeys])] };
}
