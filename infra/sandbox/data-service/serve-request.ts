import type { Clock } from '../../../shared/kernel/index.ts';
import { admit } from './admission.ts';
import type { Books } from './bill.ts';
import { deliver, type Reply, unansweredResult } from './delivery.ts';
import { ApiError, errorBody, insufficientCredits } from './errors.ts';
import { drawFault, type Fault, type FaultProgress, strikesBeforeWork } from './faults.ts';
import { readJson } from './json-body.ts';
import type { Answer, Operation, Price, Question, View } from './operation.ts';
import { operations } from './operations/index.ts';
import type { RateState } from './rate-limit.ts';
import type { createRequestLog } from './request-log.ts';
import type { NoMatchCost, Settings } from './settings.ts';
import { untidied } from './untidy-values.ts';

/** State that requests share, in addition to the bill. */
export interface ServiceMemory {
  settings: Settings;
  rates: Readonly<Record<string, RateState>>;
  faultProgress: FaultProgress;
}

export interface RequestContext {
  readonly clock: Clock;
  readonly seed: number;
  readonly books: Books;
  readonly memory: ServiceMemory;
  readonly log: ReturnType<typeof createRequestLog>;
  view(): View;
}

/**
 * Serves one API request: checks the key, rate, parameters and credits, and finds the record, in this order. Then it
 * applies the fault.
 */
export async function serveRequest(request: Request, url: URL, context: RequestContext): Promise<Response> {
  const { clock, memory, books } = context;
  const { method } = request;
  const logged = context.log.add({
    atMs: clock.now(),
    method,
    path: url.pathname + url.search,
    ...(method === 'POST' && { body: await request.clone().text() }),
  });
  const { report, refusal } = admit(request, memory, clock.now());
  const operation = operations.find((one) => one.path === url.pathname && one.method === method);
  const fault = refusal === undefined && operation !== undefined ? nextFault(operation, context) : undefined;
  const charge: Books['charge'] = (name, credits) => {
    books.charge(name, credits);
    logged.credits += credits;
  };
  const reply =
    refusal === undefined
      ? await replyUnder(fault, () => work({ request, url, operation, charge }, context))
      : errorReply(refusal);
  books.count(unansweredResult(fault) ?? reply.status);
  Object.assign(logged, { status: reply.status, ...(fault && { fault: fault.kind }) });
  const { latencyMs, rateHeaders } = memory.settings;
  const response = await deliver(
    { reply, report, fault },
    { clock, latencyMs, rateHeaders, signal: request.signal },
  );
  if (!request.signal.aborted) logged.answeredAtMs = clock.now();
  return response;
}

function nextFault({ name }: Operation, { memory, seed }: RequestContext): Fault | undefined {
  const { faults } = memory.settings;
  const drawn = drawFault({ faults, seed, operation: name }, memory.faultProgress);
  memory.faultProgress = drawn.progress;
  return drawn.fault;
}

async function replyUnder(fault: Fault | undefined, doWork: () => Promise<Reply>): Promise<Reply> {
  const reply = fault !== undefined && strikesBeforeWork(fault) ? undefined : await doWork();
  return reply === undefined || fault?.kind === 'status' ? faultReply(fault) : reply;
}

interface Call {
  readonly request: Request;
  readonly url: URL;
  readonly operation: Operation | undefined;
  readonly charge: Books['charge'];
}

async function work({ request, url, operation, charge }: Call, context: RequestContext): Promise<Reply> {
  try {
    if (operation === undefined) return unknownPathReply(request, url);
    const body = operation.method === 'POST' ? await readJson(request) : undefined;
    const question = operation.read({ query: url.searchParams, body });
    const charging = {
      balance: context.books.balance,
      charge,
      noMatchCost: context.memory.settings.noMatchCost,
      view: context.view(),
    };
    const answer = answerAndCharge(operation, question, charging);
    const statusCode = operation.successStatus;
    const { untidyRate: rate } = context.memory.settings;
    const data = untidied(answer.body.data, { rate, seed: context.seed });
    return { status: statusCode, body: { ...answer.body, data, statusCode, message: 'Success' } };
  } catch (error) {
    if (error instanceof ApiError) return errorReply(error);
    throw error;
  }
}

function errorReply(error: ApiError): Reply {
  return { status: error.status, body: errorBody(error) };
}

/**
 * Builds a 404 for an unknown path, as web frameworks do. The specification does not list it. Its message differs
 * from "no match".
 */
function unknownPathReply({ method }: Request, { pathname }: URL): Reply {
  const body = { statusCode: 404, message: `Cannot ${method} ${pathname}`, error: 'Not Found' };
  return { status: 404, body };
}

function faultReply(fault: Fault | undefined): Reply {
  return errorReply(new ApiError(fault?.status ?? 500, 'Fault set in the settings of the stand-in'));
}

interface Charging extends Pick<Books, 'balance' | 'charge'> {
  readonly noMatchCost: NoMatchCost;
  readonly view: View;
}

/**
 * Answers a question and charges for it in one step. A search runs only if the balance covers one result. It is
 * charged only if the balance covers all results.
 * @throws ApiError 402, which charges nothing, or 404, which is charged by the setting
 */
function answerAndCharge({ name }: Operation, question: Question, charging: Charging): Answer {
  const { price } = question;
  if (charging.balance() < price.full) throw insufficientCredits();
  const answer = answerOrChargeNoMatch(name, question, charging);
  const isEmpty = price.per === 'result' && answer.resultCount === 0;
  const results = isEmpty && charging.view.settings.emptySearchCost === 'base' ? 1 : answer.resultCount;
  const cost = price.per === 'result' ? price.full * results : price.full;
  if (charging.balance() < cost) throw insufficientCredits();
  charging.charge(name, cost);
  return answer;
}

function answerOrChargeNoMatch(name: Operation['name'], question: Question, charging: Charging): Answer {
  try {
    return question.answer(charging.view);
  } catch (error) {
    const isNoMatch = error instanceof ApiError && error.status === 404;
    if (isNoMatch) charging.charge(name, costOfNoMatch(question.price, charging.noMatchCost));
    throw error;
  }
}

/** Cost of a 404. In the employee search, the only search that can return one, it counts as one result. */
function costOfNoMatch(price: Price, setting: NoMatchCost): number {
  if (setting === 'none') return 0;
  return setting === 'base' ? price.base : price.full;
}
