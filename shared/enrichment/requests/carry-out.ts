import type { RecordName } from '#shared/crm';
import { answersOf, questionKind, RESULT_CREDITS, type StoredAnswer } from '#shared/questions';
import {
  changeRecord,
  historyOf,
  type JournalEntry,
  learnOwnership,
  livingState,
  type RecordState,
} from '#shared/records';
import { change } from '#shared/versioned-items';
import type { EnrichmentServices } from '../services.ts';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import { answered, eventKeyOfRequest, type RequestItems } from './items.ts';
import { quoteRecord } from './quote.ts';
import type { PersonRequest, Reply } from './schemas.ts';
import { requestKind, wrongMatchKind } from './stored-kinds.ts';

export type RequestServices = EnrichmentServices & RequestItems;

/**
 * Carries out a person's request about a record, and stores the reply for the card. After a crash it runs again: each step
 * is safe to repeat.
 * @returns `nothing to do` if the request has expired or has its reply.
 */
export async function carryOut(services: RequestServices, id: string): Promise<'done' | 'nothing to do'> {
  const key = requestKind.key(id);
  const request = (await services.requests.read(key))?.value;
  if (!request || request.reply) return 'nothing to do';
  const reply = await replyTo(services, request);
  const { clock, requests } = services;
  await change(requests, { key, kind: 'request', clock }, (known) => ({
    value: known && !known.reply ? answered(known, reply) : undefined,
  }));
  return 'done';
}

function replyTo(services: RequestServices, request: PersonRequest): Promise<Reply> {
  const { objectType, recordId: id, kind } = request;
  const name = { objectType, id };
  if (kind === 'quote') return quoteRecord(services, name).then((quote) => ({ kind: 'quoted', quote }));
  return kind === 'undo' ? undo(services, request) : wrongMatch(services, request);
}

async function undo(services: RequestServices, request: PersonRequest): Promise<Reply> {
  const { objectType, recordId: id, property, run, askedBy } = request;
  const isChosen = (entry: JournalEntry) => run === undefined || isOfRun(entry, run);
  const eventKey = eventKeyOfRequest(request.id);
  return toldOf(await undoRecord(services, { objectType, id, property, isChosen, eventKey, askedBy }));
}

/** Undoes what the answer wrote, remembers that it does not fit, and says what could be asked instead. */
async function wrongMatch(services: RequestServices, request: PersonRequest): Promise<Reply> {
  const { objectType, recordId, run, askedBy } = request;
  const state = await livingState(services, { objectType, id: recordId });
  const entries = await historyOf(services, state);
  const wrong = entries.find((entry) => run !== undefined && isOfRun(entry, run));
  if (!wrong?.question) return { kind: 'refused', reason: 'The answer of this run is no longer stored.' };
  const { question } = wrong;
  const isChosen = (entry: JournalEntry) =>
    entry.question?.key === question.key && entry.question.askedAtMs === question.askedAtMs;
  const eventKey = eventKeyOfRequest(request.id);
  const asked = { eventKey, askedBy, isWrongMatch: true } as const;
  const wrongMatch = { objectType, id: state.id, isChosen, ...asked };
  const reply = toldOf(await undoRecord(services, wrongMatch));
  if (reply.kind !== 'undone') return reply;
  const nowMs = services.clock.now();
  await remember(services, state, { wrong: { ...wrong, question }, nowMs });
  const { id } = state;
  return { ...reply, next: await quoteRecord(services, { objectType, id }) };
}

type RecordAnswer = JournalEntry & {
  readonly question: NonNullable<JournalEntry['question']>;
  readonly requestId?: undefined;
};

async function remember(
  services: RequestServices,
  { objectType, id }: RecordState,
  { wrong, nowMs }: { readonly wrong: RecordAnswer; readonly nowMs: number },
): Promise<void> {
  const { question } = wrong;
  const { key: questionKey, askedAtMs, operation } = question;
  const verdict = { questionKey, askedAtMs, rejected: { reason: WRONG_MATCH, byPerson: true } };
  await changeRecord(services, { objectType, id }, (known): { state: RecordState } => ({
    state: learnOwnership(known, { verdicts: [verdict] }),
  }));
  await leaveUnaccepted(services, { objectType, id }, question);
  const { requestId, credits: whole } = (await boughtBy(services, question)) ?? wrong;
  // Of a search for many companies one result was wrong.
  const credits = operation === 'companiesByDomain' ? Math.min(whole, RESULT_CREDITS) : whole;
  const paid = { questionKey, operation, askedAtMs, credits, ...(requestId !== undefined && { requestId }) };
  const claim = { objectType, id, ...paid, atMs: nowMs };
  const place = { key: wrongMatchKind.key(claim), kind: 'wrong match', clock: services.clock };
  await change(services.wrongMatches, place, (known) => ({ value: known ? undefined : claim }));
}

/** The rest of the answer is not offered for acceptance. */
async function leaveUnaccepted(
  { reviews }: RequestServices,
  record: RecordName,
  { key, askedAtMs }: RecordAnswer['question'],
): Promise<void> {
  for (const { kind, answer } of (await reviews.read(record))?.findings ?? [])
    if (answer?.questionKey === key && answer.askedAtMs === askedAtMs)
      await reviews.decide(record, kind, 'gone');
}

/** What the answer itself cost, and how the vendor knows it; nothing once it has expired. */
async function boughtBy(
  { forgetting }: RequestServices,
  { key, askedAtMs }: RecordAnswer['question'],
): Promise<Pick<StoredAnswer, 'credits' | 'requestId'> | undefined> {
  const stored = (await forgetting.items.read(questionKind.key(key)))?.value;
  return answersOf(stored).find((answer) => answer.askedAtMs === askedAtMs);
}

const WRONG_MATCH = 'A person said that the answer is about another person or company.';

function isOfRun(entry: JournalEntry, run: NonNullable<PersonRequest['run']>): boolean {
  return entry.id === run.recordId && entry.run === run.number;
}

function toldOf(result: UndoResult): Reply {
  if (typeof result === 'string') return { kind: 'refused', reason: REFUSALS[result] };
  const { before = [], restored, kept } = result;
  const names = new Set([...before, ...restored.map(({ property }) => property)]);
  return { kind: 'undone', restored: [...names], kept };
}

/** Why an undo does nothing at all. */
export const REFUSALS: Readonly<Record<Extract<UndoResult, string>, string>> = {
  busy: 'a worker is updating the record, or a bought answer is still to be written; try again in some minutes',
  forgotten: 'its person asked to be forgotten: no former value is stored',
};
