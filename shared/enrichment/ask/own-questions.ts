import type { Policy } from '#shared/field-policy';
import { lookupsOf, type Question, type QuestionOperation, questionKey } from '#shared/questions';
import type { ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { ownKeysOfAnswer } from './known-answer.ts';
import { possibleQuestions } from './plan.ts';

type Services = Pick<EnrichmentServices, 'digest' | 'policy'>;

interface OwnedRecord extends Pick<ClaimedRecord, 'record'> {
  readonly ownership: ReturnType<typeof ownershipOf>;
}

export type OwnQuestions = ReadonlyMap<string, Question>;

/**
 * Returns every question that the record's present values allow, by key. Includes the questions that the policy
 * excludes.
 */
export function ownQuestions({ digest, policy }: Services, { record, ownership }: OwnedRecord): OwnQuestions {
  const input = { record, policy: withEveryQuestion(policy), ...ownership };
  const questions = possibleQuestions(input, new Set());
  return new Map(questions.map((question) => [questionKey(question, digest), question]));
}

function withEveryQuestion(policy: Policy): Policy {
  return {
    ...policy,
    questions: { ...policy.questions, contacts: lookupsOf('person'), allowFirstNameAlone: true },
  };
}

interface AnswerKeys {
  readonly key: string;
  readonly operation: QuestionOperation;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * Returns the record's own question that an answer serves: the same question, or one about the same person or company.
 * @returns `undefined` if the answer is about another person or company.
 */
export function ownQuestionAnsweredBy(
  { digest }: Services,
  own: OwnQuestions,
  { key, operation, record }: AnswerKeys,
): Question | undefined {
  const known = own.get(key);
  if (known) return known;
  const match = ownKeysOfAnswer(digest, { operation, record }).find((candidate) => own.has(candidate));
  return match === undefined ? undefined : own.get(match);
}
