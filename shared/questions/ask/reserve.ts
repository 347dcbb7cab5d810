import {
  type Appended,
  type Decision,
  type LedgerCommand,
  type LedgerEntry,
  refusalSentence,
} from '#shared/credit-ledger';
import { MINUTE_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { personsStopSentence, STOP_SENTENCES } from '../stop-sentences.ts';
import { ITEM_OUTLIVES_MS } from '../stored-answers.ts';
import { nextToken, reservationIdOf } from '../transitions.ts';
import { askedOf } from './book.ts';
import { clockWrongResult } from './clock-wrong.ts';
import { overdue } from './look-up.ts';

export interface Reserved extends Pick<Attempt, 'fencingToken' | 'reservationId' | 'entry'> {
  readonly kind: 'reserved';
}

/** Step 3: reserves the worst-case credits, or returns the budget that refuses and when it may open. */
export async function reserveCredits(
  services: GatewayServices,
  request: KeyedRequest,
  item: QuestionItem | undefined,
): Promise<Reserved | AskResult> {
  const { clock, ledger, newNonce } = services;
  const fencingToken = nextToken(item, clock.now());
  const reservationId = reservationIdOf(request.key, fencingToken, newNonce());
  const appended = await ledger.apply(reservation(request, reservationId));
  if (appended.kind === 'clock-wrong') return clockWrongResult(services);
  const refused = refusalResult(appended, clock.now());
  if (refused) return refused;
  if (appended.kind === 'appended' && hasLostItem(appended.entry, reservationId)) {
    await ledger.apply({ kind: 'void', reservationId, reason: 'overtaken' });
    return overdue(clock.now());
  }
  const entry =
    appended.kind === 'appended' ? { seq: appended.entry.seq, hash: appended.entry.hash } : undefined;
  return { kind: 'reserved', fencingToken, reservationId, entry };
}

/**
 * Whether the question was reserved so long ago that its item may be gone, and what it cost with it: once it has another
 * item, no sweep could tell any more.
 */
function hasLostItem({ open, atMs, questionKey: key }: LedgerEntry, ownId: string): boolean {
  return open.some(
    (other) => other.questionKey === key && other.id !== ownId && atMs >= other.atMs + ITEM_OUTLIVES_MS,
  );
}

export interface Passed {
  readonly kind: 'passed';
  /** Only for a probe: the question that tests whether asking works again. */
  readonly turnMs?: number;
}

/** Looks at the budget before anything is written: records by the thousand may be waiting for a new day. */
export async function refusedBeforehand(
  { ledger, clock }: GatewayServices,
  request: KeyedRequest,
): Promise<AskResult | undefined> {
  return refusalResult(await ledger.preview(reservation(request, '')), clock.now());
}

/** Whether no breaker stops this question. @param turnMs of a probe that waited meanwhile. */
export async function passBreakers(
  { breakers }: GatewayServices,
  { question }: KeyedRequest,
  turnMs?: number,
): Promise<Passed | AskResult> {
  const passage = await breakers.pass(priceOfQuestion(question), turnMs);
  if (passage.kind === 'pass') return { kind: 'passed' };
  if (passage.kind === 'probe') return { kind: 'passed', turnMs: passage.turnMs };
  const { reason, untilMs, stopped } = passage;
  const detail = stopped ? personsStopSentence(stopped) : STOP_SENTENCES[reason];
  return { kind: 'waiting', reason, untilMs, detail };
}

function reservation(
  request: KeyedRequest,
  reservationId: string,
): Extract<LedgerCommand, { kind: 'reserve' }> {
  return {
    kind: 'reserve',
    reservationId,
    ...askedOf(request),
    overrulesReserve: request.overrulesReserve,
    amountCredits: priceOfQuestion(request.question),
  };
}

/** What the books' refusal means to the asker; `undefined` where they do not refuse. */
function refusalResult(answer: Appended | Decision, nowMs: number): AskResult | undefined {
  if (answer.kind === 'over-budget') {
    const detail = refusalSentence(answer.budget);
    return { kind: 'waiting', reason: 'budget', untilMs: answer.budget.opensAtMs, detail };
  }
  if (answer.kind === 'too-many-open') {
    const detail = 'Too many requests are in flight at once.';
    return { kind: 'waiting', reason: 'too-many-open', untilMs: nowMs + 5 * MINUTE_MS, detail };
  }
  return undefined;
}
