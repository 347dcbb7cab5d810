import type { Clock } from '../../../shared/kernel/index.ts';
import { ConnectionReset } from '../connection-reset.ts';
import type { RateReport } from './admission.ts';
import { DEFAULT_SLOWNESS_MS, type Fault } from './faults.ts';
import type { RateHeaderForm } from './rate-limit.ts';

/** An answer that is not sent yet. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Delivery {
  readonly reply: Reply;
  readonly report: RateReport;
  readonly fault: Fault | undefined;
}

/** Name under which the bill counts a request with this fault. `undefined` if the request is answered. */
export function unansweredResult(fault: Fault | undefined): 'reset' | 'hang' | undefined {
  if (fault?.kind === 'reset-before' || fault?.kind === 'reset-after') return 'reset';
  return fault?.kind === 'hang' ? 'hang' : undefined;
}

interface Delivering {
  readonly clock: Clock;
  readonly latencyMs: number;
  readonly rateHeaders: RateHeaderForm;
  readonly signal: AbortSignal;
}

/**
 * Sends the answer. A fault can delay or damage it.
 * @throws ConnectionReset, or the signal's reason if the request is aborted
 */
export async function deliver(
  { reply, report, fault }: Delivery,
  { clock, latencyMs, rateHeaders, signal }: Delivering,
): Promise<Response> {
  const slownessMs = fault?.kind === 'slow' ? (fault.latencyMs ?? DEFAULT_SLOWNESS_MS) : 0;
  if (latencyMs + slownessMs > 0) await clock.sleep(latencyMs + slownessMs, signal);
  const ending = unansweredResult(fault);
  if (ending === 'reset') throw new ConnectionReset(fault?.kind === 'reset-after');
  if (ending === 'hang') return untilAborted(signal);
  if (fault?.body !== undefined)
    return new Response(fault.body, { status: reply.status, headers: { 'content-type': 'text/html' } });
  const text = JSON.stringify(reply.body);
  const form = reply.status !== 429 && rateHeaders.startsWith('retry') ? 'rounded-up' : rateHeaders;
  const headers = fault?.kind === 'headers-missing' ? {} : serviceHeaders(report, form, clock.now());
  return new Response(fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text, {
    status: reply.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Builds the rate headers. Resets are rounded up, so that no client retries too early. */
function serviceHeaders(
  { limit, remaining, resetAtMs }: RateReport,
  form: RateHeaderForm,
  nowMs: number,
): Record<string, string> {
  const date = { date: new Date(nowMs).toUTCString() };
  const inS = Math.ceil((resetAtMs - nowMs) / 1_000);
  if (form === 'none') return date;
  if (form === 'retry-after') return { ...date, 'retry-after': String(inS) };
  if (form === 'retry-after-date')
    return { ...date, 'retry-after': new Date(nowMs + inS * 1_000).toUTCString() };
  const resetS = form === 'rounded-down' ? Math.floor(resetAtMs / 1_000) : Math.ceil(resetAtMs / 1_000);
  return {
    ...date,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(form === 'delta' ? inS : resetS),
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
