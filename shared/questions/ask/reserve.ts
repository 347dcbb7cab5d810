import {
  type Appended,
  budgetParts,
  type Decision,
  type LedgerCommand,
  refusalSentence,
} from '#shared/credit-ledger';
import { MINUTE_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { Passage } from '../breaker-transitions.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import { personsStopSentence, STOP_SENTENCES } from '../stop-sentences.ts';
import { ledgerFactsOf } from './book.ts';

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

/** Checks the budget without a write, because thousands of records may wait for a new day's budget. */
export async function refusedBeforehand(
  { ledger, clock }: Pick<GatewayServices, 'ledger' | 'clock'>,
  request: KeyedRequest,
): Promise<Waiting | undefined> {
  return refusalResult(await ledger.preview(reservation(request, '')), clock.now());
}

export function refusedByBreaker({
  reason,
  untilMs,
  stopped,
}: Extract<Passage, { kind: 'refused' }>): Waiting {
  const detail = stopped ? personsStopSentence(stopped) : STOP_SENTENCES[reason];
  return { kind: 'waiting', reason, untilMs, detail };
}

export function reservation(
  request: KeyedRequest,
  reservationId: string,
): Extract<LedgerCommand, { kind: 'reserve' }> {
  return {
    kind: 'reserve',
    reservationId,
    ...ledgerFactsOf(request),
    overrulesReserve: request.overrulesReserve,
    amountCredits: priceOfQuestion(request.question),
  };
}

/** Translates a refusal of the ledger. @returns `undefined` if the ledger did not refuse. */
export function refusalResult(answer: Appended | Decision, nowMs: number): Waiting | undefined {
  if (answer.kind === 'over-budget') {
    const detail = refusalSentence(answer.budget);
    const {
      opensAtMs: untilMs,
      budget,
      neededCredits,
      limitCredits,
      leftCredits,
      keptCredits = 0,
    } = answer.budget;
    const params = { budget, neededCredits, limitCredits, leftCredits, keptCredits };
    const isAboveLimit = neededCredits > limitCredits && ({ isAboveLimit: true } as const);
    const isPersonsOwn = budgetParts(answer.budget).scope === 'person' && ({ isPersonsOwn: true } as const);
    return { kind: 'waiting', reason: 'budget', untilMs, detail, params, ...isAboveLimit, ...isPersonsOwn };
  }
  if (answer.kind === 'too-many-open') {
    const detail = 'Too many requests are in flight or in doubt.';
    return { kind: 'waiting', reason: 'too-many-open', untilMs: nowMs + 5 * MINUTE_MS, detail };
  }
  return undefined;
}
