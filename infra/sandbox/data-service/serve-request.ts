import type { Clock } from '../../../shared/kernel/index.ts';
import { ConnectionReset, hang } from '../connection-reset.ts';
import { operations } from './operations.ts';
import { judgeArrival, type RateState, untouched } from './rate-limit.ts';
import {
  type Answer,
  ApiError,
  badRequest,
  errorBody,
  type Operation,
  type OperationName,
  type Question,
  readJson,
  type View,
} from './requests.ts';
import {
  DEFAULT_SLOWNESS_MS,
  drawFault,
  type Fault,
  type FaultProgress,
  isRecord,
  type Settings,
  strikesBeforeWork,
} from './settings.ts';
import { untidied } from './untidy-values.ts';

export const ACTIVE_KEYS: readonly string[] = ['sandbox-key', 'sandbox-key-2'];

/** Requests and charges since the last reset. */
export interface Bill {
  readonly creditsCharged: number;
  readonly creditBalance: number;
  /** All requests under the API's paths, including refused and unanswered ones. */
  readonly requests: number;
  /** Credits charged, by operation. */
  readonly byOperation: Readonly<Record<string, number>>;
  /** Requests by status. Unanswered requests are under `reset` and `hang`. */
  readonly byStatus: Readonly<Record<string, number>>;
}

export function emptyBill(creditBalance: number): Bill {
  return { creditsCharged: 0, creditBalance, requests: 0, byOperation: {}, byStatus: {} };
}

/** A single request and its result. The bill, in contrast, has only sums. */
export interface LoggedRequest {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly body?: string;
  credits: number;
  /** Absent while unknown. */
  status?: number;
  fault?: string;
  /** Time of the answer. Absent without an answer. */
  answeredAtMs?: number;
}

/** Maximum number of logged requests. Older ones are dropped, because a stand-in can run for days. */
const MOST_LOGGED = 10_000;

/** State that requests share. */
export interface ServiceMemory {
  settings: Settings;
  bill: Bill;
  /** Rate state by key. Each key has its own window. */
  rates: Readonly<Record<string, RateState>>;
  faultProgress: FaultProgress;
}

export interface RequestContext {
  readonly clock: Clock;
  readonly memory: ServiceMemory;
  readonly log: LoggedRequest[];
  view(): View;
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Serves one API request: checks the key, rate, parameters and credits, and finds the record, in this order. Then it
 * applies the fault.
 */
export async function serveRequest(request: Request, url: URL, context: RequestContext): Promise<Response> {
  const { clock, memory, log } = context;
  const { method } = request;
  const logged: LoggedRequest = {
    atMs: clock.now(),
    method,
    path: url.pathname + url.search,
    ...(method === 'POST' && { body: await request.clone().text() }),
    credits: 0,
  };
  log.push(logged);
  if (log.length > MOST_LOGGED) log.shift();
  const { report, refusal } = admit(request, memory, clock.now());
  const operation = operations.find((one) => one.path === url.pathname && one.method === method);
  let fault: Fault | undefined;
  if (refusal === undefined && operation !== undefined) {
    const { faults } = memory.settings;
    const drawn = drawFault({ faults, operation: operation.name }, memory.faultProgress);
    memory.faultProgress = drawn.progress;
    fault = drawn.fault;
  }
  const charge: Charge = (name, credits) => {
    const { creditsCharged, creditBalance, byOperation } = memory.bill;
    memory.bill = {
      ...memory.bill,
      creditsCharged: creditsCharged + credits,
      creditBalance: creditBalance - credits,
      byOperation: increased(byOperation, name, credits),
    };
    logged.credits += credits;
  };
  const reply = refusal
    ? errorReply(refusal)
    : await replyUnder(fault, () => work({ request, url, operation, charge }, context));
  const { bill } = memory;
  const result = unansweredResult(fault) ?? String(reply.status);
  memory.bill = { ...bill, requests: bill.requests + 1, byStatus: increased(bill.byStatus, result, 1) };
  Object.assign(logged, { status: reply.status, ...(fault && { fault: fault.kind }) });
  const response = await deliver({ reply, report, fault }, { clock, settings: memory.settings, request });
  if (!request.signal.aborted) logged.answeredAtMs = clock.now();
  return response;
}

function increased(counts: Readonly<Record<string, number>>, key: string, by: number) {
  return { ...counts, [key]: (counts[key] ?? 0) + by };
}

interface RateReport {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
}

/** Checks the key, then the rate. Counts the request if both pass. `refusal` is a 401 or 429. */
function admit(request: Request, memory: ServiceMemory, nowMs: number) {
  const { rateAlgorithm: algorithm, rateLimitPerMinute: limit } = memory.settings;
  const rule = { algorithm, limitPerMinute: limit };
  const key = request.headers.get('x-api-key');
  if (key === null || !ACTIVE_KEYS.includes(key)) {
    const text = key === null ? 'API key is required' : 'Invalid or missing API key';
    return { report: { limit, ...untouched(rule, nowMs) }, refusal: new ApiError(401, text) };
  }
  const { state, isAdmitted, ...rest } = judgeArrival(memory.rates[key], rule, nowMs);
  memory.rates = { ...memory.rates, [key]: state };
  const refusal = isAdmitted ? undefined : new ApiError(429, 'Too many requests within the limit');
  return { report: { limit, ...rest }, refusal };
}

async function replyUnder(fault: Fault | undefined, doWork: () => Promise<Reply>): Promise<Reply> {
  const reply = fault !== undefined && strikesBeforeWork(fault) ? undefined : await doWork();
  if (reply && fault?.kind !== 'status') return reply;
  return errorReply(new ApiError(fault?.status ?? 500, 'Fault set in the settings of the stand-in'));
}

type Charge = (operation: OperationName, credits: number) => void;

async function work(
  {
    request,
    url,
    operation,
    charge,
  }: { request: Request; url: URL; operation: Operation | undefined; charge: Charge },
  context: RequestContext,
): Promise<Reply> {
  try {
    if (operation === undefined) {
      // As web frameworks do. The specification does not list it. Its message differs from "no match".
      const message = `Cannot ${request.method} ${url.pathname}`;
      return { status: 404, body: { statusCode: 404, message, error: 'Not Found' } };
    }
    const body = operation.method === 'POST' ? ((await readJson(request)) ?? {}) : undefined;
    if (body !== undefined && !isRecord(body)) throw badRequest('Request body must be a JSON object');
    const question = operation.read(body ?? Object.fromEntries(url.searchParams));
    const answer = answerAndCharge(question, context, (credits) => charge(operation.name, credits));
    const statusCode = operation.successStatus;
    const data = untidied(answer.body.data, context.memory.settings.untidyRate);
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
 * Answers a question and charges for it in one step. A search runs only if the balance covers one result. It is
 * charged only if the balance covers all results.
 * @throws ApiError 402, which charges nothing, or 404, which is charged by the setting
 */
function answerAndCharge(
  { price, answer: find }: Question,
  { memory, view }: RequestContext,
  charge: (credits: number) => void,
): Answer {
  const { noMatchCost, emptySearchCost } = memory.settings;
  const requireBalance = (credits: number) => {
    if (memory.bill.creditBalance >= credits) return;
    throw new ApiError(402, 'Not sufficient credit available for request');
  };
  requireBalance(price.full);
  try {
    const answer = find(view());
    const results = Math.max(answer.resultCount, emptySearchCost === 'base' ? 1 : 0);
    const cost = price.per === 'result' ? price.full * results : price.full;
    requireBalance(cost);
    charge(cost);
    return answer;
  } catch (error) {
    // In the employee search, the only search that can return a 404, it counts as one result.
    const isNoMatch = error instanceof ApiError && error.status === 404;
    if (isNoMatch) charge({ none: 0, base: price.base, full: price.full }[noMatchCost]);
    throw error;
  }
}

/** Name under which the bill counts a request with this fault. `undefined` if the request is answered. */
function unansweredResult(fault: Fault | undefined): 'reset' | 'hang' | undefined {
  if (fault?.kind === 'reset-before' || fault?.kind === 'reset-after') return 'reset';
  return fault?.kind === 'hang' ? 'hang' : undefined;
}

/**
 * Sends the answer. A fault can delay or damage it.
 * @throws ConnectionReset, or the signal's reason if the request is aborted
 */
async function deliver(
  { reply, report, fault }: { reply: Reply; report: RateReport; fault: Fault | undefined },
  { clock, settings, request: { signal } }: { clock: Clock; settings: Settings; request: Request },
): Promise<Response> {
  const { latencyMs, rateHeaders } = settings;
  const slownessMs = fault?.kind === 'slow' ? (fault.latencyMs ?? DEFAULT_SLOWNESS_MS) : 0;
  if (latencyMs + slownessMs > 0) await clock.sleep(latencyMs + slownessMs, signal);
  const ending = unansweredResult(fault);
  if (ending === 'reset') throw new ConnectionReset(fault?.kind === 'reset-after');
  if (ending === 'hang') return hang(signal);
  if (fault?.body !== undefined)
    return new Response(fault.body, { status: reply.status, headers: { 'content-type': 'text/html' } });
  const text = JSON.stringify(reply.body);
  const date = { date: new Date(clock.now()).toUTCString() };
  const known = rateHeaders ? { ...date, ...rateHeadersOf(report) } : date;
  const headers = fault?.kind === 'headers-missing' ? {} : known;
  return new Response(fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text, {
    status: reply.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Builds the rate headers. The reset is rounded up, so that no client retries too early. */
function rateHeadersOf({ limit, remaining, resetAtMs }: RateReport): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
  };
}
