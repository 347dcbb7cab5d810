import type { EnrichmentStatus } from '#shared/field-policy/enrichment-properties.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { FORGOTTEN_REASON } from '#shared/privacy/forget-record.ts';
import { keepAnswered, keepPerson } from '#shared/privacy/keep-person.ts';
import type { AskResult } from '#shared/questions/ask-result.ts';
import type { CompanyResult } from '#shared/questions/companies/ask-companies.ts';
import { priceOfQuestion } from '#shared/questions/price.ts';
import { companyKey, type Question, type QuestionOperation } from '#shared/questions/question.ts';
import type { RecordState, Rejected } from '#shared/records/schemas.ts';
import { HUBSPOT_REFUSES } from '../failures.ts';
import { isAskedFor, isFresh, ownershipOf, paidFor } from '../memory.ts';
import { companyIdOf } from '../read-records.ts';
import type { EnrichmentServices, HeldRecord, RunOutcome, TimeLimit } from '../services.ts';
import { noteAnswer } from '../settle-record.ts';
import { isStored, knownAnswer, linkCompany } from './known-answer.ts';
import { planQuestions, type SkipReason } from './plan.ts';
import { isOutdated } from './search-companies.ts';

/** What is known about a record after asking, before anything is written. */
export type Answered =
  | {
      readonly kind: 'found';
      readonly held: HeldRecord;
      readonly answer: Readonly<Record<string, unknown>>;
      readonly operation: QuestionOperation;
      readonly questionKey: string;
      /** The company domain that the question named: the answer has to be about somebody there. */
      readonly askedDomain: string | undefined;
      readonly askedAtMs: number;
      readonly expiresAtMs: number;
      readonly credits: number;
    }
  | {
      readonly kind: 'ended';
      readonly held: HeldRecord;
      readonly runOutcome: RunOutcome;
      readonly tellCrm: boolean;
      /** What HubSpot is told, where that is another word than the outcome's. */
      readonly status?: EnrichmentStatus | undefined;
    };

export function creditsOf(answered: Answered): number {
  return answered.kind === 'found' ? answered.credits : answered.runOutcome.credits;
}

/** Time kept for the write-back after the last answer: two HubSpot batches and the settling. */
const WRITE_BACK_MS = 15 * SECOND_MS;

/**
 * Who has no share of the vendor's rate by then waits for it in the records, and not in the worker: the messages behind
 * are read at once.
 */
const SLOT_PATIENCE_MS = 40 * SECOND_MS;

/** Until when an answer is of use, and how long to wait for a slot. */
export function askingLimits({ deadlineMs }: TimeLimit) {
  return { notAfterMs: deadlineMs - WRITE_BACK_MS, slotPatienceMs: SLOT_PATIENCE_MS };
}

/** What may be asked about a record. */
export interface Planned {
  readonly kind: 'planned';
  readonly held: HeldRecord;
  readonly questions: readonly Question[];
  readonly searchDomain?: string | undefined;
  readonly isPaidFor: (question: Question) => boolean;
}

/** Chooses the questions, unless the record already is what asking would make it. */
export async function planRecord(
  services: EnrichmentServices,
  held: HeldRecord,
): Promise<Planned | Extract<Answered, { kind: 'ended' }>> {
  if (held.record.id !== held.id) {
    return ended(held, { outcome: 'skipped', reason: 'Merged into another record.' }, false);
  }
  if ((await keepPerson(services, held)) === 'forgotten') {
    return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
  }
  const rest = leftAlone(services, held);
  if (rest) return ended(held, rest, false);
  const isPaidFor = paidFor(services, held);
  const { record, state } = held;
  const { policy } = services;
  const wasAnswered = state.answeredAtMs !== undefined;
  const plan = planQuestions({ record, policy, isPaidFor, wasAnswered, ...ownershipOf(services, held) });
  if (plan.kind === 'skip') {
    // It stays what it is in HubSpot's eyes: enriched, and full.
    const isFull = /^nothing-to-/.test(plan.reason) && wasEnriched(state);
    return ended(
      held,
      { outcome: isFull ? 'unchanged' : 'skipped', reason: SKIP_REASONS[plan.reason] },
      !isFull,
    );
  }
  const { questions, searchDomain } = plan;
  return { kind: 'planned', held, questions, searchDomain, isPaidFor };
}

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  'no-identifier':
    'Nothing to look it up by: no profile URL, business email, name with company domain, or phone.',
  'free-mail-only': 'Only a free-mail address, which tells no company; nothing else to look it up by.',
  'opted-out': 'Opted out of enrichment in HubSpot.',
  'role-mailbox':
    'Only the address of an office or a machine, which is no person; nothing else to look it up by.',
  'nothing-to-gain': 'Nothing that the policy buys can fill what is missing.',
  'nothing-to-fill': 'Every property that the policy may fill is filled.',
};

/** Takes what a search told, if that is enough, and asks otherwise. @param searched of the search for its company. */
export async function answerPlanned(
  services: EnrichmentServices,
  planned: Planned,
  { searched, time }: { readonly searched: CompanyResult | undefined; readonly time: TimeLimit },
): Promise<Answered> {
  const { held } = planned;
  const { credits } = held.run;
  if (searched?.kind === 'waiting') {
    const { reason, detail, untilMs } = searched;
    // Let in once more among others, and not alone.
    return deferred(held, { reason: reason === 'rate-limit' ? 'queued' : reason, detail, untilMs, credits });
  }
  if (searched?.kind !== 'found') return askInOrder(services, { ...planned, credits, time });
  const paid = credits + searched.credits;
  const domain = planned.searchDomain ?? '';
  const { questionKey, askedAtMs } = searched;
  if (searched.credits > 0)
    await linkCompany(services, { ...searched, questionKey: companyKey(domain, services.digest) });
  const isRejected = held.state.rejected?.some(
    (each) => each.questionKey === questionKey && each.askedAtMs === askedAtMs,
  );
  if (isRejected || isOutdated(services, held, searched.record))
    return askInOrder(services, { ...planned, credits: paid, time });
  await noteAnswer(services, held, { questionKey, credits: paid });
  const { kind, record: answer, expiresAtMs } = searched;
  const asked = { questionKey, askedDomain: undefined, askedAtMs, expiresAtMs, credits: paid };
  return { kind, held, answer, operation: 'companiesByDomain', ...asked };
}

interface Asking extends Planned {
  /** What the run has cost so far. */
  readonly credits: number;
  readonly time: TimeLimit;
}

/** Asks the next question only after "no match", and only where the policy pays for more than one. */
async function askInOrder(
  services: EnrichmentServices,
  { held, questions, isPaidFor, time, ...begun }: Asking,
): Promise<Answered> {
  let { credits } = begun;
  let staleAtMs = 0;
  let rejected: Rejected | undefined;
  const { notAfterMs, slotPatienceMs } = askingLimits(time);
  for (const question of questions) {
    if (services.clock.now() > notAfterMs)
      return deferred(held, { reason: 'time-short', untilMs: services.clock.now(), credits });
    const isPaid = isPaidFor(question);
    const known = isPaid ? undefined : await knownAnswer(services, question);
    if (!isPaid && !known && (await isDearerThanQuoted(services, { held, question, credits })))
      return ended(held, { outcome: 'skipped', reason: DEARER, credits }, false);
    const { untilMs } = isPaid || known ? {} : await services.writeBreakers.pass(held.objectType);
    if (untilMs !== undefined) return deferred(held, { reason: HUBSPOT_REFUSES, untilMs, credits });
    const { purpose } = held.run;
    const request = { question, purpose, notAfterMs, slotPatienceMs };
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
      credits += result.credits;
      if (operation === 'companyProfile' && result.credits > 0) await linkCompany(services, result);
      await noteAnswer(services, held, { questionKey, credits });
      if ((await keepAnswered(services, held, { question, record: answer })) === 'forgotten')
        return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON, credits }, false);
      return { kind, held, answer, operation, questionKey, askedDomain, askedAtMs, expiresAtMs, credits };
    }
    if (result.kind !== 'no-match') return unanswered(held, result, credits);
    credits += result.credits;
    staleAtMs = Math.max(staleAtMs, result.expiresAtMs);
  }
  if (rejected) {
    const runOutcome = {
      outcome: 'unmatched',
      reason: rejected.reason,
      credits,
      learned: { staleAtMs },
    } as const;
    return { ...ended(held, runOutcome, true), status: 'review' };
  }
  const reason = `The data service knows no match (${questions.map(({ operation }) => BY[operation]).join(', ')}).`;
  return ended(held, { outcome: 'unmatched', reason, credits, learned: { staleAtMs } }, true);
}

const DEARER = 'It changed since the quote: to ask about it would cost more.';

/** A backfill never costs more than its quote, whatever became of a record meanwhile. */
async function isDearerThanQuoted(
  services: EnrichmentServices,
  { held, question, credits }: { held: HeldRecord; question: Question; credits: number },
): Promise<boolean> {
  const { run, state } = held;
  if (run.purpose !== 'backfill' || !state.backfill || state.backfill.runId !== run.id) return false;
  if (credits + priceOfQuestion(question) <= state.backfill.maxCredits) return false;
  return !(await isStored(services, question));
}

type Wait = Omit<Extract<RunOutcome, { kind: 'deferred' }>, 'kind' | 'learned'>;

function deferred(held: HeldRecord, wait: Wait): Answered {
  return { kind: 'ended', held, tellCrm: false, runOutcome: { kind: 'deferred', ...wait, learned: {} } };
}

/** How an operation looks a record up, in words. */
export const BY: Readonly<Record<QuestionOperation, string>> = {
  personProfile: 'by profile URL',
  reverseEmail: 'by email',
  lookUpPerson: 'by name and company',
  reversePhone: 'by phone',
  companyProfile: 'by company domain or page',
  searchPeople: 'by search',
  searchCompanies: 'by search',
  searchEmployees: 'by search',
  companiesByDomain: 'by company domain, among others in one search',
};

function unanswered(
  held: HeldRecord,
  result: Exclude<AskResult, { kind: 'found' | 'no-match' }>,
  credits: number,
): Answered {
  switch (result.kind) {
    case 'waiting': {
      const { reason, detail, untilMs } = result;
      return deferred(held, { reason, detail, untilMs, credits });
    }
    case 'doubt': {
      const learned = { doubtfulQuestion: result.questionKey };
      return ended(held, { outcome: 'failed', reason: result.detail, credits, learned }, true);
    }
    case 'forgotten':
      return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON, credits }, true);
    case 'rejected':
      return ended(held, { outcome: 'failed', reason: result.detail, credits }, true);
    default:
      return unreachable(result);
  }
}

/** Why nothing is asked about a record, whatever could be; `undefined` where it may be asked about. */
function leftAlone(services: EnrichmentServices, held: HeldRecord): Ending | undefined {
  const { run, record, state } = held;
  // A run that has an answer was allowed to ask: what was paid for is written, whoever asked for it by now.
  if (run.answeredQuestion !== undefined) return undefined;
  const isOwnAccord = run.purpose !== 'backfill' && !isAskedFor(held);
  if (isOwnAccord && record.createdAtMs < services.installedAtMs)
    return {
      outcome: 'skipped',
      reason: 'Existed before the installation; only a backfill reaches it.',
      learned: { isOld: true },
    };
  if (!isAskedFor(held) && wasEnriched(state) && isFresh(services, held))
    return { outcome: 'unchanged', reason: 'Enriched already, and nothing about it has changed.' };
  return undefined;
}

type Ending = Pick<Extract<RunOutcome, { kind: 'outcome' }>, 'outcome' | 'reason'> & Partial<RunOutcome>;

/** A record that was deleted and is back is what it was. */
function wasEnriched({ outcome, beforeDeletion }: RecordState): boolean {
  const kind = beforeDeletion ?? outcome?.kind;
  return kind === 'enriched' || kind === 'unchanged';
}

function ended(held: HeldRecord, runOutcome: Ending, tellCrm: boolean): Extract<Answered, { kind: 'ended' }> {
  const { outcome, reason, credits = held.run.credits } = runOutcome;
  const learned = { ...runOutcome.learned, ...(companyIdOf(held.record) && { hadCompany: true }) };
  return { kind: 'ended', held, tellCrm, runOutcome: { kind: 'outcome', outcome, reason, credits, learned } };
}
