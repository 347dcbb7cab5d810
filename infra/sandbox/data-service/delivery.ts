import type { Clock } from '../../../shared/kernel/clock.ts';
import { ConnectionReset } from '../connection-reset.ts';
import type { RateReport } from './admission.ts';
import { DEFAULT_SLOWNESS_MS, type Fault } from './faults.ts';

/** An answer before it goes out. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Delivery {
  readonly reply: Reply;
  readonly report: RateReport;
  readonly fault: Fault | undefined;
}

/** Under what the bill counts a request whose connection meets this fault; `undefined` when it is answered. */
export function endingOf(fault: Fault | undefined): 'reset' | 'hang' | undefined {
  if (fault?.kind === 'reset-before' || fault?.kind === 'reset-after') return 'reset';
  return fault?.kind === 'hang' ? 'hang' : undefined;
}

/**
 * Sends the answer off, late or damaged where a fault says so.
 * @throws ConnectionReset, or the signal's reason once the request is aborted
 */
export async function deliver(
  { reply, report, fault }: Delivery,
  { clock, latencyMs, signal }: { clock: Clock; latencyMs: number; signal: AbortSignal },
): Promise<Response> {
  const slownessMs = fault?.kind === 'slow' ? (fault.latencyMs ?? DEFAULT_SLOWNESS_MS) : 0;
  if (latencyMs + slownessMs > 0) await clock.sleep(latencyMs + slownessMs, signal);
  const ending = endingOf(fault);
  if (ending === 'reset') throw new ConnectionReset(fault?.kind === 'reset-after');
  if (ending === 'hang') return untilAborted(signal);
  if (fault?.body !== undefined)
    return new Response(fault.body, { status: reply.status, headers: { 'content-type': 'text/html' } });
  const text = JSON.stringify(reply.body);
  const headers = fault?.kind === 'headers-missing' ? {} : serviceHeaders(report, clock.now());
  return new Response(fault?.kind === 'malformed' ? text.slice(0, text.length / 2) : text, {
    status: reply.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/** Reset in Unix seconds, rounded up: whoever waits until then is never early. */
function serviceHeaders({ limit, remaining, resetAtMs }: RateReport, nowMs: number): Record<string, string> {
  return {
    date: new Date(nowMs).toUTCString(),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAtMs / 1_000)),
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
