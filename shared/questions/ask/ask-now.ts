import { MINUTE_MS, SECOND_MS, wrongClock } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../question.ts';
import { questionKind } from '../stored-kinds.ts';
import { finishAttempt } from './book.ts';
import { recordOutcome } from './outcome.ts';
import { passBreakers, refusedBeforehand } from './reserve.ts';
import { type Sent, sendOnce } from './send-once.ts';
import { type TakenSlot, timeShort, timeToAnswerMs, waitForSlot } from './slot.ts';

export type Stored = Awaited<ReturnType<GatewayServices['items']['read']>>;

/**
 * Runs four steps: slot, mark with reservation, request, outcome. After a crash at any step, the stored items show which
 * step was reached. A request that waits for a slot holds no lock. Before the item is `in-flight`, no charge is possible.
 * After that, no second request is sent.
 */
export async function askNow(
  services: GatewayServices,
  request: KeyedRequest,
  stored: Stored,
): Promise<AskResult | { kind: 'again' }> {
  const { leftCredits } = request;
  if (leftCredits !== undefined && priceOfQuestion(request.question) > leftCredits)
    return { kind: 'too-dear', questionKey: request.key };
  const clockWrong = clockWrongResult(services);
  if (clockWrong) return clockWrong;
  if (services.clock.now() > request.notAfterMs - timeToAnswerMs(services.policy)) return timeShort(services);
  const [forgotten, refused] = await Promise.all([
    forgottenPerson(services, request),
    refusedBeforehand(services, request),
  ]);
  const answer = forgotten ?? refused;
  if (answer) return answer;
  const passage = await passBreakers(services, request);
  if (passage.kind !== 'passed') return passage;
  const sent = await askPassed(services, request, { stored, turnMs: passage.turnMs });
  if (sent.kind === 'sent') return recordOutcome(services, sent);
  if (passage.turnMs !== undefined) await services.breakers.giveBack(passage.turnMs);
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

interface PassedRequest {
  readonly stored: Stored;
  /** Identifies the probe, if the question is one. */
  readonly turnMs: number | undefined;
}

async function askPassed(
  services: GatewayServices,
  request: KeyedRequest,
  passage: PassedRequest,
): Promise<Sent | AskResult | { kind: 'again' }> {
  const startedAtMs = services.clock.now();
  const slot = await waitForSlot(services, request);
  if (slot.kind !== 'slot') return slot;
  const hasWaited = services.clock.now() - startedAtMs > SECOND_MS;
  const sent = await askInSlot(services, request, { ...passage, hasWaited, slot });
  if (sent.kind !== 'sent') await services.rateLimiter.release(slot.id);
  return sent;
}

interface InSlot extends PassedRequest {
  readonly hasWaited: boolean;
  readonly slot: TakenSlot;
}

/** If the result is not `sent`, only the slot remains taken. The caller releases the slot. */
async function askInSlot(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, hasWaited, turnMs, slot }: InSlot,
): Promise<Sent | AskResult | { kind: 'again' }> {
  if (hasWaited) {
    const current = await services.items.read(questionKind.key(request.key));
    if (current?.version !== stored?.version) return { kind: 'again' };
    const forgotten = await forgottenPerson(services, request);
    if (forgotten) return forgotten;
    // A breaker may have opened during the wait.
    const passage = await passBreakers(services, request, turnMs);
    if (passage.kind !== 'passed') return passage;
  }
  // Books the charge of the previous attempt, which the next `send` overwrites.
  if (stored?.value.attempt) await finishAttempt(services, stored.value);
  return sendOnce(services, request, { stored, slot });
}

/** Prevents questions about a forgotten person. */
async function forgottenPerson(
  { suppressionList }: GatewayServices,
  { key }: KeyedRequest,
): Promise<AskResult | undefined> {
  const [forgotten] = await suppressionList.among([key]);
  return forgotten ? { kind: 'forgotten', questionKey: key, credits: 0 } : undefined;
}
