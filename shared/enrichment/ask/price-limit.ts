import { isAboutPerson, OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { type Admission, admissionsOf, type Policy } from '#shared/field-policy';
import { instant } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import {
  type AskResult,
  type Commitment,
  LOOKUPS,
  lookupsOf,
  priceOfQuestion,
  type Question,
} from '#shared/questions';
import {
  because,
  changeRecord,
  commitCredits,
  committedCredits,
  type RecordState,
  type Run,
  type RunCharges,
} from '#shared/records';
import { QUESTION_OPTIONS, type QuestionOption } from '#shared/vendor';
import type { ClaimedRecord, EnrichmentServices, RecordClaim } from '../services.ts';
import type { Ending } from './endings.ts';
import { wasEnriched } from './plan-record.ts';

/**
 * Price limit of the run, in credits: the lower of its agreed price and its rule's limit. If neither exists, the limit
 * is infinite, and only the budgets apply.
 */
function quotedCredits(held: ClaimedRecord): number {
  return Math.min(agreedCredits(held.run), held.admission.maxCredits);
}

/** Agreed price of the run, without the rule's limit. A person, the refresh or the backfill's quote sets this price. */
export function agreedCredits({ maxCredits = Number.POSITIVE_INFINITY }: Run): number {
  return maxCredits;
}

/** Credits that the run can still spend. */
export function leftCredits(held: ClaimedRecord): number {
  if (held.run.afterDoubt) return 0;
  return quotedCredits(held) - committedCredits(held.run);
}

/** Counts the commitments of a run's earlier workers. A commitment with an unknown charge stays at its worst case. */
export async function withCharges({ gateway }: Pick<EnrichmentServices, 'gateway'>, run: Run): Promise<Run> {
  const { commitments = [] } = run;
  if (commitments.length === 0) return run;
  const charges = await Promise.all(commitments.map((attempt) => gateway.chargeOf(attempt)));
  const credits = charges.reduce<number>((sum, charge = 0) => sum + charge, run.credits);
  return { ...run, credits, commitments: commitments.filter((_, index) => charges[index] === undefined) };
}

/** Returns the record with the credits that its run has spent so far. */
export function withSpent<H extends RecordClaim>(held: H, spent: Partial<RunCharges>): H {
  return { ...held, run: { ...held.run, ...spent } };
}

/** Returns the record after a charge. */
export function charged<H extends RecordClaim>(held: H, credits: number): H {
  return withSpent(held, { credits: held.run.credits + credits });
}

/**
 * Ends a run whose price does not cover its next question.
 * @param price highest cost of the next question, credits.
 */
export function endTooExpensive(held: ClaimedRecord, price: number) {
  const used = committedCredits(held.run);
  const limit = quotedCredits(held);
  const { rule = '', maxCredits } = held.admission;
  const agreedReason =
    used === 0 ? because('price-risen', { price, limit }) : because('above-agreed-price', { limit, used });
  const limitReason =
    maxCredits <= agreedCredits(held.run)
      ? because('above-price-of-rule', { rule, limit, used })
      : agreedReason;
  const { afterDoubt, doubtDecidedBy: by } = held.run;
  return unbought(held, afterDoubt ? because('may-be-looked-up', { price, by }) : limitReason);
}

/** Ends a run that may not buy its next question. An enriched record keeps its outcome. */
export function unbought(held: ClaimedRecord, reason: Explanation): Ending {
  const outcome = wasEnriched(held.state) ? 'unchanged' : 'skipped';
  return { outcome, reason, learned: { isAbovePrice: true } };
}

/** Explains to a person that the own limit of credits refuses. */
export function ownLimitReason(
  { untilMs, params = {} }: Extract<AskResult, { kind: 'waiting' }>,
  { timeZone }: Pick<Policy, 'timeZone'>,
): Explanation {
  const { neededCredits: price, limitCredits: limit, leftCredits: left } = params;
  const opens = instant(untilMs, timeZone);
  return because('own-limit', { price: Number(price), limit: Number(limit), left: Number(left), opens });
}

/**
 * Commits the run to an attempt, so that a crash hides no charge from the record's total.
 * @returns the commitments of the run; `claim-lost` if another worker holds the record now.
 */
export async function commit(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'statesWritten'>,
  held: ClaimedRecord,
  attempt: Commitment,
): Promise<readonly Commitment[] | 'claim-lost'> {
  const commitments = [...(held.run.commitments ?? []), attempt];
  const { credits } = held.run;
  const { owner } = held.state.claim ?? {};
  const { state } = await changeRecord(services, held, (known) => ({
    state: commitCredits(known, { owner, credits, commitments }),
  }));
  return state ? commitments : 'claim-lost';
}

/**
 * Stores the answered question and its cost in the run, before the write to HubSpot. That write may change the next
 * plan's questions.
 */
export async function noteAnswer(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'statesWritten'>,
  held: RecordClaim,
  answer: AnswerToNote,
): Promise<void> {
  const change = withNotedAnswer(held, answer);
  if (change) await changeRecord(services, held, (state) => ({ state: change(state) }));
}

interface AnswerToNote {
  readonly questionKey: string;
  /** All credits of the run so far. */
  readonly credits: number;
}

/**
 * Returns the state change of `noteAnswer`; `undefined` if the answer is already stored. If this worker has lost its
 * claim, the change does nothing.
 */
export function withNotedAnswer(
  { run, state: { claim } }: RecordClaim,
  { questionKey, credits }: AnswerToNote,
) {
  const { answeredQuestion, commitments } = run;
  if (answeredQuestion === questionKey && run.credits === credits) return undefined;
  return (state: RecordState): RecordState | undefined =>
    state.run && state.claim?.owner === claim?.owner
      ? { ...state, run: { ...state.run, answeredQuestion: questionKey, credits, commitments } }
      : undefined;
}

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
