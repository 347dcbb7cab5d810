import { laneOf, nameForBuyer } from '#shared/crm';
import { unreachable } from '#shared/kernel';
import { askNow, type Stored } from './ask/ask-now.ts';
import { chargeOf } from './ask/book.ts';
import { type LookUpStep, lookUp } from './ask/look-up.ts';
import { timeShort } from './ask/slot.ts';
import type { AskRequest, AskResult, Commitment } from './ask-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import { questionKey } from './question.ts';
import { questionKind } from './stored-kinds.ts';

export interface AskGateway {
  /**
   * Answers a question. At most one request is sent, however many callers repeat the question. The budgets and the
   * vendor's rate are kept. This is the only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
  /**
   * Reads the charge of an attempt that a run committed to, in credits; `undefined` while the charge is unknown. Free.
   */
  chargeOf(attempt: Commitment): Promise<number | undefined>;
}

export function createAskGateway(services: GatewayServices): AskGateway {
  const oneByOne = createOneByOne(services.clock);
  return {
    chargeOf: (attempt) => chargeOf(services, attempt),
    ask: (request) => {
      const { notAfterMs, signal } = request;
      const record = request.record && nameForBuyer(services.owners.portal, request.record);
      const keyed = { ...request, record, key: questionKey(request.question, services.digest) };
      // Live work has its own key, because bulk work may wait longer for a slot.
      const key = `${laneOf(request.purpose)}#${keyed.key}`;
      return oneByOne({ key, notAfterMs, signal, run: () => askUntilAnswered(services, keyed) });
    },
  };
}

/** Reads the item and takes the step that its state allows, until a step has a result. */
async function askUntilAnswered(services: GatewayServices, request: KeyedRequest): Promise<AskResult> {
  for (;;) {
    const stored = await services.items.read(questionKind.key(request.key));
    const ended = await takeStep(services, request, {
      step: await lookUp(services, request, stored?.value),
      stored,
    });
    if (ended) return ended;
  }
}

/** @returns the result, or `undefined` if the item must be read again. */
async function takeStep(
  services: GatewayServices,
  request: KeyedRequest,
  { step, stored }: { step: LookUpStep; stored: Stored },
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

/** Waits. @returns false if the caller's signal aborted the wait. */
async function hasTime({ clock }: GatewayServices, { signal }: KeyedRequest, ms: number): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (!signal?.aborted) throw error;
    return false;
  }
}
