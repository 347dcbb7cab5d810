import { asProfile } from '#shared/field-policy';
import { verdictOn } from '#shared/ownership';
import {
  answersOf,
  isSearch,
  type Question,
  type QuestionItem,
  type QuestionOption,
  questionKind,
  type StoredAnswer,
  storedRecord,
} from '#shared/questions';
import type { RecordAnswer } from '../ask/answered.ts';
import { ownQuestionAnsweredBy, ownQuestions } from '../ask/own-questions.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
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
  // The answer of a search for many companies is stored with the company's own question.
  const keys = held.objectType === 'companies' ? [answeredQuestion, ...own.keys()] : [answeredQuestion];
  let verdict: NoReusableAnswer = 'too-old';
  for (const key of new Set(keys)) {
    const item = (await services.forgetting.items.read(questionKind.key(key)))?.value;
    const stored = item && newestFound(services, item);
    if (!item || !stored || stored.askedAtMs < answeredAtMs) continue;
    const answerName = { questionKey: stored.batch ?? key, askedAtMs: stored.askedAtMs };
    if (verdictOn(verdicts, answerName)?.rejected) return 'rejected';
    const record = await storedRecord(services.forgetting, item, stored);
    if (!record) return 'forgotten';
    const question = ownQuestionAnsweredBy(services, own, { key, operation: item.operation, record });
    verdict = 'other-record';
    if (question) return answered(held, { item, stored, record, question, ...answerName });
  }
  return verdict;
}

/**
 * Returns the newest usable answer. A list of results is not usable, because it is about many records. A search that
 * did not find a company is not usable either, because it says nothing about the company's profile.
 */
function newestFound({ clock }: Services, item: QuestionItem): StoredAnswer | undefined {
  if (isSearch(item) || item.operation === 'companiesByDomain') return undefined;
  const [newest] = answersOf(item).filter(({ kind, batch }) => kind === 'found' || batch === undefined);
  return newest?.kind === 'found' && clock.now() < newest.expiresAtMs ? newest : undefined;
}

interface StoredRecord {
  readonly item: QuestionItem;
  readonly record: Readonly<Record<string, unknown>>;
}

interface Taken extends StoredRecord {
  readonly stored: StoredAnswer;
  readonly question: Question;
  readonly questionKey: string;
}

function answered(
  held: ClaimedRecord,
  { item, stored, record, question, questionKey }: Taken,
): ReusableAnswer {
  const { askedAtMs, expiresAtMs, batch, options } = stored;
  const { domain = '', company_domain: askedDomain } = question.parameters;
  const isSearched = batch !== undefined;
  return {
    ...{ kind: 'found', held, questionKey, askedAtMs, expiresAtMs, options, credits: 0 },
    answer: isSearched ? asProfile(record, domain) : record,
    operation: isSearched ? 'companiesByDomain' : item.operation,
    askedDomain: item.operation === question.operation ? askedDomain : undefined,
  };
}
