import { MINUTE_MS, wrongClock } from '#shared/kernel';
import type { AskRequest, AskResult, LookedAt } from '../ask-result.ts';
import { passage } from '../breaker-transitions.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion, questionKey } from '../question.ts';
import { questionKind } from '../stored-kinds.ts';
import { obstacle } from '../transitions.ts';
import { doubtResult } from './look-up.ts';
import {
  finishAttempt,
  recordOutcome,
  refusedBeforehand,
  refusedByBreaker,
  type Sent,
  sendOnce,
  type TakenSlot,
  timeShort,
  timeToAnswerMs,
  waitForSlot,
} from './purchase.ts';

type Stored = LookedAt['stored'];

/**
 * Runs three steps: mark with slot and reservation, request, outcome. After a crash at any step, the stored items show
 * which step was reached. A request that waits for a slot holds no lock. Before the item is `in-flight`, no charge is
 * possible. After that, no second request is sent.
 */
export async function askNow(
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
  const free = await sendOnce(services, request, { stored, turnMs, slot: undefined });
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
  const sent = await sendOnce(services, request, { stored, slot, turnMs });
  return sent.kind === 'no-slot' ? { kind: 'again' } : sent;
}

type ObstacleServices = Pick<GatewayServices, 'ledger' | 'clock' | 'digest' | 'policy'> & {
  readonly items: Pick<GatewayServices['items'], 'read'>;
  readonly breakers: Pick<GatewayServices['breakers'], 'read'>;
};

/**
 * Returns what would keep a new lookup from being sent now: an earlier request in doubt, a stop, or a budget.
 * `undefined` if nothing is known. Reads only, and takes no probe.
 */
export async function obstacleNow(
  services: ObstacleServices,
  asked: Pick<AskRequest, 'question' | 'purpose' | 'askedBy'>,
): Promise<Extract<AskResult, { kind: 'doubt' | 'waiting' }> | undefined> {
  const { question } = asked;
  const { testCreditsPerHour } = services.policy;
  const nowMs = services.clock.now();
  const key = questionKey(question, services.digest);
  const attempt = (await services.items.read(questionKind.key(key)))?.value.attempt;
  if (attempt && obstacle(attempt) === 'in-doubt')
    return { ...doubtResult(key), deadlineAtMs: attempt.deadlineAtMs };
  const state = await services.breakers.read();
  const { keyHash = '' } = state.keyRefused ?? {};
  const wish = { priceCredits: priceOfQuestion(question), keyHash, nowMs, testCreditsPerHour };
  const passed = passage(state, wish);
  if (passed.kind === 'refused') return refusedByBreaker(passed);
  return refusedBeforehand(services, { ...asked, key, notAfterMs: nowMs });
}
