import { HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { assert, unreachable } from '#shared/kernel/errors.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import type { CallResult } from '../paid-calls.ts';
import { priceOfAnswer, priceOfMiss, priceOfQuestion } from '../price.ts';
import type { Attempt, QuestionItem } from '../schemas.ts';
import { missedAnswer } from '../stored-answers.ts';
import { type AttemptedItem, complete, doubt, keepAnswer } from '../transitions.ts';
import { bookLateOutcome, bookOutcome } from './book.ts';
import { writeHeld } from './held.ts';
import { type Kept, prepareAnswer, removeForgotten } from './keep-answer.ts';
import { doubtResult } from './look-up.ts';
import type { Sent } from './send-once.ts';

/** What a request's end proves: the charge, if anything, and the answer if there was one. */
interface AttemptOutcome {
  readonly charge?: NonNullable<Attempt['charge']>;
  readonly kept?: Kept;
}

/**
 * Step 6: the outcome on the question's item first, then the vendor's rate, then the ledger. A crash in
 * between is finished by the next asker or by the sweep, from what the item says.
 */
export async function recordOutcome(
  services: GatewayServices,
  request: KeyedRequest,
  sent: Sent,
): Promise<AskResult | { kind: 'again' }> {
  const { reservationId } = sent.item.attempt;
  const outcome = await outcomeOf(services, request, sent);
  await writeOutcome(services, request, { sent, outcome });
  const kept = outcome.kept && (await removeForgotten(services, request, outcome.kept));
  await accountForSlot(services, reservationId, sent.result);
  await bookOutcome(services, { reservationId, charge: outcome.charge });
  await services.breakers.learn(sent.result, priceOfQuestion(request.question));
  return resultOf(services, request, { kept, result: sent.result });
}

async function outcomeOf(
  services: GatewayServices,
  request: KeyedRequest,
  { item, result }: Sent,
): Promise<AttemptOutcome> {
  switch (result.kind) {
    case 'found': {
      const credits = priceOfAnswer(request.question, result.results);
      const kept = await prepareAnswer(services, request, { attempt: item.attempt, result, credits });
      return { charge: { credits, reason: 'match' }, kept };
    }
    case 'no-match': {
      const credits = priceOfMiss(request.question, services.policy.noMatchCost);
      return { charge: { credits, reason: 'no-match' }, kept: missed(services, item, credits) };
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

function missed({ policy, clock }: GatewayServices, item: AttemptedItem, credits: number): Kept {
  const misses = (item.answer?.misses ?? 0) + 1;
  const { noMatchRetryMs } = policy;
  const keepMs = noMatchRetryMs[Math.min(misses, noMatchRetryMs.length) - 1];
  assert(keepMs !== undefined, 'the policy says how long a miss is believed');
  const { options, sentAtMs: askedAtMs = clock.now() } = item.attempt;
  return { answer: missedAnswer({ options, askedAtMs, expiresAtMs: askedAtMs + keepMs, credits }, misses) };
}

/**
 * Normally one conditional write. Where the sweep came between and called this attempt a doubt, the proof beats the
 * doubt. Where the doubt was resolved meanwhile, the charge has no place left on the item: it is booked first, since
 * nothing else would tell of it, and then only the answer is kept.
 */
async function writeOutcome(
  services: GatewayServices,
  request: KeyedRequest,
  { sent, outcome: { charge, kept } }: { readonly sent: Sent; readonly outcome: AttemptOutcome },
): Promise<void> {
  const { items, clock } = services;
  const { fencingToken, reservationId } = sent.item.attempt;
  const answer = kept?.answer;
  const end = (item: QuestionItem | undefined) =>
    charge
      ? complete(item, { fencingToken, charge, answer, nowMs: clock.now() })
      : doubt(item, { fencingToken });
  const ended = end(sent.item);
  if (ended.kind === 'next' && (await writeHeld(services, sent, ended.value))) return;
  const changed = { key: request.key, kind: 'question', clock };
  const { kind } = await change(items, changed, end);
  if (kind === 'next' || !charge) return;
  await bookLateOutcome(services, request, { reservationId, charge });
  if (answer) await change(items, changed, (item) => keepAnswer(item, { answer, nowMs: clock.now() }));
}

async function accountForSlot(services: GatewayServices, id: string, result: CallResult): Promise<void> {
  if (result.kind === 'not-sent' || result.kind === 'invalid') return services.rateLimiter.release(id);
  // No answer: the slot stays taken until a minute after the request's deadline.
  if (result.kind === 'unknown') return;
  const limited = result.kind === 'declined' && result.why === 'rate-limited';
  await services.rateLimiter.complete({ id, report: result.report, limited });
}

function resultOf(
  services: GatewayServices,
  { key }: KeyedRequest,
  { kept, result }: { kept: Kept | undefined; result: CallResult },
): AskResult | { kind: 'again' } {
  if (kept) return answerResult(key, kept);
  if (result.kind === 'not-sent') return waiting(services, 'service-unreachable', MINUTE_MS, result.reason);
  if (result.kind === 'invalid') return { kind: 'rejected', questionKey: key, detail: result.reason };
  if (result.kind !== 'declined') return doubtResult(key);
  switch (result.why) {
    case 'rate-limited':
      return { kind: 'again' };
    case 'bad-request':
      return { kind: 'rejected', questionKey: key, detail: result.reason };
    case 'key-refused':
      return waiting(services, 'key-refused', 15 * MINUTE_MS, result.reason);
    case 'out-of-credits':
      return waiting(services, 'out-of-credits', HOUR_MS, result.reason);
    default:
      return unreachable(result.why);
  }
}

function answerResult(questionKey: string, { answer, record }: Kept): AskResult {
  const { credits, askedAtMs, expiresAtMs } = answer;
  if (answer.kind === 'forgotten') return { kind: 'forgotten', questionKey, credits };
  const answered = { questionKey, askedAtMs, expiresAtMs, credits };
  return record ? { kind: 'found', record, ...answered } : { kind: 'no-match', ...answered };
}

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

function waiting(services: GatewayServices, reason: Waiting['reason'], ms: number, detail: string): Waiting {
  return { kind: 'waiting', reason, untilMs: services.clock.now() + ms, detail };
}
