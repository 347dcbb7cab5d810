import type { Policy } from '#shared/field-policy';
import { type Question, type QuestionOperation, questionKey } from '#shared/questions';
import type { ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { keysTold } from './known-answer.ts';
import { possibleQuestions } from './plan.ts';

type Services = Pick<EnrichmentServices, 'digest' | 'policy'>;

interface Own extends Pick<ClaimedRecord, 'record'> {
  readonly ownership: ReturnType<typeof ownershipOf>;
}

export type OwnQuestions = ReadonlyMap<string, Question>;

/** By key: what the record as it is now could be asked by, whatever the policy asks. */
export function ownQuestions({ digest, policy }: Services, { record, ownership }: Own): OwnQuestions {
  const input = { record, policy: askingAll(policy), ...ownership };
  const questions = possibleQuestions(input, new Set());
  return new Map(questions.map((question) => [questionKey(question, digest), question]));
}

function askingAll(policy: Policy): Policy {
  const contacts: Policy['questions']['contacts'] = [
    ...(['personProfile', 'reverseEmail', 'lookUpPerson', 'reversePhone'] as const),
  ];
  return { ...policy, questions: { ...policy.questions, contacts, allowFirstNameAlone: true } };
}

interface Told {
  readonly key: string;
  readonly operation: QuestionOperation;
  readonly record: Readonly<Record<string, unknown>>;
}

/**
 * The record's own question that an answer is one to, or about the very person or company that it names.
 * @returns nothing where the record is about another person.
 */
export function questionToldBy(
  { digest }: Services,
  own: OwnQuestions,
  { key, operation, record }: Told,
): Question | undefined {
  const known = own.get(key);
  if (known) return known;
  const told = keysTold(digest, { operation, record }).find((one) => own.has(one));
  return told === undefined ? undefined : own.get(told);
}
