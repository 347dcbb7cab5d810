import { type Clock, type Random, UpstreamError } from '#shared/kernel';
import type { HttpRequest, HttpResponse, Send } from './http-request.ts';

/** Result of one attempt. */
export type SendResult =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'failure'; readonly failure: UpstreamError };

/** Whether to retry. `waitMs` is the wait that the server requests. It replaces our backoff. */
export type RetryDecision =
  | { readonly retry: false }
  | { readonly retry: true; readonly waitMs?: number | undefined };

export type Classify = (attempt: SendResult) => RetryDecision;

export interface RetryPolicy {
  /** Number of attempts, including the first one. */
  readonly maxAttempts: number;
  /** Upper limit of the first backoff. The limit doubles with every attempt. */
  readonly baseDelayMs: number;
  /** Longest backoff. The server can request a longer wait. */
  readonly maxDelayMs: number;
  /**
   * Limit for all attempts and waits. A wait that would exceed the limit is not started. Default: `maxAttempts` times
   * the sum of the request's timeout and the longest backoff.
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
  /** Ends the current attempt or wait. The result of the last attempt is then returned or thrown. */
  readonly signal?: AbortSignal;
}

/**
 * Repeats a request until `classify` or a limit ends it. Returns the last response or throws the last failure. If the
 * last attempt was not sent, but an earlier attempt may have been processed, the result of the earlier attempt counts.
 */
export async function sendWithRetries(options: RetryOptions): Promise<HttpResponse> {
  const { policy, clock, classify } = options;
  const request = withSignals(options);
  const { totalMs = policy.maxAttempts * (request.timeoutMs + policy.maxDelayMs) } = policy;
  const deadlineMs = clock.monotonic() + totalMs;
  let lastSent: SendResult | undefined;
  for (let made = 1; ; made += 1) {
    const attempt = await attemptOnce({ ...options, request }, deadlineMs - clock.monotonic());
    if (!isProvenUnsent(attempt)) lastSent = attempt;
    const verdict = classify(attempt);
    const outcome = isProvenUnsent(attempt) && lastSent ? lastSent : attempt;
    if (!verdict.retry || made >= policy.maxAttempts) return settle(outcome);
    const waitMs = verdict.waitMs ?? backoffMs({ policy, made, random: options.random });
    if (clock.monotonic() + waitMs >= deadlineMs) return settle(outcome);
    const stillWanted = await waitUnlessAborted({ clock, waitMs, signal: request.signal });
    if (!stillWanted || clock.monotonic() >= deadlineMs) return settle(outcome);
  }
}

/**
 * Computes the backoff: a random time up to an exponential limit, so that many callers do not retry at the same time.
 */
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

/** Combines the request's signal with the signal of all attempts. */
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

/** @returns false if the caller gave up during the wait. */
async function waitUnlessAborted(options: {
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
 * Returns the wait in `Retry-After`, milliseconds, never negative; `undefined` if the header is absent. A date is
 * compared with the server's `Date` header, if the answer has one. So an error of our clock does not matter.
 */
export function retryAfterMs(response: HttpResponse): number | undefined {
  const header = response.headers['retry-after']?.trim();
  if (!header) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?$/.test(header)) return Number(header) * 1_000;
  const untilMs = httpDateMs(header);
  if (untilMs === undefined) return undefined;
  return Math.max(0, untilMs - (serverDateMs(response) ?? response.receivedAtMs));
}

/** Returns the server's time in its `Date` header. Epoch milliseconds, precise to a second. */
export function serverDateMs(response: HttpResponse): number | undefined {
  return httpDateMs(response.headers['date'] ?? '');
}

/** Parses an HTTP date. Checks the form first, because `Date.parse` accepts nearly any text with a number. */
function httpDateMs(text: string): number | undefined {
  const parsed = /^[A-Z][a-z]{2,8}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
