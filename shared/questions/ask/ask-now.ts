import { MINUTE_MS, wrongClock } from '#shared/kernel';
import type { AskResult, LookedAt } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import { finishAttempt } from './book.ts';
import { recordOutcome } from './outcome.ts';
import { refusedByBreaker } from './reserve.ts';
import { type Sent, sendOnce } from './send-once.ts';
import { type TakenSlot, timeShort, timeToAnswerMs, waitForSlot } from './slot.ts';

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
