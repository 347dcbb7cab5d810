import type { RecordName } from '#shared/crm';
import {
  barredBy,
  type ClaimedRecord,
  type EnrichmentServices,
  freeSourcesUntilMs,
  isNeverDue,
  knownOf,
  ownLimitReason,
  type Plan,
  paidFor,
  planInputOf,
  planPurchase,
  planStored,
  portalOf,
  type RecordClaim,
  readRecords,
  type WritePlan,
  worstCaseOf,
} from '#shared/enrichment';
import { answerKeyOf, canFill, type FieldRule, isWorthLookup } from '#shared/field-policy';
import { instant } from '#shared/kernel';
import { type Explanation, verdictOn } from '#shared/ownership';
import { type AskResult, askedDomainOf, priceOfQuestion, type Question } from '#shared/questions';
import {
  because,
  endOfWait,
  explanationText,
  newRecordState,
  type RecordState,
  recordKind,
} from '#shared/records';
import { type FindingKind, isUndecided } from '#shared/review';
import { ASKER_GRACE_MS, buysNothingUntil } from './decide-installation.ts';
import type { RequestServices } from './request-services.ts';
import type { Quote } from './schemas.ts';

export interface PlannedQuestion {
  readonly question: Question;
  /** Highest cost; 0 if a fresh answer is stored. */
  readonly credits: number;
  readonly stored?: Extract<AskResult, { kind: 'found' }> | undefined;
}

/** Questions that a person's request for a record would ask, or the reason why it would ask none. */
export type PlannedRequest =
  | { readonly kind: 'forgotten' | 'missing' | 'unreadable' }
  | { readonly kind: 'merged'; readonly into: string }
  /** The policy's rules do not admit the record, even on request. */
  | { readonly kind: 'barred'; readonly read: ClaimedRecord; readonly reason: Explanation }
  | {
      readonly kind: 'planned';
      readonly read: ClaimedRecord;
      readonly plan: Plan;
      /** In the order in which they may be asked. The next question is asked only after "no match". */
      readonly questions: readonly PlannedQuestion[];
      /** Highest price of all questions together. */
      readonly credits: number;
      /** What a person should know before the purchase. */
      readonly warning?: Explanation | undefined;
      /** Without the request, the record would wait for free sources until this time, epoch milliseconds. */
      readonly waitsUntilMs?: number | undefined;
    };

/** Plans a person's request for a record. Spends no credits and changes nothing. */
export async function planRequest(services: EnrichmentServices, name: RecordName): Promise<PlannedRequest> {
  const { objectType, id } = name;
  const stored = await services.records.read(recordKind.key(name));
  const state: RecordState = stored?.value ?? newRecordState(objectType, id);
  if (state.forgottenAtMs !== undefined) return { kind: 'forgotten' };
  if (state.mergedInto !== undefined) return { kind: 'merged', into: state.mergedInto };
  const run = {
    id: 'plan',
    purpose: 'manual' as const,
    asked: {},
    openedAtMs: services.clock.now(),
    credits: 0,
  };
  const held: RecordClaim = { objectType, id, state, run };
  const { found, failed } = await readRecords(services, objectType, [held]);
  const [read] = found;
  if (!read) return { kind: failed.length > 0 ? 'unreadable' : 'missing' };
  const barred = barredBy(read, services.clock.now());
  if (barred) return { kind: 'barred', read, reason: barred.reason };
  const isPaidFor = paidFor(services, { ...read, run: state.run ?? run, state });
  const plan = await planPurchase(services, planInputOf(services, { ...read, state, run }, isPaidFor));
  const questions = plan.kind === 'ask' ? await priced(services, plan, state) : [];
  const paid = questions.filter(({ credits }) => credits > 0).map(({ question }) => question);
  const credits = Math.min(worstCaseOf(paid), read.admission.maxCredits);
  const untilMs = freeSourcesUntilMs(read);
  const waitsUntilMs = untilMs > services.clock.now() ? untilMs : undefined;
  const warning = paid.length > 0 && hasRejected(state) ? because('may-find-rejected') : undefined;
  return { kind: 'planned', read, plan, questions, credits, warning, waitsUntilMs };
}

/** Whether a person has rejected a person or company for the record, and accepted none of its answers since. */
function hasRejected({ verdicts }: RecordState): boolean {
  const last = verdicts.findLast(({ rejected, inSpiteOf }) => rejected?.byPerson || inSpiteOf);
  return last?.rejected !== undefined;
}

async function priced(
  services: EnrichmentServices,
  { questions }: Extract<Plan, { kind: 'ask' }>,
  state: RecordState,
): Promise<PlannedQuestion[]> {
  const all = await Promise.all(
    questions.map(async (question) => {
      const known = await knownOf(services, question, state);
      const stored = known?.kind === 'found' ? known : undefined;
      // Like a run, does not use an answer that a person rejected.
      if (stored && verdictOn(state.verdicts, stored)?.rejected?.byPerson) return [];
      const isFree = known !== undefined && known.kind !== 'in-doubt';
      return [{ question, credits: isFree ? 0 : priceOfQuestion(question), stored }];
    }),
  );
  return all.flat();
}

/**
 * Returns the plan in the form that HubSpot shows to a person.
 * @param askedBy the person who asks, whose own limit of credits counts.
 */
export async function quoteRecord(
  services: RequestServices,
  name: RecordName,
  askedBy: string | undefined,
): Promise<Quote> {
  const planned = await planRequest(services, name);
  const quote = await quotePlan(services, name, { planned, askedBy });
  if (!('read' in planned)) return quote;
  const { admission } = planned.read;
  return { ...quote, rule: admission.rule, ...(isNeverDue(admission) && { isNeverDue: true }) };
}

interface Quoting {
  readonly planned: PlannedRequest;
  readonly askedBy: string | undefined;
}

async function quotePlan(
  services: RequestServices,
  name: RecordName,
  { planned, askedBy }: Quoting,
): Promise<Quote> {
  if (planned.kind === 'barred') return nothingToAsk(planned.reason);
  if (planned.kind !== 'planned') return noQuestions(planned.kind, NO_PLAN_REASONS[planned.kind]);
  const { plan } = planned;
  if (plan.kind === 'skip') return nothingToAsk(because(plan.reason));
  if (planned.questions.length === 0) return nothingToAsk(because('wrong-match'));
  const undecided = await undecidedAnswer(services, name, planned);
  if (undecided !== undefined) return noQuestions('undecided-finding', undecided);
  const stored = await planStoredAnswer(services, planned);
  if (stored.kind === 'none') return nothingToAsk(stored.rejected ?? because('stored-no-match'));
  if (stored.kind === 'planned' && changesNothing(stored.plan)) return nothingToAsk(because('fresh'));
  const questions = planned.questions.map(({ question, credits }) => ({
    operation: question.operation,
    credits,
  }));
  const { credits, warning } = planned;
  const fills = blanksOf(services, planned, stored);
  const warns = warning && { warns: warning.code, warning: explanationText(warning) };
  const first = planned.questions.find((question) => question.credits > 0);
  const asked = first && { question: first.question, purpose: 'manual' as const, askedBy };
  const obstacle = asked && (await services.gateway.obstacle(asked));
  if (!obstacle) return { questions, credits, fills, ...warns };
  const { detail } = obstacle;
  if (obstacle.kind === 'doubt') return inDoubt(obstacle, services);
  if (obstacle.isPersonsOwn) return nothingToAsk(ownLimitReason(obstacle, services.policy));
  const then =
    buysNothingUntil(obstacle.reason) ??
    `A request that you make now waits until ${endOf(obstacle, services)}.`;
  return { questions, credits, fills, ...warns, waitsFor: obstacle.reason, waits: `${detail} ${then}` };
}

/** Whether a run would write no value of the stored answer, and a person would have nothing to decide. */
function changesNothing({ filled, proposed, status }: WritePlan): boolean {
  return filled.length === 0 && proposed.length === 0 && status !== 'review';
}

/**
 * Returns the labels of the blank properties that the lookup can fill; if its answer is stored, of those that the answer
 * fills. A state code comes with the state, and most countries have none.
 */
function blanksOf(
  { policy }: Pick<EnrichmentServices, 'policy'>,
  { read, questions }: Extract<PlannedRequest, { kind: 'planned' }>,
  stored: StoredPlan,
): string[] {
  const { record, definitions, emptied = [] } = read;
  const filled =
    stored.kind === 'paid'
      ? policy.fields[record.objectType]
          .filter(isWorthLookup)
          .filter(({ from }) => isAsked(questions, from))
          .map(({ property }) => property)
      : stored.kind === 'planned'
        ? stored.plan.filled.filter((property) => stored.plan.writes[property] !== '')
        : [];
  return [...new Set(filled)]
    .filter((property) => !record.properties[property] && !emptied.includes(property))
    .flatMap((property) => definitions.get(property)?.label ?? []);
}

/** Whether the answer to a question that must be paid for can hold the value. */
export function isAsked(questions: readonly PlannedQuestion[], from: FieldRule['from']): boolean {
  const key = answerKeyOf({ from });
  return questions.some(({ question, credits }) => credits > 0 && canFill(question, key));
}

/** What the stored answers would write. `rejected`: why an answer before was not used. */
type StoredPlan = { readonly rejected?: Explanation | undefined } & (
  | { readonly kind: 'planned'; readonly plan: WritePlan }
  /** The next question must be paid for. */
  | { readonly kind: 'paid' }
  /** No stored answer can be used, and no question is left. */
  | { readonly kind: 'none' }
);

/** Plans like a run, from stored answers only, with the questions in the same order. */
export async function planStoredAnswer(
  services: EnrichmentServices,
  { read, questions }: Pick<Extract<PlannedRequest, { kind: 'planned' }>, 'read' | 'questions'>,
): Promise<StoredPlan> {
  const { objectType, record } = read;
  let rejected: Explanation | undefined;
  for (const { question, credits, stored } of questions) {
    if (credits > 0) return { kind: 'paid', rejected };
    if (!stored) continue;
    const verdict = verdictOn(read.state.verdicts, stored)?.rejected;
    // Like a run, does not use a rejected answer again, and continues with the next question.
    if (verdict) {
      rejected = verdict.reason;
      continue;
    }
    const { record: answer, questionKey, askedAtMs, expiresAtMs } = stored;
    const { operation, options } = question;
    const found = { kind: 'found', held: read, answer, operation, options, credits: 0 } as const;
    const asked = { questionKey, askedAtMs, expiresAtMs, askedDomain: askedDomainOf(question) };
    const now = { records: new Map([[record.id, record]]), failed: new Map<string, string>() };
    const [plan] = await planStored(services, services.policy, {
      objectType,
      answers: [{ ...found, ...asked }],
      read: { now, portal: await portalOf(services, objectType) },
    });
    if (plan) return { kind: 'planned', plan, rejected };
  }
  return { kind: 'none', rejected };
}

/** Nobody can decide a doubt while its answer may still come. */
function inDoubt(
  { detail, deadlineAtMs = 0 }: Extract<AskResult, { kind: 'doubt' }>,
  { clock, policy }: Pick<RequestServices, 'clock' | 'policy'>,
): Quote {
  const fromMs = deadlineAtMs + ASKER_GRACE_MS;
  if (clock.now() >= fromMs)
    return noQuestions(
      'charge-unknown',
      `${detail} A person decides this on the home page first: was it charged?`,
    );
  const from = instant(fromMs, policy.timeZone);
  return noQuestions('answer-may-come', `${detail} Its answer may still come until ${from}.`);
}

/** Returns what ends the wait of a request that is made now, as the text after "until". */
function endOf(
  { kind: _, ...waiting }: Extract<AskResult, { kind: 'waiting' }>,
  { policy, clock }: Pick<RequestServices, 'policy' | 'clock'>,
): string {
  return waiting.reason !== 'budget'
    ? 'this ends'
    : endOfWait({ waiting, nowMs: clock.now() }, (atMs) => instant(atMs, policy.timeZone));
}

/**
 * Returns the reason why a run would change nothing: the first answer is stored, and a person must decide about it
 * first. The run would only find the same answer again.
 */
async function undecidedAnswer(
  services: EnrichmentServices,
  name: RecordName,
  { questions: [first] }: Extract<PlannedRequest, { kind: 'planned' }>,
): Promise<string | undefined> {
  if (!first?.stored) return undefined;
  const { questionKey, askedAtMs } = first.stored;
  const finding = (await services.reviews.read(name))?.findings.find(
    ({ state, kind, answer }) =>
      isUndecided({ state }) &&
      NOT_WRITTEN.has(kind) &&
      answer?.questionKey === questionKey &&
      answer.askedAtMs === askedAtMs,
  );
  return (
    finding && `A person has to decide about the stored answer first: ${explanationText(finding.reason)}`
  );
}

/** Findings whose answer is written only after a person accepted it. */
const NOT_WRITTEN: ReadonlySet<FindingKind> = new Set(['contradiction', 'job-change', 'proposal']);

const NO_PLAN_REASONS = {
  forgotten: 'Its person asked to be forgotten.',
  merged: 'It was merged into another record.',
  missing: 'HubSpot has no such record.',
  unreadable: 'HubSpot did not return the record; try again.',
} as const;

function nothingToAsk(reason: Explanation): Quote {
  return noQuestions(reason.code, explanationText(reason));
}

function noQuestions(code: NonNullable<Quote['code']>, reason: string): Quote {
  return { questions: [], credits: 0, code, reason };
}
