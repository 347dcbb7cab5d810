import { type BudgetRefusal, type LedgerReader, refusalSentence } from '#shared/credit-ledger';
import { askerWords, laneOf, PURPOSES, type Purpose, type RecordName } from '#shared/crm';
import { agreedCredits, worstCaseOfRefresh } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { type Clock, instant, SECOND_MS } from '#shared/kernel';
import { type GatewayServices, personsStopSentence, resolveDoubt } from '#shared/questions';
import {
  changeRecord,
  eventThatEnds,
  overruleReserve,
  queuePlace,
  type RecordItems,
  type RecordState,
  recordKind,
} from '#shared/records';
import { change } from '#shared/store';
import { reopenRecord, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { decidedReply, refusedReply } from './reply-texts.ts';
import type { RequestServices } from './request-services.ts';
import { type InstallationRequest, MAX_ADMITTED, type Reply } from './schemas.ts';
import { requestKind } from './stored-kinds.ts';

type RequestOf<K extends InstallationRequest['kind']> = Extract<InstallationRequest, { readonly kind: K }>;

/** Stops or resumes spending by the breaker that people use. */
export async function decideSpending(
  { questions }: RequestServices,
  request: RequestOf<'stop-spending' | 'resume-spending'>,
): Promise<Reply> {
  if (request.kind === 'stop-spending') {
    await questions.breakers.stop({ reason: 'stopped on the home page in HubSpot', by: deciderOf(request) });
    return decidedReply('spending-stopped', {});
  }
  const { stopped } = await questions.breakers.resume(request.askedAtMs);
  if (!stopped) return refusedReply('spending-not-stopped', {});
  return stopped.sinceMs > request.askedAtMs
    ? refusedReply('spending-stopped-again', {})
    : decidedReply('spending-continues', {});
}

/** Marks a past stop as seen. The day keeps who did it, and when. */
export async function seeStop(
  { days }: Pick<RequestServices, 'days'>,
  { code: kind, day, toMs, askedBy: by = 'user' }: RequestOf<'see-stop'>,
): Promise<Reply> {
  const marked = await days.markSeen({ day, kind, toMs, by });
  return marked > 0 ? decidedReply('stop-seen', {}) : refusedReply('stop-seen-already', {});
}

/**
 * A queue delivers a message again only after its worker has ended. So no worker that asks lives longer than this time
 * after its deadline. Before this time, no person can decide a doubt.
 */
export const ASKER_GRACE_MS = VISIBILITY_TIMEOUT_S * SECOND_MS;

/** Books a request with an unknown outcome as charged or not charged. */
export async function decideDoubt(
  services: RequestServices,
  request: RequestOf<'resolve-doubt'>,
): Promise<Reply> {
  const { questions, policy } = services;
  const { questionKey, reservationId, charged } = request;
  const note = `decided on the home page by ${deciderOf(request)}`;
  const resolved = await resolveDoubt(
    questions,
    { questionKey, reservationId, charged, note },
    { graceMs: ASKER_GRACE_MS },
  );
  switch (resolved.kind) {
    case 'no-doubt':
      return refusedReply('doubt-resolved-already', {});
    case 'too-early':
      return refusedReply('answer-may-come', { notBefore: instant(resolved.notBeforeMs, policy.timeZone) });
    case 'resolved': {
      const { credits, returnedCredits, record } = resolved;
      if (returnedCredits !== undefined) return decidedReply('doubt-returned', { credits: returnedCredits });
      if (record !== undefined) await reopenRecord(services, record, request.askedBy ?? 'user');
      return charged ? decidedReply('doubt-charged', { credits }) : decidedReply('doubt-not-charged', {});
    }
  }
}

/**
 * Starts waiting records in spite of the reserve for leads. The agreed price limits their number. Refuses while a person
 * has stopped spending, because the records would start on another day, out of that day's reserve.
 */
export async function startWaiting(services: RequestServices, request: RequestOf<'admit'>): Promise<Reply> {
  const stopped = request.chosen ? undefined : await spendingStop(services);
  if (stopped !== undefined) return refusedReply('start-when-resumed', {}, stopped);
  const found = request.chosen ? undefined : await waitingFor(services, request);
  if (found?.refusal) {
    const { budget } = found.refusal;
    return refusedReply('budget', { budget }, refusalSentence(found.refusal));
  }
  const chosen = request.chosen ?? (await choose(services, request, found?.records ?? []));
  const started = await startRecords(services, chosen);
  // A worker that died before its reply has started them.
  const count = request.chosen ? chosen.length : started;
  return count === 0
    ? refusedReply('no-record-fits', {})
    : decidedReply('records-admitted', { records: count });
}

function waitingFor(services: RequestServices, { purpose, maxCredits }: RequestOf<'admit'>) {
  const { ledger } = services.questions;
  const wish = { purposes: [purpose], limit: MAX_ADMITTED, maxCredits };
  return findWaiting({ ...services, ledger }, wish);
}

async function choose(
  { requests, clock }: RequestServices,
  { id }: RequestOf<'admit'>,
  records: readonly RecordState[],
): Promise<NonNullable<RequestOf<'admit'>['chosen']>> {
  const found = records.map(({ objectType, id }) => ({ objectType, id }));
  const item = { key: requestKind.key({ request: id }), kind: 'request', clock };
  const { chosen } = await change(requests, item, (stored) => {
    const known = stored?.request;
    if (known?.kind !== 'admit') return { chosen: [] };
    if (known.chosen) return { chosen: known.chosen };
    return { chosen: found, value: { request: { ...known, chosen: found } } };
  });
  return chosen;
}

/** Returns the text that is stored with the decision, such as `HubSpot user 12345`. It never has a name. */
function deciderOf({ askedBy = 'user' }: InstallationRequest): string {
  return `HubSpot ${askerWords(askedBy).toLowerCase()}`;
}

/** Purposes that the reserve for leads holds back. */
export const HELD_BACK: readonly Purpose[] = PURPOSES.filter((purpose) => laneOf(purpose) === 'bulk');

interface StartServices {
  readonly records: RecordItems;
  readonly clock: Clock;
}

interface WaitingServices extends Pick<StartServices, 'records'> {
  readonly policy: Policy;
  readonly ledger: Pick<LedgerReader, 'now'>;
}

interface WaitingRecords {
  readonly records: readonly RecordState[];
  /** Highest price of all records together. */
  readonly maxCredits: number;
  /** Set if records wait, and a budget refuses all of them even with the reserve for leads. */
  readonly refusal?: BudgetRefusal | undefined;
}

/**
 * Finds queued records, newest first, as many as the budgets with the reserve for leads can pay for. With `maxCredits`,
 * finds only as many as these credits can pay for.
 */
export async function findWaiting(
  { records, policy, ledger }: WaitingServices,
  wish: { readonly purposes: readonly Purpose[]; readonly limit: number; readonly maxCredits?: number },
): Promise<WaitingRecords> {
  const { purposes, limit, maxCredits = Number.POSITIVE_INFINITY } = wish;
  const found: RecordState[] = [];
  const budgetsNow = await ledger.now();
  let refusal: BudgetRefusal | undefined;
  let credits = 0;
  for (const purpose of purposes) {
    if (found.length >= limit) break;
    const partition = recordKind.partition(queuePlace(purpose));
    for (const state of await records.list({ partition, limit: limit - found.length, newestFirst: true })) {
      const price = highestPrice(state, policy);
      if (credits + price > maxCredits) return { records: found, maxCredits: credits };
      const spender = { purpose, overrulesReserve: true };
      const refusing = budgetsNow.refusal(spender, credits + price);
      refusal ??= refusing;
      if (refusing) break;
      found.push(state);
      credits += price;
    }
  }
  return { records: found, maxCredits: credits, refusal: found.length === 0 ? refusal : undefined };
}

/**
 * Starts queued records in spite of the reserve for leads.
 * @returns the number of records that were still queued.
 */
export async function startRecords(services: StartServices, waiting: readonly RecordName[]): Promise<number> {
  let count = 0;
  for (const record of waiting) {
    const { state } = await changeRecord(services, record, (state) => ({
      state: overruleReserve(state, services.clock.now()),
    }));
    if (state) count += 1;
  }
  return count;
}

/** Returns the highest price of one record: the policy's price, or a lower one that a person agreed to. */
function highestPrice(state: RecordState, policy: Policy): number {
  const { objectType, run } = state;
  const agreed = run ? agreedCredits(run) : Number.POSITIVE_INFINITY;
  return Math.min(worstCaseOfRefresh({ objectType }, policy), agreed);
}

/** The services that tell whether a person has stopped spending. */
interface StopServices {
  readonly questions: { readonly breakers: Pick<GatewayServices['breakers'], 'read'> };
}

/** Says that a person has stopped spending, and what ends the stop. `undefined` while spending is not stopped. */
export async function spendingStop({ questions }: StopServices): Promise<string | undefined> {
  const { stopped } = await questions.breakers.read();
  return stopped && `${personsStopSentence(stopped)} ${buysNothingUntil('stopped-by-person')}`;
}

/** Says until when nothing is bought; `undefined` if the wait for this reason ends at its due time. */
export function buysNothingUntil(reason: string): string | undefined {
  const end = eventThatEnds(reason);
  return end && `Nothing is bought until ${end}.`;
}
