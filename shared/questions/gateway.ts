import { unreachable } from '../kernel/errors.ts';
import { laneOf } from '../work-queue/lane.ts';
import { leaseQuestion } from './ask/lease.ts';
import { lookUp, type Step, waitForOther } from './ask/look-up.ts';
import { reserveCredits } from './ask/reserve.ts';
import { sendOnce } from './ask/send-once.ts';
import { timeShort, timeToAnswerMs, waitForSlot } from './ask/slot.ts';
import { recordVerdict } from './ask/verdict.ts';
import type { AskRequest, AskResult } from './asking-types.ts';
import type { GatewayDeps, KeyedRequest } from './gateway-deps.ts';
import type { Asking } from './item.ts';
import { createOneByOne } from './one-by-one.ts';
import { questionKey } from './question.ts';

export interface AskGateway {
  /**
   * Answers a question, asking the data service at most once for it whoever asks, how often and where, and
   * never beyond a budget or the vendor's rate. The only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
}

export function createAskGateway(deps: GatewayDeps): AskGateway {
  const oneByOne = createOneByOne(deps.clock);
  return {
    ask: (request) => {
      const keyed = { ...request, key: questionKey(request.question, deps.digest) };
      const { notAfterMs, signal } = request;
      // Live work never stands behind bulk work: it may take the question over.
      const key = `${laneOf(request.purpose)}#${keyed.key}`;
      return oneByOne({ key, notAfterMs, signal, run: () => askUntilAnswered(deps, keyed) });
    },
  };
}

/** Each round reads the item, takes the one step that its state allows, and either ends or reads again. */
async function askUntilAnswered(deps: GatewayDeps, request: KeyedRequest): Promise<AskResult> {
  for (;;) {
    const stored = await deps.items.read(request.key);
    const ended = await takeStep(deps, request, { step: await lookUp(deps, request, stored?.value), stored });
    if (ended) return ended;
  }
}

/** @returns the result, or nothing where the question has to be looked at again. */
async function takeStep(
  deps: GatewayDeps,
  request: KeyedRequest,
  { step, stored }: { step: Step; stored: Stored },
): Promise<AskResult | undefined> {
  switch (step.kind) {
    case 'end':
      return step.result;
    case 'wait':
      return (await hasTime(deps, request, step.ms)) ? undefined : timeShort(deps);
    case 'ask': {
      const result = await askNow(deps, request, stored);
      if (result.kind === 'again') return undefined;
      if (result.kind !== 'busy') return result;
      const waiting = waitForOther(deps, request, result.holder);
      return takeStep(deps, request, { step: waiting, stored });
    }
    default:
      return unreachable(step);
  }
}

/** Waits; false when the asker was told on the way that its time is over. */
async function hasTime({ clock }: GatewayDeps, { signal }: KeyedRequest, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}

type Stored = Awaited<ReturnType<GatewayDeps['items']['read']>>;

/**
 * Lease, reserve, slot, send, verdict, in this order: whatever falls over in between, what is stored tells
 * how far it came. Before `sent` nothing can have been charged; from there on nothing is ever sent again.
 */
async function askNow(
  deps: GatewayDeps,
  request: KeyedRequest,
  stored: Stored,
): Promise<AskResult | { kind: 'again' } | { kind: 'busy'; holder: Asking }> {
  if (deps.clock.now() > request.notAfterMs - timeToAnswerMs(deps.policy)) return timeShort(deps);
  // Who is forgotten is not asked about; an answer that is stored already holds nothing of them.
  const [forgotten] = await deps.tombstones.among([request.key]);
  if (forgotten) return { kind: 'forgotten', questionKey: request.key, credits: 0 };
  const leased = await leaseQuestion(deps, request, stored);
  if (leased.kind !== 'leased') return leased;
  const reserved = await reserveCredits(deps, request, leased);
  if (reserved.kind !== 'leased') return reserved;
  const ready = await waitForSlot(deps, request, reserved);
  if (ready.kind !== 'leased') return ready;
  const sent = await sendOnce(deps, request, ready);
  if (sent.kind !== 'sent') return sent;
  return recordVerdict(deps, request, sent);
}
