import type { RecordName } from '#shared/crm';
import { subjectKeys } from '#shared/enrichment';
import { type FoundAnswer, fitsIdentifier } from '#shared/extensions/review';
import { type UndoResult, undoRecord } from '#shared/extensions/take-back';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { instant } from '#shared/kernel';
import { verdictOn } from '#shared/ownership';
import { answersOf, questionKind, type StoredAnswer, storedRecord } from '#shared/questions';
import {
  because,
  changeRecord,
  historyOf,
  type JournalEntry,
  learnOwnership,
  livingState,
  type RecordState,
} from '#shared/records';
import { change } from '#shared/store';
import { quoteRecord } from './quote.ts';
import { REPLY_TEXTS, refusedReply } from './reply-texts.ts';
import { eventKeyOfRequest, type RequestItems, type RequestServices } from './request-services.ts';
import type { RecordRequest, Reply, WrongMatch } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';

type WrongMatchRequest = Extract<RecordRequest, { readonly kind: 'wrong-match' }>;

/** Undoes the answer's values, stores that the answer is wrong, and returns the price of the next question. */
export async function reportWrongMatch(
  services: RequestServices,
  request: WrongMatchRequest,
): Promise<Reply> {
  const { objectType, recordId, run, askedBy } = request;
  const state = await livingState(services, { objectType, id: recordId });
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
  const eventKey = eventKeyOfRequest(request.id);
  const asked = { eventKey, askedBy, isWrongMatch: true } as const;
  const wrongMatch = { objectType, id: state.id, isChosen, ...asked };
  const reply = undoneReply(await undoRecord(services, wrongMatch));
  if (reply.kind !== 'undone') return reply;
  const { id } = state;
  await rejectWrongMatch(services, { objectType, id }, question);
  await closeFindings(services, { objectType, id }, question);
  return { ...reply, next: await quoteRecord(services, { objectType, id }, askedBy) };
}

type AnsweredQuestion = NonNullable<JournalEntry['question']>;

type RejectServices = Pick<
  RequestServices,
  'records' | 'journal' | 'forgetting' | 'requests' | 'digest' | 'clock' | 'crm'
>;

/**
 * Remembers the person or company of an answer, so that no answer about them is written to the record again. Lists the
 * charge of the answer as a claim against the data service.
 * @param isContradiction the answer was never written. If it fits the record's email, page or domain, the data service
 * answered what was asked, and the name in HubSpot is probably wrong: this is no claim.
 */
export async function rejectWrongMatch(
  services: RejectServices,
  record: RecordName,
  question: AnsweredQuestion,
  isContradiction = false,
): Promise<void> {
  const { key: questionKey, askedAtMs, operation } = question;
  const answer = await answerGiven(services, question);
  const verdict = {
    questionKey,
    askedAtMs,
    ...(answer.record && { about: subjectKeys(services.digest, { operation, record: answer.record }) }),
    rejected: { reason: because('rejected-by-person'), byPerson: true },
  };
  await changeRecord(services, record, (known): { state?: RecordState } =>
    known.forgottenAtMs === undefined ? { state: learnOwnership(known, { verdicts: [verdict] }) } : {},
  );
  if (isContradiction && answer.record && (await fitsRecord(services, record, answer.record))) return;
  const { requestId, credits } = answer.stored ?? (await runOf(services, record, question));
  const paid = { questionKey, operation, askedAtMs, credits, ...(requestId !== undefined && { requestId }) };
  const { objectType, id } = record;
  const wrongMatch = { objectType, id, ...paid, atMs: services.clock.now() };
  const place = { key: requestKind.key({ wrongMatch }), kind: 'wrong match', clock: services.clock };
  await change(services.requests, place, (known) => ({ value: known ? undefined : { wrongMatch } }));
}

async function fitsRecord(
  { crm }: Pick<RejectServices, 'crm'>,
  { objectType, id }: RecordName,
  answer: FoundAnswer['record'],
): Promise<boolean> {
  const { records } = await crm.read({ objectType, ids: [id], properties: WATCHED_PROPERTIES[objectType] });
  const record = records.get(id);
  return record !== undefined && fitsIdentifier(record, answer);
}

/** Reads the reported wrong matches, newest first. A charge counts once, even if several records used its answer. */
export async function readClaims(
  requests: Pick<RequestItems, 'list'>,
  limit?: number,
): Promise<WrongMatch[]> {
  const partition = requestKind.partition('wrong-matches');
  const found = await requests.list({ partition, newestFirst: true, ...(limit !== undefined && { limit }) });
  const reported = found.flatMap(({ wrongMatch }) => wrongMatch ?? []);
  return [...new Map(reported.map((each) => [`${each.questionKey} ${each.askedAtMs}`, each])).values()];
}

/** Returns the charge of the run that got the answer, if the answer is no longer stored. */
async function runOf(
  services: Pick<RequestServices, 'records' | 'journal'>,
  record: RecordName,
  { key, askedAtMs }: AnsweredQuestion,
): Promise<{ readonly credits: number; readonly requestId?: undefined }> {
  const entries = await historyOf(services, await livingState(services, record));
  const isThat = ({ question }: JournalEntry) => question?.key === key && question.askedAtMs === askedAtMs;
  return { credits: entries.find(isThat)?.credits ?? 0 };
}

/** Closes the findings of the answer, so that its other values are not offered for acceptance. */
async function closeFindings(
  { reviews }: RequestServices,
  record: RecordName,
  { key, askedAtMs }: AnsweredQuestion,
): Promise<void> {
  for (const { kind, answer } of (await reviews.read(record))?.findings ?? [])
    if (answer?.questionKey === key && answer.askedAtMs === askedAtMs)
      await reviews.decide(record, kind, 'gone');
}

/** Returns the stored answer, with its cost, the vendor's request id and its record; nothing if it has expired. */
async function answerGiven(
  { forgetting }: Pick<RequestServices, 'forgetting'>,
  { key, askedAtMs }: AnsweredQuestion,
): Promise<{ readonly stored?: StoredAnswer; readonly record?: FoundAnswer['record'] | undefined }> {
  const item = (await forgetting.items.read(questionKind.key(key)))?.value;
  const stored = answersOf(item).find((each) => each.askedAtMs === askedAtMs);
  if (!item || !stored) return {};
  return {
    stored,
    record: stored.kind === 'found' ? await storedRecord(forgetting, item, stored) : undefined,
  };
}

type UndoRequest = Extract<RecordRequest, { readonly kind: 'undo' }>;

/** Undoes a run, a property, or all our writes to a record. */
export async function carryOutUndo(services: RequestServices, request: UndoRequest): Promise<Reply> {
  const { objectType, recordId: id, property, run, askedBy } = request;
  const isChosen = (entry: JournalEntry) => run === undefined || isOfRun(entry, run);
  const eventKey = eventKeyOfRequest(request.id);
  return undoneReply(await undoRecord(services, { objectType, id, property, isChosen, eventKey, askedBy }));
}

function isOfRun(entry: JournalEntry, run: NonNullable<UndoRequest['run']>): boolean {
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

/** Reasons why an undo changes nothing. */
export const REFUSALS: Readonly<Record<Extract<UndoResult, string>, string>> = {
  busy: REPLY_TEXTS['undo-busy'],
  forgotten: REPLY_TEXTS['undo-forgotten'],
};
