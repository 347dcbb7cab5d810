import { laneOf } from '#shared/crm/lane.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { finishAttempt } from './ask/book.ts';
import { clockWrong } from './ask/clock-wrong.ts';
import { lookUp, type Step } from './ask/look-up.ts';
import { recordOutcome } from './ask/outcome.ts';
import { refusedBeforehand, reserveCredits } from './ask/reserve.ts';
import { type Sent, sendOnce } from './ask/send-once.ts';
import { timeShort, timeToAnswerMs, waitForSlot } from './ask/slot.ts';
import type { AskRequest, AskResult } from './ask-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import { questionKey } from './question.ts';

export interface AskGateway {
  /**
   * Answers a question, asking the data service at most once for it whoever asks, how often and where, and
   * never beyond a budget or the vendor's rate. The only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
}

export function createAskGateway(services: GatewayServices): AskGateway {
  const oneByOne = createOneByOne(services.clock);
  return {
    ask: (request) => {
      const keyed = { ...request, key: questionKey(request.question, services.digest) };
      const { notAfterMs, signal } = request;
      // Live work never stands behind bulk work, which may have to wait longer for its slot.
      const key = `${laneOf(request.purpose)}#${keyed.key}`;
      return oneByOne({ key, notAfterMs, signal, run: () => askUntilAnswered(services, keyed) });
    },
  };
}

/** Each round reads the item, takes the one step that its state allows, and either ends or reads again. */
async function askUntilAnswered(services: GatewayServices, request: KeyedRequest): Promise<AskResult> {
  for (;;) {
    const stored = await services.items.read(request.key);
    const ended = await takeStep(services, request, {
      step: await lookUp(services, request, stored?.value),
      stored,
    });
    if (ended) return ended;
  }
}

/** @returns the result, or nothing where the question has to be looked at again. */
async function takeStep(
  services: GatewayServices,
  request: KeyedRequest,
  { step, stored }: { step: Step; stored: Stored },
): Promise<AskResult | undefined> {
  switch (step.kind) {
    case 'end':
      return step.result;
    case 'wait':
      return (await hasTime(services, request, step.ms)) ? undefined : timeShort(services);
    case 'ask': {
      const result = await askNow(services, request, stored);
      return result.kind === 'again' ? undefined : result;
    }
    default:
      return unreachable(step);
  }
}

/** Waits; false when the asker was told on the way that its time is over. */
async function hasTime({ clock }: GatewayServices, { signal }: KeyedRequest, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}

type Stored = Awaited<ReturnType<GatewayServices['items']['read']>>;

/**
 * Slot, reserve, send, outcome, in this order: whatever falls over in between, what is stored tells how far it came.
 * Who waits for a slot holds nothing. Before `in-flight` nothing can have been charged; from there on nothing is ever
 * sent again.
 */
async function askNow(
  services: GatewayServices,
  request: KeyedRequest,
  stored: Stored,
): Promise<AskResult | { kind: 'again' }> {
  const wrong = clockWrong(services);
  if (wrong) return wrong;
  if (services.clock.now() > request.notAfterMs - timeToAnswerMs(services.policy)) return timeShort(services);
  // Who is forgotten is not asked about; an answer that is stored already holds nothing of them.
  const [forgotten] = await services.suppressionList.among([request.key]);
  if (forgotten) return { kind: 'forgotten', questionKey: request.key, credits: 0 };
  const refused = await refusedBeforehand(services, request);
  if (refused) return refused;
  const begunAtMs = services.clock.now();
  const slot = await waitForSlot(services, request);
  if (slot.kind !== 'slot') return slot;
  const hasWaited = services.clock.now() - begunAtMs > SECOND_MS;
  const sent = await askInSlot(services, request, { stored, hasWaited, slotId: slot.id });
  if (sent.kind === 'sent') return recordOutcome(services, request, sent);
  await services.rateLimiter.release(slot.id);
  return sent;
}

/** Anything but `sent` leaves nothing behind but the slot. */
async function askInSlot(
  services: GatewayServices,
  request: KeyedRequest,
  { stored, hasWaited, slotId }: { stored: Stored; hasWaited: boolean; slotId: string },
): Promise<Sent | AskResult | { kind: 'again' }> {
  if (hasWaited) {
    const now = await services.items.read(request.key);
    if (now?.version !== stored?.version) return { kind: 'again' };
  }
  // The attempt before it is never forgotten: a charge that may not have been booked is booked first.
  if (stored?.value.attempt) await finishAttempt(services, stored.value);
  const reserved = await reserveCredits(services, request, stored?.value);
  if (reserved.kind !== 'reserved') return reserved;
  const sent = await sendOnce(services, request, { stored, reserved, slotId });
  if (sent) return sent;
  const { reservationId } = reserved;
  await services.ledger.apply({ kind: 'void', reservationId, reason: 'overtaken' });
  return { kind: 'again' };
}
