import type { RecordName } from '#shared/crm';
import { subjectKeys } from '#shared/enrichment';
import { fitsIdentifier, WATCHED_PROPERTIES } from '#shared/identity';
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
import type { RequestItems, RequestServices } from './request-services.ts';
import type { WrongMatch } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';

type Answer = Readonly<Record<string, unknown>>;

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
  answer: Answer,
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

/** Returns the stored answer, with its cost, the vendor's request id and its record; nothing if it has expired. */
async function answerGiven(
  { forgetting }: Pick<RequestServices, 'forgetting'>,
  { key, askedAtMs }: AnsweredQuestion,
): Promise<{ readonly stored?: StoredAnswer; readonly record?: Answer | undefined }> {
  const item = (await forgetting.items.read(questionKind.key(key)))?.value;
  const stored = answersOf(item).find((each) => each.askedAtMs === askedAtMs);
  if (!item || !stored) return {};
  return {
    stored,
    record: stored.kind === 'found' ? await storedRecord(forgetting, item, stored) : undefined,
  };
}
