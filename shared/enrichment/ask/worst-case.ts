import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Admission, admissionsOf, type Policy } from '#shared/field-policy';
import { priceOfQuestion, type Question, type QuestionOption } from '#shared/questions';

/** Cost of the cheapest question that the policy allows, in credits. With fewer credits, nothing can be bought. */
export function cheapestQuestion({ questions }: Policy): number {
  const operations = [...questions.contacts, 'companyProfile' as const];
  return Math.min(
    ...operations.map((operation) => priceOfQuestion({ operation, parameters: {}, options: [] })),
  );
}

/** Returns the highest possible cost of a record, in credits: all questions. */
export function worstCaseOf(questions: readonly Question[]): number {
  return questions.reduce((sum, question) => sum + priceOfQuestion(question), 0);
}

/**
 * Returns the highest possible cost of one refresh, in credits.
 * @param refreshed has the rule that decided about the record. If that rule is unknown, the highest price of all rules
 * applies.
 */
export function worstCaseOfRefresh(
  refreshed: { readonly objectType: ObjectType; readonly rule?: string | undefined },
  policy: Policy,
): number {
  const { objectType } = refreshed;
  const buying = admissionsOf(policy, objectType).filter(({ enrich, onRequest }) => enrich || onRequest);
  const decisive = buying.filter(({ rule }) => rule !== undefined && rule === refreshed.rule);
  const worst = (decisive.length > 0 ? decisive : buying).map((admission) =>
    worstUnder(objectType, admission),
  );
  // If no rule admits any record, the policy's own price is used.
  return worst.length > 0 ? Math.max(...worst) : worstUnder(objectType, { policy, maxCredits: NO_LIMIT });
}

/** Returns the highest possible cost of one refresh of any record, in credits. */
export function dearestCredits(policy: Policy): number {
  return Math.max(...OBJECT_TYPES.map((objectType) => worstCaseOfRefresh({ objectType }, policy)));
}

const NO_LIMIT = Number.POSITIVE_INFINITY;

type Priced = Pick<Admission, 'policy' | 'maxCredits'>;

function worstUnder(objectType: ObjectType, priced: Priced): number {
  return Math.min(
    priced.maxCredits,
    objectType === 'companies' ? worstOfCompany(priced) : worstOfContact(priced),
  );
}

function worstOfCompany({ policy, maxCredits }: Priced): number {
  const { questions } = policy;
  const bought = (['funding', 'technology', 'contacts'] as const).filter(
    (option) => questions.companies[option],
  );
  // A company is asked by its domain, then by its page if the data service does not know the domain.
  const question = mostExpensive(
    { operation: 'companyProfile', parameters: {}, options: bought },
    maxCredits,
  );
  if (!question) return 0;
  return worstCaseOf(questions.fallThrough ? [question, question] : [question]);
}

/**
 * Returns the most expensive form of the question within the price. Any selection of options is possible, because a
 * record may lack any one value.
 * @returns `undefined` if the question is too expensive even without options.
 */
function mostExpensive(question: Question, maxCredits: number): Question | undefined {
  const selections: QuestionOption[][] = [[]];
  for (const option of question.options)
    selections.push(...selections.map((options) => [...options, option]));
  return selections
    .map((options) => ({ ...question, options }))
    .filter((form) => priceOfQuestion(form) <= maxCredits)
    .sort((a, b) => priceOfQuestion(b) - priceOfQuestion(a))[0];
}

function worstOfContact({ policy: { questions }, maxCredits }: Priced): number {
  const bought = [
    ...(questions.wantEmail ? ['email' as const] : []),
    ...(questions.wantPhone ? ['phone' as const] : []),
  ];
  const possible = questions.contacts.flatMap((operation) => {
    const isBare = operation === 'reverseEmail' || operation === 'reversePhone';
    return mostExpensive({ operation, parameters: {}, options: isBare ? [] : bought }, maxCredits) ?? [];
  });
  if (questions.fallThrough) return worstCaseOf(possible);
  return Math.max(0, ...possible.map((question) => worstCaseOf([question])));
}
