import { recordKey } from '#shared/crm';
import { SECOND_MS, unreachable } from '#shared/kernel';
import { type AnswerVerdict, isRejectedByPerson, verdictOn } from '#shared/ownership';
import {
  cleanedUp,
  FORGOTTEN_REASON,
  identifiersOfRecord,
  indexAnswered,
  indexPerson,
  type Linked,
  linkAnswered,
  linkPerson,
} from '#shared/privacy';
import {
  type AskResult,
  askedDomainOf,
  type Commitment,
  LOOKUPS,
  type LookedAt,
  type NotJoined,
  priceOfQuestion,
  type Question,
} from '#shared/questions';
import { because, committedCredits } from '#shared/records';
import {
  type CaughtFailure,
  type ClaimedRecord,
  caught,
  type EnrichmentServices,
  haltReasons,
  isRunHalted,
  type TimeLimit,
  withdrawn,
} from '../services.ts';
import {
  deferred,
  type EndedAnswer,
  type Ending,
  endBarred,
  ended,
  isAdmittedStill,
  type RecordAnswer,
} from './endings.ts';
import { knownAnswer, linkCompany, type ObtainedBefore, obtainedBeforeIfUnknown } from './known-answer.ts';
import { otherRecordsOf, type QuestionPlan, wasEnriched, withoutTakenAddress } from './plan-record.ts';
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
      return { held, answered: await caught(() => askPlan(services, { ...plan, limits })) };
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

/** A plan with what is known before a purchase. */
interface ReadyPlan extends QuestionPlan {
  /** Stored answer to the first question, if that was looked up. */
  readonly first?: FirstLookup | undefined;
  /** Keys of further records of this person. Empty if no question buys an address. */
  readonly others: readonly string[];
}

interface FirstLookup {
  readonly known: Awaited<ReturnType<typeof knownAnswer>>;
  /** What a purchase of the question begins with. */
  readonly looked?: LookedAt;
}

/**
 * Looks for a stored answer to the first question, and whether the person is forgotten or has the address elsewhere. A
 * record without a question is indexed now; the others with the mark of their request.
 */
async function indexAndLookUp(
  services: EnrichmentServices,
  plan: QuestionPlan | EndedAnswer,
): Promise<ReadyPlan | EndedAnswer> {
  const { held } = plan;
  if (plan.kind === 'ended') {
    // If the record was merged, the read returned another record's person.
    return held.record.id === held.id ? indexEnded(services, plan) : plan;
  }
  const { sure } = identifiersOfRecord(held.record, services.digest);
  const [[forgotten], first, others] = await Promise.all([
    services.forgetting.suppressionList.among(sure),
    lookUpFirst(services, plan),
    buysAddress(plan) ? otherRecordsOf(services, held.record) : [],
  ]);
  if (forgotten) return endForgotten(held);
  const affordable = others.length > 0 ? await withoutTakenAddress(services, plan, others) : plan;
  if (affordable.kind !== 'planned') return indexEnded(services, affordable);
  const hasSameOptions = affordable.questions[0]?.options.length === plan.questions[0]?.options.length;
  return { ...affordable, others, first: hasSameOptions ? first : await lookUpFirst(services, affordable) };
}

async function indexEnded(services: EnrichmentServices, end: EndedAnswer): Promise<EndedAnswer> {
  const indexed = await indexPerson(services, end.held);
  return indexed.kind === 'forgotten' ? endForgotten(end.held) : { ...end, held: indexed.held };
}

function endForgotten(held: ClaimedRecord): EndedAnswer {
  return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
}

function buysAddress({ questions }: Pick<QuestionPlan, 'questions'>): boolean {
  return questions.some(({ options }) => options.includes('email'));
}

/**
 * Looks for a stored answer to the first question.
 * @returns `undefined` if this run has paid for the question.
 */
async function lookUpFirst(
  services: EnrichmentServices,
  { held, questions: [question], isPaidFor }: QuestionPlan,
): Promise<FirstLookup | undefined> {
  if (!question || isPaidFor(question)) return undefined;
  const [known, looked] = await Promise.all([
    knownAnswer(services, question, held.state),
    services.gateway.look(question),
  ]);
  return { known, looked };
}

interface Asking extends ReadyPlan {
  readonly limits: AskingLimits;
}

/** Further records of the person came meanwhile, so the plan must be made again. */
interface OtherRecords {
  readonly kind: 'other-records';
  readonly others: readonly string[];
}

/** Asks, and indexes the record if no request has been marked, because its person may be forgotten while it waits. */
async function askPlan(services: EnrichmentServices, asking: Asking): Promise<RecordAnswer> {
  const progress = { isIndexed: false };
  const answer = await askInOrder(services, asking, progress);
  if (answer.kind === 'other-records') {
    const { others } = answer;
    const plan = await withoutTakenAddress(services, asking, others);
    if (plan.kind !== 'planned') return indexEnded(services, plan);
    return askPlan(services, { ...asking, ...plan, others, first: await lookUpFirst(services, plan) });
  }
  if (progress.isIndexed) return answer;
  const indexed = await indexPerson(services, answer.held);
  return indexed.kind === 'forgotten' ? endForgotten(answer.held) : { ...answer, held: indexed.held };
}

/** Asks the next question only after "no match", and only if the policy pays for more than one. */
async function askInOrder(
  services: EnrichmentServices,
  { questions, isPaidFor, first, limits, others, ...start }: Asking,
  progress: { isIndexed: boolean },
): Promise<RecordAnswer | OtherRecords> {
  let { held } = start;
  let staleAtMs = 0;
  let verdict: AnswerVerdict | undefined;
  const { notAfterMs, slotPatienceMs, isRefusing } = limits;
  for (const question of questions) {
    if (services.clock.now() > notAfterMs)
      return deferred(held, { reason: 'time-short', untilMs: services.clock.now() });
    const isPaidByRun = isPaidFor(question);
    const isLookedUp = first !== undefined && question === questions[0];
    const lookUp: FirstLookup = isLookedUp
      ? first
      : { known: isPaidByRun ? undefined : await knownAnswer(services, question, held.state) };
    const { known, looked } = lookUp;
    // A question above the price limit may still have a stored answer.
    const isFree = isPaidByRun || known || priceOfQuestion(question) > leftCredits(held);
    const refusal = isFree || !isRefusing ? {} : await services.writeBreakers.pass(held.objectType);
    const { untilMs, what: detail, params } = refusal;
    if (untilMs !== undefined) return deferred(held, { reason: 'HUBSPOT_REFUSES', detail, params, untilMs });
    const asked = createAsked(services, held, { question, others });
    const { purpose, overrulesReserve, askedBy } = held.run;
    const request = {
      question,
      purpose,
      overrulesReserve,
      askedBy,
      notAfterMs,
      slotPatienceMs,
      looked,
      record: recordKey(held),
      rule: held.admission.countedAs,
      leftCredits: leftCredits(held),
      isWanted: isAdmittedStill(services, held),
      join: asked.join,
      answered: asked.answered,
      booked: asked.booked,
    };
    const result = known ?? (await services.gateway.ask(request));
    const { commitments, isMarked, end } = asked.joined();
    held = asked.joined().held;
    progress.isIndexed ||= isMarked;
    if (end === 'forgotten') return endForgotten(held);
    if (end) return end;
    if (result.kind === 'found') {
      const { kind, record: answer, questionKey, askedAtMs, expiresAtMs } = result;
      // A rejected answer is about another person or company, so the next question is asked.
      verdict = verdictOn(held.state.verdicts, result);
      if (verdict?.rejected) {
        staleAtMs = Math.max(staleAtMs, expiresAtMs);
        continue;
      }
      const { operation } = question;
      const askedDomain = askedDomainOf(question);
      const indexed = await asked.indexed(result);
      const chargedRecord = charged(indexed?.held ?? held, result.credits);
      if (!indexed) return ended(chargedRecord, { outcome: 'skipped', reason: FORGOTTEN_REASON }, false);
      const { credits } = chargedRecord.run;
      const { obtainedBefore } = asked.joined();
      const questionFacts = { questionKey, askedDomain, askedAtMs, expiresAtMs, credits, obtainedBefore };
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
  if (verdict?.rejected) {
    const { reason } = verdict.rejected;
    const status = isRejectedByPerson(verdict) ? undefined : 'review';
    return ended(held, { outcome: 'unmatched', status, reason, learned: { staleAtMs } }, true);
  }
  const reason = because('no-match', { operations: questions.map(({ operation }) => operation) });
  return ended(held, { outcome: 'unmatched', reason, learned: { staleAtMs } }, true);
}

type Found = Extract<AskResult, { kind: 'found' }>;

/** What the record adds to the transactions of its question: with the mark its index and commitment, then its answer. */
function createAsked(
  services: EnrichmentServices,
  start: ClaimedRecord,
  { question, others }: { readonly question: Question; readonly others: readonly string[] },
) {
  let held = start;
  let { commitments } = start.run;
  let isMarked = false;
  let end: 'forgotten' | OtherRecords | undefined;
  let linked: Linked<ClaimedRecord> | undefined;
  let obtainedBefore: ObtainedBefore | undefined;
  const noteOf = ({ questionKey, credits }: Found) =>
    withNotedAnswer(held, { questionKey, credits: held.run.credits + credits });
  const answerOf = (result: Found) => ({ question, record: result.record, also: noteOf(result) });
  return {
    join: async (attempt: Commitment): Promise<'joined' | NotJoined> => {
      ({ commitments } = start.run);
      [held, end, isMarked] = [start, undefined, false];
      if (await isRunHalted(services, start)) return 'unwanted';
      const indexed = await linkPerson(services, start);
      end = indexed.kind === 'forgotten' ? 'forgotten' : undefined;
      if (indexed.kind === 'forgotten') return 'unwanted';
      // A record of this person that came meanwhile may have the address that is about to be bought.
      const isNew = indexed.others.some((key) => !others.includes(key));
      if (isNew && buysAddress({ questions: [question] })) {
        end = { kind: 'other-records', others: indexed.others };
        return 'unwanted';
      }
      const committed = await commit(services, start, attempt);
      if (committed === 'claim-lost') return committed;
      ({ held } = indexed);
      commitments = committed;
      isMarked = true;
      return 'joined';
    },
    answered: async (answer: Found['record']) => {
      const { operation } = question;
      obtainedBefore = await obtainedBeforeIfUnknown(services, start, { operation, answer });
    },
    booked: async (result: AskResult) => {
      if (result.kind !== 'found' || verdictOn(held.state.verdicts, result)?.rejected) return;
      if (LOOKUPS[question.operation].about === 'company') await linkCompany(services, result);
      linked = await linkAnswered(services, held, answerOf(result));
    },
    joined: () => ({ held, commitments, isMarked, end, obtainedBefore }),
    /** Indexes the record by its answer. @returns `undefined` if the person is forgotten. */
    indexed: async (result: Found) => {
      const indexed = linked
        ? await cleanedUp(services, linked)
        : await indexAnswered(services, held, answerOf(result));
      return indexed.kind === 'kept' ? indexed : undefined;
    },
  };
}

function endUnbought(held: ClaimedRecord, ending: Ending): RecordAnswer {
  // An enriched record keeps its status. If a later run follows at once, that run writes the status.
  const writesStatus = ending.outcome !== 'unchanged' && (held.state.later ?? []).length === 0;
  return ended(held, ending, writesStatus);
}

/**
 * Ends a run that was halted before the request. In all other runs, reads the record again, because the rules
 * may no longer admit it.
 */
async function endUnwanted(services: EnrichmentServices, held: ClaimedRecord): Promise<RecordAnswer> {
  const reason = (await haltReasons(services, [held])).get(held);
  if (reason) return ended(held, withdrawn(reason, committedCredits(held.run)), false);
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
