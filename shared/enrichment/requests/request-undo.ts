import type { JournalEntry } from '#shared/records';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import { eventKeyOfRequest } from './items.ts';
import { REPLY_TEXTS, refusedReply } from './reply-texts.ts';
import type { RequestServices } from './request-services.ts';
import type { RecordRequest, Reply } from './schemas.ts';

type UndoRequest = Extract<RecordRequest, { readonly kind: 'undo' }>;

/** Undoes a run, a property, or all our writes to a record. */
export async function carryOutUndo(services: RequestServices, request: UndoRequest): Promise<Reply> {
  const { objectType, recordId: id, property, run, askedBy } = request;
  const isChosen = (entry: JournalEntry) => run === undefined || isOfRun(entry, run);
  const eventKey = eventKeyOfRequest(request.id);
  return undoneReply(await undoRecord(services, { objectType, id, property, isChosen, eventKey, askedBy }));
}

export function isOfRun(entry: JournalEntry, run: NonNullable<UndoRequest['run']>): boolean {
  return entry.id === run.recordId && entry.run === run.number;
}

export function undoneReply(result: UndoResult): Reply {
  if (typeof result === 'string') return refusedReply(`undo-${result}`, {});
  const { before = [], restored, kept } = result;
  const names = new Set([...before, ...restored.map(({ property }) => property)]);
  return {
    kind: 'undone',
    restored: [...names],
    kept: kept.map(({ property, reason }) => ({ property, reason })),
  };
}

/** Reasons why an undo changes nothing. */
export const REFUSALS: Readonly<Record<Extract<UndoResult, string>, string>> = {
  busy: REPLY_TEXTS['undo-busy'],
  forgotten: REPLY_TEXTS['undo-forgotten'],
};
