import { isAboutPerson, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Admission, admissionsOf, type Policy } from '#shared/field-policy';
import { LOOKUPS, lookupsOf, priceOfQuestion, type Question } from '#shared/questions';
import { QUESTION_OPTIONS, type QuestionOption } from '#shared/vendor';

/** Cost of the cheapest question that the policy allows, in credits. With fewer credits, nothing can be bought. */
export function cheapestQuestion({ questions }: Policy): number {
  const operations = [...questions.contacts, ...lookupsOf('company')];
  return Math.min(...operations.map((operation) => priceOfQuestion({ operation, by: {}, options: [] })));
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

/** All questions for which the policy pays, in their most expensive form. A company is asked by domain, then by page. */
function worstUnder(objectType: ObjectType, { policy, maxCredits }: Priced): number {
  const { contacts, companies, wantEmail, wantPhone, fallThrough } = policy.questions;
  const bought = { email: wantEmail, phone: wantPhone, ...companies };
  const operations = isAboutPerson({ objectType })
    ? contacts
    : lookupsOf('company').flatMap((operation) => LOOKUPS[operation].needs.map(() => operation));
  const prices = operations.flatMap((operation) => {
    const options = QUESTION_OPTIONS.filter(
      (option) => bought[option] && LOOKUPS[operation].options[option] !== undefined,
    );
    const form = mostExpensive({ operation, by: {}, options }, maxCredits);
    return form ? [priceOfQuestion(form)] : [];
  });
  const worst = fallThrough ? prices.reduce((sum, price) => sum + price, 0) : Math.max(0, ...prices);
  return Math.min(maxCredits, worst);
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
