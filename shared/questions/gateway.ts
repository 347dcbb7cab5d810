import { laneOf } from '#shared/crm';
import { unreachable } from '#shared/kernel';
import { askNow, type Stored } from './ask/ask-now.ts';
import { chargeOf } from './ask/book.ts';
import { type LookUpStep, lookUp } from './ask/look-up.ts';
import { timeShort } from './ask/slot.ts';
import type { AskRequest, AskResult, Commitment } from './ask-result.ts';
import { askCompanies } from './companies/ask-companies.ts';
import type { CompaniesRequest, CompaniesResult } from './companies/companies-result.ts';
import type { GatewayServices, KeyedRequest } from './gateway-services.ts';
import { createOneByOne } from './one-by-one.ts';
import { questionKey } from './question.ts';
import { questionKind } from './stored-kinds.ts';

export interface AskGateway {
  /**
   * Answers a question. It asks the data service at most once, however many callers repeat it, and never beyond a budget or
   * the vendor's rate. The only way to spend a credit.
   */
  ask(request: AskRequest): Promise<AskResult>;
  /**
   * Looks up many companies by their domains, as many as the vendor takes in one search; each at most once, like every
   * question. A company that is missing in the result is left to its profile.
   */
  askCompanies(request: CompaniesRequest): Promise<CompaniesResult>;
  /** The charge of an attempt that a run committed to, credits; `undefined` while unknown. Free. */
  chargeOf(attempt: Commitment): Promise<number | undefined>;
}

export function createAskGateway(services: GatewayServices): AskGateway {
  const oneByOne = createOneByOne(services.clock);
  return {
    askCompanies: (request) => askCompanies(services, request),
    chargeOf: (attempt) => chargeOf(services, attempt),
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
    const stored = await services.items.read(questionKind.key(request.key));
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
