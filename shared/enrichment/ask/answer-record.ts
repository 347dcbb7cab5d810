import { recordKey } from '#shared/crm';
import { SECOND_MS, unreachable } from '#shared/kernel';
import { FORGOTTEN_REASON, keepAnswered } from '#shared/privacy';
import { type AskResult, type CompanyResult, companyKey, priceOfQuestion } from '#shared/questions';
import type { Rejected } from '#shared/records';
import { isWantedFor, withdrawn } from '../backfill/halted.ts';
import { attempt, type Failed } from '../failures.ts';

import type { EnrichmentServices, HeldRecord, TimeLimit } from '../services.ts';
import { noteAnswer } from '../settle-record.ts';
import { allOf, isAdmittedStill } from './admit-record.ts';
import { type Answered, BY, deferred, ended } from './answered.ts';
import { knownAnswer, linkCompany } from './known-answer.ts';
import { planRecord, type QuestionPlan } from './plan-record.ts';
import { charged, leftCredits, priceLimitOf, tooDear, withSpent } from './price-limit.ts';
import { isOfAnother, isOutdated, searchCompanies } from './search-companies.ts';

/** Time kept for the write-back after the last answer: two HubSpot batches and the settling. */
const WRITE_BACK_MS = 15 * SECOND_MS;

/**
 * Time after which a record without a rate-limit slot waits in the records table instead of the worker, so that the worker
 * can read the next messages.
 */
const SLOT_PATIENCE_MS = 40 * SECOND_MS;

/** Until when an answer is of use, and how long to wait for a slot. */
function askingLimits({ deadlineMs }: TimeLimit) {
  return { notAfterMs: deadlineMs - WRITE_BACK_MS, slotPatienceMs: SLOT_PATIENCE_MS };
}

const NONE_FOUND: Awaited<ReturnType<typeof searchCompanies>> = new Map();

interface Worked {
  readonly held: HeldRecord;
  readonly answered: Answered | Failed;
}

/** Companies for whom a search is enough are asked about together; the others each by itself. */
export async function answerAll(
  services: EnrichmentServices,
  records: readonly HeldRecord[],
  time: TimeLimit,
): Promise<Worked[]> {
  const plans = await Promise.all(
    records.map(async (held) => ({ held, plan: await attempt(() => planRecord(services, held)) })),
  );
  const open = plans.flatMap(({ plan }) =>
    plan.kind === 'planned' && plan.searchDomain !== undefined ? [plan] : [],
  );
  const search = await attempt(async () => ({
    kind: 'done' as const,
    found: open.length === 0 ? NONE_FOUND : await searchCompanies(services, open, askingLimits(time)),
  }));
  return Promise.all(
    plans.map(async ({ held, plan }) => {
      if (plan.kind !== 'planned') return { held, answered: plan };
      if (search.kind === 'error' && plan.searchDomain !== undefined) return { held, answered: search };
      const { planned = plan, result: searched } =
        (search.kind === 'done' ? search.found.get(held.id) : undefined) ?? {};
      return { held, answered: await attempt(() => answerPlanned(services, planned, { searched, time })) };
    }),
  );
}

/** Takes what a search told, if that is enough, and asks otherwise. @param searched of the search for its company. */
async function answerPlanned(
  services: EnrichmentServices,
  planned: QuestionPlan,
  { searched, time }: { readonly searched: CompanyResult | undefined; readonly time: TimeLimit },
): Promise<Answered> {
  const { held } = planned;
  if (searched?.kind === 'withdrawn') return unwanted(services, held);
  if (searched?.kind === 'waiting') {
    const { reason, detail, untilMs } = searched;
    // Let in once more among others, and not alone.
    return deferred(held, { reason: reason === 'rate-limit' ? 'queued' : reason, detail, untilMs });
  }
  if (searched?.kind !== 'found') return askInOrder(services, { ...planned, held, time });
  const paid = charged(held, searched.credits);
  const domain = planned.searchDomain ?? '';
  const { questionKey, askedAtMs } = searched;
  if (searched.credits > 0 && !isOfAnother(held, searched))
    await linkCompany(services, { ...searched, questionKey: companyKey(domain, services.digest) });
  const isRejected = held.state.rejected?.some(
    (each) => each.questionKey === questionKey && each.askedAtMs === askedAtMs,
  );
  if (isRejected || isOutdated(services, held, searched.record))
    return askInOrder(services, { ...planned, held: paid, time });
  const { credits } = paid.run;
  await noteAnswer(services, held, { questionKey, credits });
  const { kind, record: answer, expiresAtMs } = searched;
  const asked = { questionKey, askedDomain: undefined, askedAtMs, expiresAtMs, credits };
  return { kind, held: paid, answer, operation: 'companiesByDomain', ...asked };
}

interface Asking extends QuestionPlan {
  readonly time: TimeLimit;
}

/** Asks the next question only after "no match", and only where the policy pays for more than one. */
async function askInOrder(
  services: EnrichmentServices,
  { questions, isPaidFor, time, ...begun }: Asking,
): Promise<Answered> {
  let { held } = begun;
  let staleAtMs = 0;
  let rejected: Rejected | undefined;
  const { notAfterMs, slotPatienceMs } = askingLimits(time);
  for (const question of questions) {
    if (services.clock.now() > notAfterMs)
      return deferred(held, { reason: 'time-short', untilMs: services.clock.now() });
    const isPaid = isPaidFor(question);
    const known = isPaid ? undefined : await knownAnswer(services, question);
    // A question above the price limit may still have a stored answer.
    const isFree = isPaid || known || priceOfQuestion(question) > leftCredits(held);
    const { untilMs } = isFree ? {} : await services.writeBreakers.pass(held.objectType);
    if (untilMs !== undefined) return deferred(held, { reason: 'HUBSPOT_REFUSES', untilMs });
    const { purpose, overrulesReserve } = held.run;
    let { commitments } = held.run;
    const priceLimit = priceLimitOf(services, held, (stored) => {
      commitments = stored;
    });
    const isWanted = allOf(isWantedFor(services, held), isAdmittedStill(services, [held]));
    const limits = { notAfterMs, slotPatienceMs, priceLimit, isWanted };
    const request = {
      question,
      purpose,
      overrulesReserve,
      record: recordKey(held),
      rule: held.admission.rule,
      ...limits,
    };
    const result = known ?? (await services.gateway.ask(request));
    if (result.kind === 'found') {
      const { kind, record: answer, questionKey, askedAtMs, expiresAtMs } = result;
      // An answer about somebody else is not offered again: it would say the same.
      rejected = held.state.rejected?.find(
        (each) => each.questionKey === questionKey && each.askedAtMs === askedAtMs,
      );
      if (rejected) {
        staleAtMs = Math.max(staleAtMs, expiresAtMs);
        continue;
      }
      const { operation, parameters } = question;
      const askedDomain = parameters['company_domain'];
      const paid = charged(held, result.credits);
      const { credits } = paid.run;
      if (operation === 'companyProfile' && result.credits > 0) await linkCompany(services, result);
      await noteAnswer(services, held, { questionKey, credits });
      if ((await keepAnswered(services, held, { question, record: answer })) === 'forgotten')
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
    const runOutcome = { outcome: 'unmatched', reason: rejected.reason, learned: { staleAtMs } } as const;
    return { ...ended(held, runOutcome, true), status: 'review' };
  }
  const reason = `The data service knows no match (${questions.map(({ operation }) => BY[operation]).join(', ')}).`;
  return ended(held, { outcome: 'unmatched', reason, learned: { staleAtMs } }, true);
}

/** Its backfill was halted before the request was sent, or the rules may no longer admit it: then it is read once more. */
async function unwanted(services: EnrichmentServices, held: HeldRecord): Promise<Answered> {
  const isRunning = await isWantedFor(services, held)?.();
  if (isRunning === false || held.admission.rule === undefined)
    return ended(held, withdrawn(held.run.credits), false);
  return deferred(held, { reason: 'queued', untilMs: services.clock.now() });
}

async function unanswered(
  services: EnrichmentServices,
  held: HeldRecord,
  result: Exclude<AskResult, { kind: 'found' | 'no-match' }>,
): Promise<Answered> {
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
