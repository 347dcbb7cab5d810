import { covers, type Question, type QuestionOperation } from '#shared/questions';

/** Operations that identify one person or one company. Several people can share a name or a phone. */
export const IDENTIFYING: ReadonlySet<QuestionOperation> = new Set([
  'personProfile',
  'reverseEmail',
  'companyProfile',
]);

type QuestionForm = Pick<Question, 'operation' | 'options'>;

/**
 * Whether the answer to one question may also answer another. An answer about a person contains a profile and, if
 * bought, an address. An answer about a company contains all of its domains and a page.
 */
export function mayAlsoAnswer(answered: QuestionForm, asked: QuestionForm): boolean {
  const isCompany = asked.operation === 'companyProfile';
  if (!IDENTIFYING.has(asked.operation) || isCompany !== (answered.operation === 'companyProfile'))
    return false;
  const isContained = asked.operation !== 'reverseEmail' || answered.options.includes('email');
  return isContained && covers(answered.options, asked.options);
}
