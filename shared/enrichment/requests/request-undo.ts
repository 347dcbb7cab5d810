import type { JournalEntry } from '#shared/records';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import { eventKeyOfRequest } from './items.ts';
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
  if (typeof result === 'string') return { kind: 'refused', reason: REFUSALS[result] };
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
  busy: 'a worker is updating the record, or a bought answer is still to be written; try again in some minutes',
  forgotten: 'its person asked to be forgotten: no former value is stored',
};
