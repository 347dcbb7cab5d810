import { verdictOn } from '#shared/ownership';
import {
  askedDomainOf,
  isSearch,
  type QuestionItem,
  questionKind,
  type StoredAnswer,
  storedRecord,
} from '#shared/questions';
import type { QuestionOption } from '#shared/vendor';
import type { RecordAnswer } from '../ask/answered.ts';
import { ownQuestionAnsweredBy, ownQuestions } from '../ask/own-questions.ts';
import type { EnrichmentServices } from '../services.ts';
import type { ReadRecord } from './read-group.ts';

export type ReusableAnswer = Extract<RecordAnswer, { kind: 'found' }> & {
  /** Options that the answer included. */
  readonly options: readonly QuestionOption[];
};

/** Reason why a record's stored answer is not used. */
export type NoReusableAnswer = 'never-answered' | 'too-old' | 'other-record' | 'rejected' | 'forgotten';

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock' | 'policy'>;

/**
 * Reads the newest stored answer about a record, without a request. The answer must be fresh, and no older than the
 * record's last answer. The record's present values must lead to the same question, or name the same person or company.
 */
export async function reusableAnswer(
  services: Services,
  { held, ownership }: ReadRecord,
): Promise<ReusableAnswer | NoReusableAnswer> {
  const { answeredQuestion, answeredAtMs = 0, verdicts } = held.state;
  if (answeredQuestion === undefined) return 'never-answered';
  const own = ownQuestions(services, { record: held.record, ownership });
  const item = (await services.forgetting.items.read(questionKind.key(answeredQuestion)))?.value;
  const stored = item && newestFound(services, item);
  if (!item || !stored || stored.askedAtMs < answeredAtMs) return 'too-old';
  const { askedAtMs, expiresAtMs, options } = stored;
  if (verdictOn(verdicts, { questionKey: answeredQuestion, askedAtMs })?.rejected) return 'rejected';
  const answer = await storedRecord(services.forgetting, item, stored);
  if (!answer) return 'forgotten';
  const { operation } = item;
  const question = ownQuestionAnsweredBy(services, own, { key: answeredQuestion, operation, record: answer });
  if (!question) return 'other-record';
  const askedDomain = operation === question.operation ? askedDomainOf(question) : undefined;
  const facts = { questionKey: answeredQuestion, askedDomain, askedAtMs, expiresAtMs, options };
  return { kind: 'found', held, answer, operation, ...facts, credits: 0 };
}

/** Returns the newest usable answer. A list of results is not usable, because it is about many records. */
function newestFound({ clock }: Services, item: QuestionItem): StoredAnswer | undefined {
  const { answer } = item;
  return !isSearch(item) && answer?.kind === 'found' && clock.now() < answer.expiresAtMs ? answer : undefined;
}
