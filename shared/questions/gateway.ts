import { laneOf } from '#shared/crm/lane.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import { clockWrong } from './ask/clock-wrong.ts';
import { leaseQuestion } from './ask/lease.ts';
import { lookUp, type Step, waitForOther } from './ask/look-up.ts';
import { recordOutcome } from './ask/outcome.ts';
import { reserveCredits } from './ask/reserve.ts';
import { sendOnce } from './ask/send-once.ts';
import { timeShort, timeToAnswerMs, waitForSlot } from './ask/slot.ts';
import type { AskRequest, AskResult } from './ask-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import { questionKey } from './question.ts';
import type { Attempt } from './schemas.ts';

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
      // Live work never stands behind bulk work: it may take the question over.
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
      if (result.kind === 'again') return undefined;
      if (result.kind !== 'busy') return result;
      const waiting = waitForOther(services, request, result.holder);
      return takeStep(services, request, { step: waiting, stored });
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
 * Lease, reserve, slot, send, outcome, in this order: whatever falls over in between, what is stored tells
 * how far it came. Before `in-flight` nothing can have been charged; from there on nothing is ever sent again.
 */
async function askNow(
  services: GatewayServices,
  request: KeyedRequest,
  stored: Stored,
): Promise<AskResult | { kind: 'again' } | { kind: 'busy'; holder: Attempt }> {
  const wrong = clockWrong(services);
  if (wrong) return wrong;
  if (services.clock.now() > request.notAfterMs - timeToAnswerMs(services.policy)) return timeShort(services);
  // Who is forgotten is not asked about; an answer that is stored already holds nothing of them.
  const [forgotten] = await services.suppressionList.among([request.key]);
  if (forgotten) return { kind: 'forgotten', questionKey: request.key, credits: 0 };
  const leased = await leaseQuestion(services, request, stored);
  if (leased.kind !== 'held') return leased;
  const reserved = await reserveCredits(services, request, leased);
  if (reserved.kind !== 'held') return reserved;
  const ready = await waitForSlot(services, request, reserved);
  if (ready.kind !== 'held') return ready;
  const sent = await sendOnce(services, request, ready);
  if (sent.kind !== 'sent') return sent;
  return recordOutcome(services, request, sent);
}
