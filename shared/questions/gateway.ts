import { laneOf, nameForBuyer } from '#shared/crm';
import { unreachable } from '#shared/kernel';
import { askNow } from './ask/ask-now.ts';
import { chargeOf } from './ask/book.ts';
import { type LookUpStep, lookUp } from './ask/look-up.ts';
import { timeShort } from './ask/slot.ts';
import type { AskRequest, AskResult, Commitment, LookedAt } from './ask-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import { type Question, questionKey } from './question.ts';
import { questionKind } from './stored-kinds.ts';

export interface AskGateway {
  /** Reads in one request what a purchase begins with, for an `ask` that follows at once. Free. */
  look(question: Question): Promise<LookedAt>;
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
    look: (question) => lookAt(services, questionKey(question, services.digest)),
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
  for (let { looked } = request; ; looked = undefined) {
    const seen = looked ?? (await lookAt(services, request.key));
    const ended = await takeStep(services, request, {
      step: await lookUp(services, request, seen.stored?.value),
      seen,
    });
    if (ended) return ended;
  }
}

/**
 * Reads in one request what a purchase decides on. The budgets, the suppression list and the rate are only remembered:
 * the work that marks the request decides on them.
 */
async function lookAt(
  { items, breakers, ledger, suppressionList, rateLimiter }: GatewayServices,
  key: string,
): Promise<LookedAt> {
  const [stored, breakersNow] = await Promise.all([
    items.read(questionKind.key(key)),
    breakers.look(),
    ledger.newest(),
    suppressionList.among([key]),
    rateLimiter.look(),
  ]);
  return { stored, breakers: breakersNow };
}

/** @returns the result, or `undefined` if the item must be read again. */
async function takeStep(
  services: GatewayServices,
  request: KeyedRequest,
  { step, seen }: { step: LookUpStep; seen: LookedAt },
): Promise<AskResult | undefined> {
  switch (step.kind) {
    case 'end':
      return step.result;
    case 'wait':
      return (await hasTime(services, request, step.ms)) ? undefined : timeShort(services);
    case 'ask': {
      const result = await askNow(services, request, seen);
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
