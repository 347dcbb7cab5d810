import type { RecordName } from '#shared/crm';
import { instant } from '#shared/kernel';
import { verdictOn } from '#shared/ownership';
import { historyOf, type JournalEntry, livingState } from '#shared/records';
import {
  type AskedForRecord,
  eventKeyOfRequest,
  quoteRecord,
  type Reply,
  type RequestServices,
  recordWish,
  rejectWrongMatch,
  type WishHandler,
} from '#shared/requests';
import { type UndoResult, undoRecord } from '#shared/take-back';
import { refusedReply } from './reply-texts.ts';
import { type UndoWish, undoWish, type WrongMatchWish, wrongMatchWish } from './schemas.ts';

/** Handle undo and wrong match, on the card of a record. */
export const takeBackWishes = (): readonly WishHandler[] => [
  recordWish(undoWish, undo),
  recordWish(wrongMatchWish, reportWrongMatch),
];

/** Undoes the answer's values, stores that the answer is wrong, and returns the price of the next question. */
async function reportWrongMatch(
  services: RequestServices,
  { run }: WrongMatchWish,
  { id: requestId, askedBy, record }: AskedForRecord,
): Promise<Reply> {
  const { objectType } = record;
  const state = await livingState(services, record);
  const entries = await historyOf(services, state);
  const wrong = entries.find((entry) => isOfRun(entry, run));
  if (!wrong?.question) return refusedReply('answer-unknown', {});
  const { question } = wrong;
  const answer = { questionKey: question.key, askedAtMs: question.askedAtMs };
  if (verdictOn(state.verdicts, answer)?.rejected?.byPerson) {
    // A worker may have stopped before it closed them.
    await closeFindings(services, state, question);
    const last = entries.findLast(
      ({ kind, reason }) => kind === 'undo' && reason.code === 'rejected-by-person',
    );
    const at = last ? instant(last.atMs, services.policy.timeZone) : '';
    return refusedReply('answer-rejected-already', { by: last?.askedBy ?? 'user', at });
  }
  const isChosen = (entry: JournalEntry) =>
    entry.question?.key === question.key && entry.question.askedAtMs === question.askedAtMs;
  const eventKey = eventKeyOfRequest(requestId);
  const asked = { eventKey, askedBy, isWrongMatch: true } as const;
  const wrongMatch = { objectType, id: state.id, isChosen, ...asked };
  const reply = undoneReply(await undoRecord(services, wrongMatch));
  if (reply.kind !== 'undone') return reply;
  const { id } = state;
  await rejectWrongMatch(services, { objectType, id }, question);
  await closeFindings(services, { objectType, id }, question);
  return { ...reply, next: await quoteRecord(services, { objectType, id }, askedBy) };
}

/** Closes the findings of the answer, so that its other values are not offered for acceptance. */
async function closeFindings(
  { reviews }: RequestServices,
  record: RecordName,
  { key, askedAtMs }: NonNullable<JournalEntry['question']>,
): Promise<void> {
  for (const { kind, answer } of (await reviews.read(record))?.findings ?? [])
    if (answer?.questionKey === key && answer.askedAtMs === askedAtMs)
      await reviews.decide(record, kind, 'gone');
}

/** Undoes a run, a property, or all our writes to a record. */
async function undo(
  services: RequestServices,
  { property, run }: UndoWish,
  { id: requestId, askedBy, record }: AskedForRecord,
): Promise<Reply> {
  const isChosen = (entry: JournalEntry) => run === undefined || isOfRun(entry, run);
  const eventKey = eventKeyOfRequest(requestId);
  return undoneReply(await undoRecord(services, { ...record, property, isChosen, eventKey, askedBy }));
}

function isOfRun(entry: JournalEntry, run: WrongMatchWish['run']): boolean {
  return entry.id === run.recordId && entry.run === run.number;
}

function undoneReply(result: UndoResult): Reply {
  if (typeof result === 'string') return refusedReply(`undo-${result}`, {});
  const { before = [], restored, kept } = result;
  const names = new Set([...before, ...restored.map(({ property }) => property)]);
  return {
    kind: 'undone',
    restored: [...names],
    kept: kept.map(({ property, reason }) => ({ property, reason })),
  };
}
