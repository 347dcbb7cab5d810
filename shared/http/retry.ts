import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import type { HttpRequest, HttpResponse, Send } from './http-request.ts';

/** What one attempt came to. */
export type SendResult =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'failure'; readonly failure: UpstreamError };

/** What to make of it. `waitMs`: the server's own wish, which comes before any backoff of ours. */
export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly waitMs?: number | undefined };

export type Classify = (attempt: SendResult) => RetryDecision;

export interface RetryPolicy {
  /** The first one included. */
  readonly maxAttempts: number;
  /** Upper end of the first backoff; doubles with every attempt. */
  readonly baseDelayMs: number;
  /** Upper end of any backoff. A server's wish may be longer. */
  readonly maxDelayMs: number;
  /**
   * For all attempts and waits together, from the call on; a wait that does not fit is not begun.
   * Unless given: `maxAttempts` times the request's timeout and the longest backoff.
   */
  readonly totalMs?: number;
}

export interface RetryOptions {
  readonly send: Send;
  readonly request: HttpRequest;
  readonly classify: Classify;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends the attempt under way or the wait; what the last attempt came to is then the result. */
  readonly signal?: AbortSignal;
}

/**
 * Attempt, classify, decide, until a verdict or a bound says stop; then the last response, or its failure, stands.
 * An earlier attempt that may have been processed is never hidden behind a later one that was not sent.
 */
export async function sendWithRetries(options: RetryOptions): Promise<HttpResponse> {
  const { policy, clock, classify } = options;
  const request = withSignals(options);
  const { totalMs = policy.maxAttempts * (request.timeoutMs + policy.maxDelayMs) } = policy;
  const deadlineMs = clock.monotonic() + totalMs;
  let unproved: SendResult | undefined;
  for (let made = 1; ; made += 1) {
    const attempt = await attemptOnce({ ...options, request }, deadlineMs - clock.monotonic());
    if (!isProvenUnsent(attempt)) unproved = attempt;
    const verdict = classify(attempt);
    const outcome = isProvenUnsent(attempt) && unproved ? unproved : attempt;
    if (!verdict.retry || made >= policy.maxAttempts) return settle(outcome);
    const waitMs = verdict.waitMs ?? backoffMs({ policy, made, random: options.random });
    if (clock.monotonic() + waitMs >= deadlineMs) return settle(outcome);
    const stillWanted = await waited({ clock, waitMs, signal: request.signal });
    if (!stillWanted || clock.monotonic() >= deadlineMs) return settle(outcome);
  }
}

/** Full jitter: anywhere from nothing to the exponential bound, so that many callers do not come back together. */
export function backoffMs(options: {
  readonly policy: RetryPolicy;
  /** Attempts made so far, from 1. */
  readonly made: number;
  readonly random: Random;
}): number {
  const { policy, made, random } = options;
  return random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (made - 1));
}

async function attemptOnce(options: RetryOptions, leftMs: number): Promise<SendResult> {
  const { send, request } = options;
  try {
    const response = await send({ ...request, timeoutMs: Math.min(request.timeoutMs, leftMs) });
    return { kind: 'response', response };
  } catch (error) {
    if (error instanceof UpstreamError) return { kind: 'failure', failure: error };
    throw error;
  }
}

/** The request's own signal and that of the whole undertaking as one. */
function withSignals({ request, signal }: RetryOptions): HttpRequest {
  const signals = [request.signal, signal].filter((one) => one !== undefined);
  return signals.length === 0 ? request : { ...request, signal: AbortSignal.any(signals) };
}

function settle(attempt: SendResult): HttpResponse {
  if (attempt.kind === 'failure') throw attempt.failure;
  return attempt.response;
}

function isProvenUnsent(attempt: SendResult): boolean {
  return attempt.kind === 'failure' && attempt.failure.code === 'HTTP_NOT_SENT';
}

/** @returns false when the caller gave up meanwhile. */
async function waited(options: {
  readonly clock: Clock;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}): Promise<boolean> {
  const { clock, waitMs, signal } = options;
  try {
    await clock.sleep(waitMs, signal);
    return true;
  } catch (error) {
    if (signal?.aborted) return false;
    throw error;
  }
}

/**
 * The wait that the server asked for, in milliseconds, never negative; undefined when it asked for none.
 * A date is measured against the server's own `Date` where there is one, so that our clock need not agree.
 */
export function retryAfterMs(response: HttpResponse): number | undefined {
  const wish = response.headers['retry-after']?.trim();
  if (!wish) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(wish)) return Number(wish) * 1_000;
  const untilMs = httpDateMs(wish);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (serverDateMs(response) ?? response.receivedAtMs));
}

/** The server's clock when it answered, from its `Date` header. Epoch milliseconds, precise to a second. */
export function serverDateMs(response: HttpResponse): number | undefined {
  return httpDateMs(response.headers['date'] ?? '');
}

/** `Date.parse` alone would make a date of nearly any text with a number in it. */
function httpDateMs(text: string): number | undefined {
  const parsed = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
