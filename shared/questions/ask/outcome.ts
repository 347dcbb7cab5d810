import { assert, MINUTE_MS, SECOND_MS, unreachable } from '#shared/kernel';
import { change } from '#shared/store';
import type { AskResult } from '../ask-result.ts';
import { LONGEST_WAIT_MS } from '../breaker-transitions.ts';
import { type AnswerAndRecord, finishAnswer } from '../finish-answer.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { packAnswer } from '../packed-answers.ts';
import { isSearch, LOOKUPS, priceOfAnswer, priceOfMiss, priceOfQuestion } from '../question.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { STOP_SENTENCES } from '../stop-sentences.ts';
import { foundAnswer, missedAnswer } from '../stored-answers.ts';
import { questionKind } from '../stored-kinds.ts';
import { type AttemptedItem, complete, doubt, keepAnswer, settleDoubt } from '../transitions.ts';
import { bookLateOutcome, bookOutcome } from './book.ts';
import { doubtResult } from './look-up.ts';
import type { Sent } from './send-once.ts';

/** Proved facts after a request. The charge is absent if it is unknown. */
interface AttemptOutcome {
  readonly charge?: NonNullable<Attempt['charge']>;
  readonly stored?: AnswerAndRecord;
}

/**
 * Stores charge and answer on the question's item in one write of its own, which has no neighbour to conflict with. Then
 * one transaction has the index of people, the disclosure, the entry of the ledger and the caller's writes. After a crash
 * between the two, the reservation is still open. So the next worker or the sweep books from the item.
 */
export async function recordOutcome(
  services: GatewayServices,
  sent: Sent,
): Promise<AskResult | { kind: 'again' }> {
  const { request } = sent;
  const { reservationId, sentAtMs } = sent.item.attempt;
  const outcome = outcomeOf(services, request, sent);
  const { record } = outcome.stored ?? {};
  // What the booking decides on is read meanwhile, in one request. A read that fails is done again by the booking.
  const readAhead = Promise.allSettled([
    services.ledger.newest(),
    services.suppressionList.among([request.key]),
    record && request.answered?.(record),
  ]);
  await untilStored(services, () => writeOutcome(services, request, { sent, outcome }));
  await readAhead;
  await accountForSlot(services, sent);
  const { stored } = outcome;
  const result = await services.together(async () => {
    const finished = stored && (await finishAnswer(services, sent.item, stored));
    await bookOutcome(services, { reservationId, charge: outcome.charge });
    const result = resultOf(services, request, { stored: finished, sent });
    if (finished && result.kind !== 'again') await request.booked?.(result);
    return result;
  });
  await services.breakers.learn({
    result: sent.result,
    priceCredits: priceOfQuestion(request.question),
    chargedCredits: outcome.charge?.credits ?? 0,
    sentAtMs,
  });
  return result;
}

function outcomeOf(services: GatewayServices, request: KeyedRequest, { item, result }: Sent): AttemptOutcome {
  switch (result.kind) {
    case 'found': {
      const { emptySearchCost } = services.policy;
      const priced = result.results === 0 && emptySearchCost === 'base' ? 1 : result.results;
      const credits = priceOfAnswer(request.question, priced);
      const { operation, options } = request.question;
      const askedAtMs = item.attempt.sentAtMs;
      const expiresAtMs =
        askedAtMs +
        services.policy.freshnessMs[isSearch(request.question) ? 'search' : LOOKUPS[operation].about];
      const { record, requestId } = result;
      const packed = packAnswer(services, { operation, record });
      const answer = foundAnswer({ options, askedAtMs, expiresAtMs, credits, requestId }, packed);
      return { charge: { credits, reason: 'match' }, stored: { answer, record } };
    }
    case 'no-match': {
      const credits = priceOfMiss(request.question, services.policy.noMatchCost);
      return { charge: { credits, reason: 'no-match' }, stored: missed(services, item, credits) };
    }
    case 'declined':
      return { charge: { credits: 0, reason: result.why } };
    case 'invalid':
    case 'not-sent':
      return { charge: { credits: 0, reason: result.kind } };
    case 'unknown':
      return {};
    default:
      return unreachable(result);
  }
}

function missed({ policy }: GatewayServices, item: AttemptedItem, credits: number): AnswerAndRecord {
  const misses = (item.answer?.misses ?? 0) + 1;
  const { noMatchRetryMs } = policy;
  const freshMs = noMatchRetryMs[Math.min(misses, noMatchRetryMs.length) - 1];
  assert(freshMs !== undefined, 'the policy sets how long a miss stays fresh');
  const { options, sentAtMs: askedAtMs } = item.attempt;
  return { answer: missedAnswer({ options, askedAtMs, expiresAtMs: askedAtMs + freshMs, credits }, misses) };
}

/** How long a failed write is retried, so that a known charge does not become a doubt. */
const STORE_PATIENCE_MS = 10 * SECOND_MS;

/**
 * Repeats a failed write. If a write was stored in spite of its error, the repeat finds the outcome and changes
 * nothing.
 */
async function untilStored({ clock }: GatewayServices, write: () => Promise<void>): Promise<void> {
  const untilMs = clock.now() + STORE_PATIENCE_MS;
  for (let waitMs = 100; ; waitMs *= 2) {
    try {
      return await write();
    } catch (error) {
      if (clock.now() + waitMs > untilMs) throw error;
      await clock.sleep(waitMs);
    }
  }
}

/**
 * Writes the outcome, normally in one conditional write. If a sweep has marked the attempt as in doubt, the proved charge
 * replaces the doubt. If the doubt is already resolved, the item has no place for the charge. Then the charge is booked
 * in the ledger, and the answer is stored.
 */
async function writeOutcome(
  services: GatewayServices,
  request: KeyedRequest,
  { sent, outcome: { charge, stored } }: { readonly sent: Sent; readonly outcome: AttemptOutcome },
): Promise<void> {
  const { items, clock } = services;
  const { fencingToken, reservationId } = sent.item.attempt;
  const target = { key: questionKind.key(request.key), kind: 'question', clock };
  const answer = stored?.answer;
  const applyOutcome = (item: QuestionItem | undefined) =>
    charge
      ? complete(item, { fencingToken, charge, answer, nowMs: clock.now() })
      : doubt(item, { fencingToken });
  const ended = applyOutcome(sent.item);
  if (ended.kind === 'next') {
    const { key } = target;
    if ((await items.write({ key, value: ended.value, ...sent.written })) !== 'conflict') return;
  }
  const { kind } = await change(items, target, applyOutcome);
  if (kind === 'next' || !charge) return;
  await bookLateOutcome(services, request, { reservationId, charge });
  await change(items, target, (item) => settleDoubt(item, reservationId));
  if (answer) await change(items, target, (item) => keepAnswer(item, { answer, nowMs: clock.now() }));
}

async function accountForSlot(services: GatewayServices, { slotId: id, result }: Sent): Promise<void> {
  if (result.kind === 'not-sent' || result.kind === 'invalid') return services.rateLimiter.release(id);
  // Without an answer, the slot stays taken until a minute after the request's deadline.
  if (result.kind === 'unknown') return;
  const { report } = result;
  const limited = result.kind === 'declined' && result.why === 'rate-limited';
  const retryAfterMs = result.kind === 'declined' ? result.retryAfterMs : undefined;
  await services.rateLimiter.complete({ id, report, limited, retryAfterMs });
}

function resultOf(
  services: GatewayServices,
  { key }: KeyedRequest,
  { stored, sent: { result } }: { stored: AnswerAndRecord | undefined; sent: Sent },
): AskResult | { kind: 'again' } {
  if (stored) return answerResult(key, stored);
  if (result.kind === 'not-sent') return waiting(services, 'service-unreachable', MINUTE_MS, result.reason);
  if (result.kind === 'invalid') return { kind: 'rejected', questionKey: key, detail: result.reason };
  if (result.kind !== 'declined') return doubtResult(key);
  switch (result.why) {
    case 'rate-limited':
      return { kind: 'again' };
    case 'bad-request':
      return { kind: 'rejected', questionKey: key, detail: result.reason };
    case 'key-refused':
    case 'wrong-address':
    case 'out-of-credits':
      return waiting(services, result.why, LONGEST_WAIT_MS, STOP_SENTENCES[result.why]);
    default:
      return unreachable(result.why);
  }
}

function answerResult(questionKey: string, { answer, record }: AnswerAndRecord): AskResult {
  const { credits, askedAtMs, expiresAtMs, isCut } = answer;
  if (answer.kind === 'forgotten') return { kind: 'forgotten', questionKey, credits };
  const answered = { questionKey, askedAtMs, expiresAtMs, credits };
  return record ? { kind: 'found', record, isCut, ...answered } : { kind: 'no-match', ...answered };
}

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

function waiting(services: GatewayServices, reason: Waiting['reason'], ms: number, detail: string): Waiting {
  return { kind: 'waiting', reason, untilMs: services.clock.now() + ms, detail };
}
