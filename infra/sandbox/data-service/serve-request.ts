import type { Clock } from '../../../shared/kernel/index.ts';
import { admit } from './admission.ts';
import type { Books } from './bill.ts';
import { deliver, endingOf, type Reply } from './delivery.ts';
import { ApiError, errorBody, insufficientCredits } from './errors.ts';
import { drawFault, type Fault, type FaultProgress, strikesBeforeWork } from './faults.ts';
import { readJson } from './json-body.ts';
import type { Answer, Operation, Price, Question, View } from './operation.ts';
import { operations } from './operations/index.ts';
import type { RateState } from './rate-limit.ts';
import type { createRequestLog } from './request-log.ts';
import type { NoMatchCost, Settings } from './settings.ts';

/** What is kept between requests, beside the books. */
export interface Memory {
  settings: Settings;
  rates: Readonly<Record<string, RateState>>;
  faultProgress: FaultProgress;
}

export interface Desk {
  readonly clock: Clock;
  readonly seed: number;
  readonly books: Books;
  readonly memory: Memory;
  readonly log: ReturnType<typeof createRequestLog>;
  view(): View;
}

/** Serves one API request: key, rate, parameters, credits, record, in this order; then the fault has its say. */
export async function serveRequest(request: Request, url: URL, desk: Desk): Promise<Response> {
  const { clock, memory, books } = desk;
  const { method } = request;
  const logged = desk.log.add({
    atMs: clock.now(),
    method,
    path: url.pathname + url.search,
    ...(method === 'POST' && { body: await request.clone().text() }),
  });
  const { report, refusal } = admit(request, memory, clock.now());
  const operation = operations.find((one) => one.path === url.pathname && one.method === method);
  const fault = refusal === undefined && operation !== undefined ? nextFault(operation, desk) : undefined;
  const charge: Books['charge'] = (name, credits) => {
    books.charge(name, credits);
    logged.credits += credits;
  };
  const reply =
    refusal === undefined
      ? await replyUnder(fault, () => work({ request, url, operation, charge }, desk))
      : errorReply(refusal);
  books.count(endingOf(fault) ?? reply.status);
  Object.assign(logged, { status: reply.status, ...(fault && { fault: fault.kind }) });
  const { latencyMs, rateHeaders } = memory.settings;
  const response = await deliver(
    { reply, report, fault },
    { clock, latencyMs, rateHeaders, signal: request.signal },
  );
  if (!request.signal.aborted) logged.answeredAtMs = clock.now();
  return response;
}

function nextFault({ name }: Operation, { memory, seed }: Desk): Fault | undefined {
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

async function work({ request, url, operation, charge }: Call, desk: Desk): Promise<Reply> {
  try {
    if (operation === undefined) return unknownPathReply(request, url);
    const body = operation.method === 'POST' ? await readJson(request) : undefined;
    const question = operation.read({ query: url.searchParams, body });
    const teller = {
      balance: desk.books.balance,
      charge,
      noMatchCost: desk.memory.settings.noMatchCost,
      view: desk.view(),
    };
    const answer = answerAndCharge(operation, question, teller);
    const statusCode = operation.successStatus;
    return { status: statusCode, body: { ...answer.body, statusCode, message: 'Success' } };
  } catch (error) {
    if (error instanceof ApiError) return errorReply(error);
    throw error;
  }
}

function errorReply(error: ApiError): Reply {
  return { status: error.status, body: errorBody(error) };
}

/** Not of the spec's table: what the web frameworks of such services say, told from "no match" by its message. */
function unknownPathReply({ method }: Request, { pathname }: URL): Reply {
  const body = { statusCode: 404, message: `Cannot ${method} ${pathname}`, error: 'Not Found' };
  return { status: 404, body };
}

function faultReply(fault: Fault | undefined): Reply {
  return errorReply(new ApiError(fault?.status ?? 500, 'Fault asked for in the settings of the stand-in'));
}

interface Teller extends Pick<Books, 'balance' | 'charge'> {
  readonly noMatchCost: NoMatchCost;
  readonly view: View;
}

/**
 * Answers a question and charges for it in one step. A search must be able to pay at least one result before it
 * is run, and all its results before any is charged.
 * @throws ApiError 402, with nothing charged; 404, charged as the setting says
 */
function answerAndCharge({ name }: Operation, question: Question, teller: Teller): Answer {
  const { price } = question;
  if (teller.balance() < price.full) throw insufficientCredits();
  const answer = answerOrChargeNoMatch(name, question, teller);
  const isEmpty = price.per === 'result' && answer.resultCount === 0;
  const results = isEmpty && teller.view.settings.emptySearchCost === 'base' ? 1 : answer.resultCount;
  const cost = price.per === 'result' ? price.full * results : price.full;
  if (teller.balance() < cost) throw insufficientCredits();
  teller.charge(name, cost);
  return answer;
}

function answerOrChargeNoMatch(name: Operation['name'], question: Question, teller: Teller): Answer {
  try {
    return question.answer(teller.view);
  } catch (error) {
    const isNoMatch = error instanceof ApiError && error.status === 404;
    if (isNoMatch) teller.charge(name, costOfNoMatch(question.price, teller.noMatchCost));
    throw error;
  }
}

/** Of the employee search, which alone of the searches can end so, it counts as one result. */
function costOfNoMatch(price: Price, setting: NoMatchCost): number {
  if (setting === 'none') return 0;
  return setting === 'base' ? price.base : price.full;
}
