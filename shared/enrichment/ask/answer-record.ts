import { recordKey } from '#shared/crm';
import { SECOND_MS, unreachable } from '#shared/kernel';
import { type AnswerVerdict, verdictOn } from '#shared/ownership';
import { FORGOTTEN_REASON, indexAnswered, indexPerson } from '#shared/privacy';
import {
  type AskResult,
  askedDomainOf,
  type Commitment,
  LOOKUPS,
  type NotJoined,
  priceOfQuestion,
} from '#shared/questions';
import { because, committedCredits } from '#shared/records';
import { isHaltedNow, splitHalted, withdrawn } from '../backfill/halted.ts';
import { type CaughtFailure, caught } from '../failures.ts';

import type { ClaimedRecord, EnrichmentServices, TimeLimit } from '../services.ts';
import { endBarred, isAdmittedStill } from './admit-record.ts';
import { deferred, type EndedAnswer, type Ending, ended, type RecordAnswer } from './answered.ts';
import { knownAnswer, linkCompany } from './known-answer.ts';
import { type QuestionPlan, wasEnriched, withoutTakenAddress } from './plan-record.ts';
import {
  charged,
  commit,
  endTooExpensive,
  leftCredits,
  ownLimitReason,
  unbought,
  withNotedAnswer,
  withSpent,
} from './price-limit.ts';

/** Time kept for the write-back after the last answer: two HubSpot batches and the settling. */
const WRITE_BACK_MS = 15 * SECOND_MS;

/**
 * Time after which a record without a rate-limit slot waits in the store. The worker can then read the next
 * messages.
 */
const SLOT_PATIENCE_MS = 40 * SECOND_MS;

/** Limits of all questions of a batch. */
interface AskingLimits {
  /** Latest time at which an answer is still useful, epoch milliseconds. */
  readonly notAfterMs: number;
  /** Longest wait for a rate-limit slot. */
  readonly slotPatienceMs: number;
  /** Whether HubSpot refuses paid values. If so, only one purchase an hour tests whether it still refuses them. */
  readonly isRefusing: boolean;
}

function askingLimits({ deadlineMs }: TimeLimit): Omit<AskingLimits, 'isRefusing'> {
  return { notAfterMs: deadlineMs - WRITE_BACK_MS, slotPatienceMs: SLOT_PATIENCE_MS };
}

interface WorkedRecord {
  readonly held: ClaimedRecord;
  readonly answered: RecordAnswer | CaughtFailure;
}

/** Indexes all records, then asks their questions. A failure of one record does not affect the others. */
export async function answerAll(
  services: EnrichmentServices,
  decided: readonly (QuestionPlan | EndedAnswer)[],
  time: TimeLimit,
): Promise<WorkedRecord[]> {
  const [isRefusing, plans] = await Promise.all([
    mayBeRefused(services, decided),
    Promise.all(
      decided.map(async (plan) => ({
        held: plan.held,
        plan: await caught(() => indexAndLookUp(services, plan)),
      })),
    ),
  ]);
  const limits = { ...askingLimits(time), isRefusing };
  return Promise.all(
    plans.map(async ({ held, plan }) => {
      if (plan.kind !== 'planned') return { held, answered: plan };
      return { held, answered: await caught(() => askInOrder(services, { ...plan, limits })) };
    }),
  );
}

/** Whether HubSpot refuses paid values of these records' type. One read serves all of them. True if the read fails. */
async function mayBeRefused(
  { writeBreakers }: EnrichmentServices,
  decided: readonly (QuestionPlan | EndedAnswer)[],
): Promise<boolean> {
  const planned = decided.find(({ kind }) => kind === 'planned');
  if (!planned) return false;
  const open = await caught(async () => ({ kind: await writeBreakers.open(planned.held.objectType) }));
  return open.kind !== undefined;
}

/** A plan whose record is indexed by its person's identifiers. */
interface ReadyPlan extends QuestionPlan {
  /** Stored answer to the first question, if that was looked up. */
  readonly first?: FirstLookup | undefined;
}

interface FirstLookup {
  readonly known: Awaited<ReturnType<typeof knownAnswer>>;
}

/**
 * Indexes the record's person before any question is asked. At the same time, looks for a stored answer to the first
 * question.
 */
async function indexAndLookUp(
  services: EnrichmentServices,
  plan: QuestionPlan | EndedAnswer,
): Promise<ReadyPlan | EndedAnswer> {
  const { held } = plan;
  // If the record was merged, the read returned another record's person.
  if (held.record.id !== held.id) return plan;
  const [indexed, first] = await Promise.all([
    indexPerson(services, held),
    caught(async () => ({ kind: 'done' as const, lookup: await lookUpFirst(services, plan) })),
  ]);
  if (indexed === 'forgotten') return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
  if (first.kind === 'error') throw first.error;
  if (plan.kind !== 'planned') return { ...plan, held: indexed };
  const { lookup } = first;
  // Records of one person can find each other only after each of them is indexed.
  const affordable = buysAddress(plan) ? await withoutTakenAddress(services, plan) : plan;
  if (affordable.kind !== 'planned') return { ...affordable, held: indexed };
  const hasSameOptions = affordable.questions[0]?.options.length === plan.questions[0]?.options.length;
  return {
    ...affordable,
    held: indexed,
    first: hasSameOptions ? lookup : await lookUpFirst(services, affordable),
  };
}

function buysAddress({ questions }: QuestionPlan): boolean {
  return questions.some(({ options }) => options.includes('email'));
}

/**
 * Looks for a stored answer to the first question.
 * @returns `undefined` if this run has paid for the question.
 */
async function lookUpFirst(
  services: EnrichmentServices,
  plan: QuestionPlan | EndedAnswer,
): Promise<FirstLookup | undefined> {
  if (plan.kind !== 'planned') return undefined;
  const [question] = plan.questions;
  if (!question || plan.isPaidFor(question)) return undefined;
  return { known: await knownAnswer(services, question, plan.held.state) };
}

interface Asking extends ReadyPlan {
  readonly limits: AskingLimits;
}

/** Asks the next question only after "no match", and only if the policy pays for more than one. */
async function askInOrder(
  services: EnrichmentServices,
  { questions, isPaidFor, first, limits, ...start }: Asking,
): Promise<RecordAnswer> {
  let { held } = start;
  let staleAtMs = 0;
  let rejected: AnswerVerdict['rejected'];
  const { notAfterMs, slotPatienceMs, isRefusing } = limits;
  for (const question of questions) {
    if (services.clock.now() > notAfterMs)
      return deferred(held, { reason: 'time-short', untilMs: services.clock.now() });
    const isPaidByRun = isPaidFor(question);
    const isLookedUp = first !== undefined && question === questions[0];
    const lookUp = isLookedUp
      ? first
      : { known: isPaidByRun ? undefined : await knownAnswer(services, question, held.state) };
    const { known } = lookUp;
    // A question above the price limit may still have a stored answer.
    const isFree = isPaidByRun || known || priceOfQuestion(question) > leftCredits(held);
    const refusal = isFree || !isRefusing ? {} : await services.writeBreakers.pass(held.objectType);
    const { untilMs, what: detail, params } = refusal;
    if (untilMs !== undefined) return deferred(held, { reason: 'HUBSPOT_REFUSES', detail, params, untilMs });
    const { purpose, overrulesReserve, askedBy } = held.run;
    let { commitments } = held.run;
    const claim = held;
    const join = async (attempt: Commitment): Promise<'joined' | NotJoined> => {
      if (await isHaltedNow(services, claim)) return 'unwanted';
      const committed = await commit(services, claim, attempt);
      if (committed === 'claim-lost') return committed;
      commitments = committed;
      return 'joined';
    };
    const isWanted = isAdmittedStill(services, claim);
    const bounds = { notAfterMs, slotPatienceMs, leftCredits: leftCredits(claim), isWanted, join };
    const asker = { record: recordKey(held), rule: held.admission.countedAs, askedBy };
    const request = { question, purpose, overrulesReserve, ...asker, ...bounds };
    const result = known ?? (await services.gateway.ask(request));
    if (result.kind === 'found') {
      const { kind, record: answer, questionKey, askedAtMs, expiresAtMs } = result;
      // A rejected answer is about another person or company, so the next question is asked.
      rejected = verdictOn(held.state.verdicts, result)?.rejected;
      if (rejected) {
        staleAtMs = Math.max(staleAtMs, expiresAtMs);
        continue;
      }
      const { operation } = question;
      const askedDomain = askedDomainOf(question);
      const chargedRecord = charged(held, result.credits);
      const { credits } = chargedRecord.run;
      if (LOOKUPS[operation].about === 'company' && result.credits > 0) await linkCompany(services, result);
      const noteCharge = withNotedAnswer(held, { questionKey, credits });
      if (
        (await indexAnswered(services, held, { question, record: answer, also: noteCharge })) === 'forgotten'
      )
        return ended(chargedRecord, { outcome: 'skipped', reason: FORGOTTEN_REASON }, false);
      const questionFacts = { questionKey, askedDomain, askedAtMs, expiresAtMs, credits };
      return { kind, held: chargedRecord, answer, operation, ...questionFacts };
    }
    if (result.kind === 'too-dear')
      return endUnbought(held, endTooExpensive(held, priceOfQuestion(question)));
    if (result.kind !== 'no-match')
      return endUnanswered(
        services,
        result.kind === 'doubt' ? withSpent(held, { commitments }) : held,
        result,
      );
    held = charged(held, result.credits);
    staleAtMs = Math.max(staleAtMs, result.expiresAtMs);
  }
  if (rejected) {
    const { reason } = rejected;
    return ended(held, { outcome: 'unmatched', status: 'review', reason, learned: { staleAtMs } }, true);
  }
  const reason = because('no-match', { operations: questions.map(({ operation }) => operation) });
  return ended(held, { outcome: 'unmatched', reason, learned: { staleAtMs } }, true);
}

function endUnbought(held: ClaimedRecord, ending: Ending): RecordAnswer {
  // An enriched record keeps its status. If a later run follows at once, that run writes the status.
  const writesStatus = ending.outcome !== 'unchanged' && (held.state.later ?? []).length === 0;
  return ended(held, ending, writesStatus);
}

/**
 * Ends a run whose backfill was halted before the request. In all other runs, reads the record again, because the rules
 * may no longer admit it.
 */
async function endUnwanted(services: EnrichmentServices, held: ClaimedRecord): Promise<RecordAnswer> {
  const { halted } = await splitHalted(services, [held]);
  const isHalted = halted.length > 0;
  if (isHalted || held.admission.rule === undefined)
    return ended(held, withdrawn(committedCredits(held.run)), false);
  // A run with an answer is planned whatever the rules say. If such a run needs another question, it ends here.
  const barred = endBarred(services, held, { isKept: wasEnriched(held.state) });
  return barred ?? deferred(held, { reason: 'queued', untilMs: services.clock.now() });
}

async function endUnanswered(
  services: EnrichmentServices,
  held: ClaimedRecord,
  result: Exclude<AskResult, { kind: 'found' | 'no-match' | 'too-dear' }>,
): Promise<RecordAnswer> {
  switch (result.kind) {
    case 'waiting': {
      const { reason, detail, params, untilMs, isAboveLimit, isPersonsOwn } = result;
      if (isPersonsOwn) return endUnbought(held, unbought(held, ownLimitReason(result, services.policy)));
      return deferred(held, { reason, detail, params, untilMs, isAboveLimit });
    }
    case 'doubt': {
      const learned = { doubtfulQuestion: result.questionKey };
      return ended(held, { outcome: 'failed', reason: because('charge-unknown'), learned }, true);
    }
    case 'forgotten':
      return ended(charged(held, result.credits), { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
    case 'withdrawn':
      return endUnwanted(services, held);
    case 'rejected':
      return ended(
        held,
        { outcome: 'failed', reason: because('lookup-refused', { why: result.detail }) },
        true,
      );
    default:
      return unreachable(result);
  }
}
