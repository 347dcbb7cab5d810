import { laneOf, nameForBuyer } from '#shared/crm';
import { MINUTE_MS, SECOND_MS, wrongClock } from '#shared/kernel';
import { storedRecord } from './finish-answer.ts';
import type {
  AskRequest,
  AskResult,
  Commitment,
  GatewayServices,
  KeyedRequest,
  LookedAt,
} from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import {
  chargeOf,
  doubtResult,
  finishAttempt,
  markAndSend,
  obstacleNow,
  recordOutcome,
  refusedByBreaker,
  type Sent,
  type TakenSlot,
  timeShort,
  timeToAnswerMs,
  waitForSlot,
} from './purchase.ts';
import { priceOfQuestion, type Question, questionKey } from './question.ts';
import type { Attempt, QuestionItem, StoredAnswer } from './schemas.ts';
import { answerFor } from './stored-answers.ts';
import { questionKind } from './stored-kinds.ts';
import { obstacle } from './transitions.ts';

export interface AskGateway {
  /** Reads in one request what a purchase begins with, for an `ask` that follows at once. Free. */
  look(question: Question): Promise<LookedAt>;
  /** Returns the fresh stored answer to a question; `undefined` if there is none. Free. */
  stored(question: Question): Promise<Extract<AskResult, { kind: 'found' | 'no-match' }> | undefined>;
  /**
   * Answers a question. At most one request is sent, however many callers repeat the question. The budgets and the
   * vendor's rate are kept. This is the only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
  /**
   * Reads the charge of an attempt that a run committed to, in credits; `undefined` while the charge is unknown. Free.
   */
  chargeOf(attempt: Commitment): Promise<number | undefined>;
  /**
   * Returns what would keep a new lookup from being sent now: an earlier request in doubt, a stop, or a budget.
   * `undefined` if nothing is known. Reads only, and takes no probe.
   */
  obstacle(asked: Pick<AskRequest, 'question' | 'purpose' | 'askedBy'>): Promise<Obstacle | undefined>;
}

type Obstacle = Extract<AskResult, { readonly kind: 'doubt' | 'waiting' }>;

export function createAskGateway(services: GatewayServices): AskGateway {
  const oneByOne = createOneByOne(services.clock);
  return {
    look: (question) => lookAt(services, questionKey(question, services.digest)),
    chargeOf: (attempt) => chargeOf(services, attempt),
    obstacle: (asked) => obstacleNow(services, asked),
    stored: async (question) => {
      const key = questionKey(question, services.digest);
      const request: KeyedRequest = { question, purpose: 'manual', notAfterMs: services.clock.now(), key };
      const step = await lookUp(services, request, (await lookAt(services, key)).stored?.value);
      const result = step.kind === 'end' ? step.result : undefined;
      return result?.kind === 'found' || result?.kind === 'no-match' ? result : undefined;
    },
    ask: (request) => {
      const { notAfterMs, signal } = request;
      const record = request.record && nameForBuyer(services.owners.portal, request.record);
      const keyed = { ...request, record, key: questionKey(request.question, services.digest) };
      // Live work has its own key, because bulk work may wait longer for a slot.
      const key = `${laneOf(request.purpose)}#${keyed.key}`;
      return oneByOne({ key, notAfterMs, signal, run: () => askUntilAnswered(services, keyed) });
    },
  };
}

/**
 * Reads the item and takes the step that its state allows, until a step has a result:
 * 1. `lookUp` finds a stored answer, or another worker's request;
 * 2. `markAndSend` takes a slot, reserves the credits and marks the item, all or nothing, and sends the request;
 * 3. `recordOutcome` stores charge and answer, and books them.
 */
async function askUntilAnswered(services: GatewayServices, request: KeyedRequest): Promise<AskResult> {
  for (let { looked } = request; ; looked = undefined) {
    const seen = looked ?? (await lookAt(services, request.key));
    const step = await lookUp(services, request, seen.stored?.value);
    if (step.kind === 'end') return step.result;
    if (step.kind === 'wait') {
      if (!(await hasTime(services, request, step.ms))) return timeShort(services);
      continue;
    }
    const result = await askNow(services, request, seen);
    if (result.kind !== 'again') return result;
  }
}

/**
 * Reads in one request what a purchase decides on. The budgets, the suppression list and the rate are only remembered:
 * the work that marks the request decides on them.
 */
async function lookAt(
  { items, breakers, ledger, suppressionList, rateLimiter }: GatewayServices,
  key: string,
): Promise<LookedAt> {
  const [stored, breakersNow] = await Promise.all([
    items.read(questionKind.key(key)),
    breakers.look(),
    ledger.newest(),
    suppressionList.among([key]),
    rateLimiter.look(),
  ]);
  return { stored, breakers: breakersNow };
}

/** Waits. @returns false if the caller's signal aborted the wait. */
async function hasTime({ clock }: GatewayServices, { signal }: KeyedRequest, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}

type LookUpStep =
  | { readonly kind: 'end'; readonly result: AskResult }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'ask' };

/** First pause before the item is read again, while another worker looks the question up. Later pauses are longer. */
const FIRST_LOOK_MS = 500;

/**
 * Decides by the question's item. If the item has a fresh answer with all wanted options, this answer is the
 * result, at no cost.
 */
async function lookUp(
  services: GatewayServices,
  request: KeyedRequest,
  item: QuestionItem | undefined,
): Promise<LookUpStep> {
  const nowMs = services.clock.now();
  const answer = answerFor(item, { options: request.question.options, nowMs });
  if (answer) return { kind: 'end', result: await storedResult(services, request, answer) };
  const attempt = item?.attempt;
  const openState = obstacle(attempt);
  if (!attempt || !openState) return { kind: 'ask' };
  if (openState === 'in-doubt') return { kind: 'end', result: doubtResult(request.key) };
  return nowMs >= attempt.deadlineAtMs
    ? { kind: 'end', result: overdue(nowMs, attempt.deadlineAtMs) }
    : waitForOther(request, attempt, nowMs);
}

/** Waits while another worker looks the question up, or ends when the caller's time is over. */
function waitForOther({ notAfterMs }: KeyedRequest, other: Attempt, nowMs: number): LookUpStep {
  const ms = Math.max(FIRST_LOOK_MS, (nowMs - other.sentAtMs) / 4);
  if (nowMs + ms <= notAfterMs) return { kind: 'wait', ms };
  const detail = 'Another worker is already looking this up.';
  const untilMs = Math.max(other.deadlineAtMs, nowMs + SECOND_MS);
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/**
 * Time until a sweep has marked an overdue request as in doubt: the longest lifetime of a function plus the sweep's
 * interval.
 */
const SWEPT_MS = 10 * MINUTE_MS;

/**
 * The request's deadline is over. Its worker has ended or is about to store the outcome, so a wait here would only
 * delay other work.
 */
function overdue(nowMs: number, deadlineAtMs = nowMs): AskResult {
  const detail = 'An earlier request for this got no answer in time. The sweep will check it.';
  const untilMs = Math.max(deadlineAtMs + SWEPT_MS, nowMs + MINUTE_MS);
  return { kind: 'waiting', reason: 'asked-by-another', untilMs, detail };
}

async function storedResult(
  services: GatewayServices,
  { key, question: { operation } }: KeyedRequest,
  answer: StoredAnswer,
): Promise<AskResult> {
  const { askedAtMs, expiresAtMs, kind, isCut } = answer;
  const forgotten = { kind: 'forgotten', questionKey: key, credits: 0 } as const;
  if (kind === 'forgotten') return forgotten;
  const answered = { questionKey: key, askedAtMs, expiresAtMs, credits: 0 };
  if (kind === 'no-match') return { kind, ...answered };
  const record = await storedRecord(services, { key, operation }, answer);
  return record ? { kind, record, isCut, ...answered } : forgotten;
}

type Stored = LookedAt['stored'];

/**
 * Steps 2 and 3. After a crash at any step, the stored items show which step was reached. A request that waits for a
 * slot holds no lock. Before the item is `in-flight`, no charge is possible. After that, no second request is sent.
 */
async function askNow(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, breakers }: LookedAt,
): Promise<AskResult | { kind: 'again' }> {
  const { leftCredits, question } = request;
  if (leftCredits !== undefined && priceOfQuestion(question) > leftCredits)
    return { kind: 'too-dear', questionKey: request.key };
  const clockWrong = clockWrongResult(services);
  if (clockWrong) return clockWrong;
  if (services.clock.now() > request.notAfterMs - timeToAnswerMs(services.policy)) return timeShort(services);
  // Books the charge of the previous attempt, which the next `send` overwrites.
  if (stored?.value.attempt) await finishAttempt(services, stored.value);
  const passage = await services.breakers.pass(priceOfQuestion(question), { seen: breakers });
  if (passage.kind === 'refused') return refusedByBreaker(passage);
  const turnMs = passage.kind === 'probe' ? passage.turnMs : undefined;
  const sent = await askPassed(services, request, { stored, turnMs });
  if (sent.kind === 'sent') return recordOutcome(services, sent);
  if (turnMs !== undefined) await services.breakers.giveBack(turnMs);
  return sent;
}

/** A machine with a wrong clock spends nothing, because it would use another day's budget and another minute's rate. */
function clockWrongResult({ clock, referenceClock }: GatewayServices): AskResult | undefined {
  const detail = wrongClock({ referenceClock });
  if (detail === undefined) return undefined;
  return {
    kind: 'waiting',
    reason: 'clock-wrong',
    untilMs: clock.now() + MINUTE_MS,
    detail,
    params: { aheadMs: referenceClock?.offsetMs() ?? 0 },
  };
}

interface InTurn {
  readonly stored: Stored;
  /** Identifies the probe, if the question is one. */
  readonly turnMs: number | undefined;
}

/** Takes a slot that is free, or waits for one. If no request is sent then, gives the slot back. */
async function askPassed(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, turnMs }: InTurn,
): Promise<Sent | AskResult | { kind: 'again' }> {
  const free = await markAndSend(services, request, { stored, turnMs, slot: undefined });
  if (free.kind !== 'no-slot') return free;
  const slot = await waitForSlot(services, request);
  if (slot.kind !== 'slot') return slot;
  const sent = await sendInSlot(services, request, { stored, turnMs, slot });
  if (sent.kind !== 'sent') await services.rateLimiter.release(slot.id);
  return sent;
}

async function sendInSlot(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, turnMs, slot }: InTurn & { readonly slot: TakenSlot },
): Promise<Sent | AskResult | { kind: 'again' }> {
  // A breaker may have opened during the wait.
  const passage = await services.breakers.pass(priceOfQuestion(request.question), { turnMs });
  if (passage.kind === 'refused') return refusedByBreaker(passage);
  const sent = await markAndSend(services, request, { stored, slot, turnMs });
  return sent.kind === 'no-slot' ? { kind: 'again' } : sent;
}
