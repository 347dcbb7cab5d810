import { recordKey } from '#shared/crm';
import { SECOND_MS, unreachable } from '#shared/kernel';
import { type AnswerVerdict, verdictOn } from '#shared/ownership';
import { FORGOTTEN_REASON, keepAnswered, keepPerson } from '#shared/privacy';
import { type AskResult, type CompanyResult, companyKey, priceOfQuestion } from '#shared/questions';
import { committedCredits } from '#shared/records';
import { isWantedFor, withdrawn } from '../backfill/halted.ts';
import { type CaughtFailure, caught } from '../failures.ts';

import type { ClaimedRecord, EnrichmentServices, TimeLimit } from '../services.ts';
import { withUnread } from '../unread-values.ts';
import { allOf, endBarred, isAdmittedStill } from './admit-record.ts';
import { BY, deferred, type EndedAnswer, ended, type RecordAnswer } from './answered.ts';
import { knownAnswer, linkCompany } from './known-answer.ts';
import { type QuestionPlan, wasEnriched, withoutTakenAddress } from './plan-record.ts';
import {
  charged,
  leftCredits,
  noteAnswer,
  priceLimitOf,
  tooDear,
  withNotedAnswer,
  withSpent,
} from './price-limit.ts';
import { isOfAnother, isOutdated, searchCompanies } from './search-companies.ts';

/** Time kept for the write-back after the last answer: two HubSpot batches and the settling. */
const WRITE_BACK_MS = 15 * SECOND_MS;

/**
 * Time after which a record without a rate-limit slot waits in the records table. The worker can then read the next
 * messages.
 */
const SLOT_PATIENCE_MS = 40 * SECOND_MS;

/** What bounds all questions of a batch. */
interface AskingLimits {
  /** Until when an answer is of use, epoch milliseconds. */
  readonly notAfterMs: number;
  /** How long to wait for a slot. */
  readonly slotPatienceMs: number;
  /** HubSpot refuses what was bought: then one purchase at a time shows whether it still does. */
  readonly isRefusing: boolean;
}

function askingLimits({ deadlineMs }: TimeLimit): Omit<AskingLimits, 'isRefusing'> {
  return { notAfterMs: deadlineMs - WRITE_BACK_MS, slotPatienceMs: SLOT_PATIENCE_MS };
}

const NONE_FOUND: Awaited<ReturnType<typeof searchCompanies>> = new Map();

interface Worked {
  readonly held: ClaimedRecord;
  readonly answered: RecordAnswer | CaughtFailure;
}

/** Companies for whom a search is enough are looked up together, the others one by one. */
export async function answerAll(
  services: EnrichmentServices,
  decided: readonly (QuestionPlan | EndedAnswer)[],
  time: TimeLimit,
): Promise<Worked[]> {
  const [isRefusing, plans] = await Promise.all([
    mayBeRefused(services, decided),
    Promise.all(
      decided.map(async (plan) => ({
        held: plan.held,
        plan: await caught(() => keepAndLookUp(services, plan)),
      })),
    ),
  ]);
  const limits = { ...askingLimits(time), isRefusing };
  const open = plans.flatMap(({ plan }) =>
    plan.kind === 'planned' && plan.searchDomain !== undefined ? [plan] : [],
  );
  const search = await caught(async () => ({
    kind: 'done' as const,
    found: open.length === 0 ? NONE_FOUND : await searchCompanies(services, open, limits),
  }));
  return Promise.all(
    plans.map(async ({ held, plan }) => {
      if (plan.kind !== 'planned') return { held, answered: plan };
      if (search.kind === 'error' && plan.searchDomain !== undefined) return { held, answered: search };
      const { planned = plan, result: searched } =
        (search.kind === 'done' ? search.found.get(held.id) : undefined) ?? {};
      return { held, answered: await caught(() => answerPlanned(services, planned, { searched, limits })) };
    }),
  );
}

/** Whether HubSpot refuses paid values of these records' type, read once for all of them; true if unknown. */
async function mayBeRefused(
  { writeBreakers }: EnrichmentServices,
  decided: readonly (QuestionPlan | EndedAnswer)[],
): Promise<boolean> {
  const planned = decided.find(({ kind }) => kind === 'planned');
  if (!planned) return false;
  const open = await caught(async () => ({ kind: await writeBreakers.open(planned.held.objectType) }));
  return open.kind !== undefined;
}

/** A plan whose record can be found by its person. */
interface ReadyPlan extends QuestionPlan {
  /** What is known of the first question, once that was looked up. */
  readonly first?: FirstLookup | undefined;
}

interface FirstLookup {
  readonly known: Awaited<ReturnType<typeof knownAnswer>>;
}

/** Keeps the record's person before anything is asked, and looks beside it whether the first question is answered. */
async function keepAndLookUp(
  services: EnrichmentServices,
  plan: QuestionPlan | EndedAnswer,
): Promise<ReadyPlan | EndedAnswer> {
  const { held } = plan;
  // It was merged into another record, whose person is not its own.
  if (held.record.id !== held.id) return plan;
  const [kept, first] = await Promise.all([
    keepPerson(services, held),
    caught(async () => ({ kind: 'done' as const, lookup: await lookUpFirst(services, plan) })),
  ]);
  if (kept === 'forgotten') return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
  if (first.kind === 'error') throw first.error;
  if (plan.kind !== 'planned') return { ...plan, held: kept };
  const { lookup } = first;
  // Records of one person find each other once each is kept.
  const bought = buysAddress(plan) ? await withoutTakenAddress(services, plan) : plan;
  if (bought.kind !== 'planned') return { ...bought, held: kept };
  const isSame = bought.questions[0]?.options.length === plan.questions[0]?.options.length;
  return { ...bought, held: kept, first: isSame ? lookup : await lookUpFirst(services, bought) };
}

function buysAddress({ questions }: QuestionPlan): boolean {
  return questions.some(({ options }) => options.includes('email'));
}

/** What is known of the first question; nothing where it is paid for, or a search comes first. */
async function lookUpFirst(
  services: EnrichmentServices,
  plan: QuestionPlan | EndedAnswer,
): Promise<FirstLookup | undefined> {
  if (plan.kind !== 'planned' || plan.searchDomain !== undefined) return undefined;
  const [question] = plan.questions;
  if (!question || plan.isPaidFor(question)) return undefined;
  return { known: await knownAnswer(services, question) };
}

/** Takes what a search told, if that is enough, and asks otherwise. @param searched of the search for its company. */
async function answerPlanned(
  services: EnrichmentServices,
  planned: ReadyPlan,
  { searched, limits }: { readonly searched: CompanyResult | undefined; readonly limits: AskingLimits },
): Promise<RecordAnswer> {
  const { held } = planned;
  if (searched?.kind === 'withdrawn') return unwanted(services, held);
  if (searched?.kind === 'waiting') {
    const { reason, detail, untilMs } = searched;
    // Admitted again among others, and not alone.
    return deferred(held, { reason: reason === 'rate-limit' ? 'queued' : reason, detail, untilMs });
  }
  if (searched?.kind !== 'found') return askInOrder(services, { ...planned, limits });
  const paid = charged(held, searched.credits);
  const domain = planned.searchDomain ?? '';
  const { questionKey, askedAtMs } = searched;
  if (searched.credits > 0 && !isOfAnother(held, searched))
    await linkCompany(services, { ...searched, questionKey: companyKey(domain, services.digest) });
  const verdict = verdictOn(held.state.verdicts, searched);
  if (verdict?.rejected || isOutdated(services, held, searched.record))
    return askInOrder(services, { ...planned, held: paid, limits });
  const { credits } = paid.run;
  await noteAnswer(services, held, { questionKey, credits });
  const { kind, record: answer, expiresAtMs } = searched;
  const asked = { questionKey, askedDomain: undefined, askedAtMs, expiresAtMs, credits };
  return { kind, held: paid, answer, operation: 'companiesByDomain', ...asked };
}

interface Asking extends ReadyPlan {
  readonly limits: AskingLimits;
}

/** Asks the next question only after "no match", and only where the policy pays for more than one. */
async function askInOrder(
  services: EnrichmentServices,
  { questions, isPaidFor, first, limits, ...begun }: Asking,
): Promise<RecordAnswer> {
  let { held } = begun;
  let staleAtMs = 0;
  let rejected: AnswerVerdict['rejected'];
  const { notAfterMs, slotPatienceMs, isRefusing } = limits;
  for (const question of questions) {
    if (services.clock.now() > notAfterMs)
      return deferred(held, { reason: 'time-short', untilMs: services.clock.now() });
    const isPaid = isPaidFor(question);
    const isLookedUp = first !== undefined && question === questions[0];
    const lookUp = isLookedUp ? first : { known: isPaid ? undefined : await knownAnswer(services, question) };
    const { known } = lookUp;
    // A question above the price limit may still have a stored answer.
    const isFree = isPaid || known || priceOfQuestion(question) > leftCredits(held);
    const { untilMs, what } = isFree || !isRefusing ? {} : await passWrites(services, held);
    if (untilMs !== undefined) return deferred(held, { reason: 'HUBSPOT_REFUSES', detail: what, untilMs });
    const { purpose, overrulesReserve, askedBy } = held.run;
    let { commitments } = held.run;
    const priceLimit = priceLimitOf(services, held, (stored) => {
      commitments = stored;
    });
    const isWanted = allOf(isWantedFor(services, held), isAdmittedStill(services, [held]));
    const bounds = { notAfterMs, slotPatienceMs, priceLimit, isWanted };
    const asker = { record: recordKey(held), rule: held.admission.countedAs, askedBy };
    const request = { question, purpose, overrulesReserve, ...asker, ...bounds };
    const result = known ?? (await services.gateway.ask(request));
    if (result.kind === 'found') {
      const { kind, record: answer, questionKey, askedAtMs, expiresAtMs } = result;
      // An answer about another person is not offered again: it would say the same.
      rejected = verdictOn(held.state.verdicts, result)?.rejected;
      if (rejected) {
        staleAtMs = Math.max(staleAtMs, expiresAtMs);
        continue;
      }
      const { operation, parameters } = question;
      const askedDomain = parameters['company_domain'];
      const paid = charged(held, result.credits);
      const { credits } = paid.run;
      if (operation === 'companyProfile' && result.credits > 0) await linkCompany(services, result);
      const also = withNotedAnswer(held, { questionKey, credits });
      if ((await keepAnswered(services, held, { question, record: answer, also })) === 'forgotten')
        return ended(paid, { outcome: 'skipped', reason: FORGOTTEN_REASON }, false);
      const asked = { questionKey, askedDomain, askedAtMs, expiresAtMs, credits };
      return { kind, held: paid, answer, operation, ...asked };
    }
    if (result.kind !== 'no-match')
      return unanswered(services, result.kind === 'doubt' ? withSpent(held, { commitments }) : held, result);
    held = charged(held, result.credits);
    staleAtMs = Math.max(staleAtMs, result.expiresAtMs);
  }
  if (rejected) {
    const { reason } = rejected;
    return ended(held, { outcome: 'unmatched', status: 'review', reason, learned: { staleAtMs } }, true);
  }
  const reason = `The data service knows no match (${questions.map(({ operation }) => BY[operation]).join(', ')}).`;
  return ended(held, { outcome: 'unmatched', reason, learned: { staleAtMs } }, true);
}

/** Whether HubSpot would take what is bought, as far as its last refusals tell. */
function passWrites(services: EnrichmentServices, { objectType, record }: ClaimedRecord) {
  return services.writeBreakers.pass(objectType, async (names) => {
    const [values = {}] = await withUnread(services, objectType, { records: [record], names });
    return values;
  });
}

/** Its backfill was halted before the request was sent, or the rules may no longer admit it: then it is read once more. */
async function unwanted(services: EnrichmentServices, held: ClaimedRecord): Promise<RecordAnswer> {
  const isRunning = await isWantedFor(services, held)?.();
  if (isRunning === false || held.admission.rule === undefined)
    return ended(held, withdrawn(committedCredits(held.run)), false);
  // A run that has an answer is planned whatever the rules say. Another question for it ends here.
  const barred = endBarred(services, held, { isKept: wasEnriched(held.state) });
  return barred ?? deferred(held, { reason: 'queued', untilMs: services.clock.now() });
}

async function unanswered(
  services: EnrichmentServices,
  held: ClaimedRecord,
  result: Exclude<AskResult, { kind: 'found' | 'no-match' }>,
): Promise<RecordAnswer> {
  switch (result.kind) {
    case 'waiting': {
      const { reason, detail, untilMs } = result;
      return deferred(held, { reason, detail, untilMs });
    }
    case 'doubt': {
      const learned = { doubtfulQuestion: result.questionKey };
      return ended(held, { outcome: 'failed', reason: result.detail, learned }, true);
    }
    case 'forgotten':
      return ended(charged(held, result.credits), { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
    case 'withdrawn':
      return unwanted(services, held);
    case 'too-dear':
      return ended(held, tooDear(held), false);
    case 'rejected':
      return ended(held, { outcome: 'failed', reason: result.detail }, true);
    default:
      return unreachable(result);
  }
}
