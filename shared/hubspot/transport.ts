import type { HttpRequest, HttpResponse, Send } from '#shared/http/http-request.ts';
import { type Classify, sendWithRetries } from '#shared/http/retry.ts';
import { type Clock, SECOND_MS } from '#shared/kernel/clock.ts';
import { assert, UpstreamError } from '#shared/kernel/errors.ts';
import type { Random } from '#shared/kernel/random.ts';
import { failureOf } from './failures.ts';

/** The version that every path names; HubSpot supports one for 18 months ("Platform versioning"). */
export const API_VERSION = '2026-09';

export interface HubSpotRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** With the version in it. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ExchangeOptions {
  /** Statuses beside 2xx that the caller reads itself instead of having them thrown. */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** No attempt goes on after this, epoch milliseconds. */
  readonly untilMs?: number | undefined;
  /** One attempt only: for writes, which may be repeated only by whoever has read again what is there. */
  readonly once?: boolean | undefined;
}

/** @throws UpstreamError `HUBSPOT_*` or `HTTP_*` */
export type Exchange = (request: HubSpotRequest, options?: ExchangeOptions) => Promise<HttpResponse>;

export interface TransportOptions {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** For all attempts and waits of one request together. */
  readonly retryForMs: number;
  /** Sees the last answer to every request, whatever its status. */
  readonly onAnswer: (response: HttpResponse) => void;
}

/** The one way to HubSpot: sending and waiting are done here, and answers are read by `schemas.ts`. */
export function createExchange(options: TransportOptions): Exchange {
  return async (request, { accept = [], signal, untilMs, once = false } = {}) => {
    const leftMs = untilMs === undefined ? options.retryForMs : untilMs - options.clock.now();
    if (leftMs <= 0) throw outOfTime();
    const isKept = (status: number) => (status >= 200 && status < 300) || accept.includes(status);
    const response = await sendWithRetries({
      send: options.send,
      request: toHttpRequest(request, options),
      classify: classifier(isKept, options.random),
      policy: { ...BACKOFF, ...(once && { maxAttempts: 1 }), totalMs: Math.min(options.retryForMs, leftMs) },
      clock: options.clock,
      random: options.random,
      ...(signal === undefined ? {} : { signal }),
    });
    options.onAnswer(response);
    if (!isKept(response.status)) throw failureOf(response);
    return response;
  };
}

function outOfTime(): UpstreamError {
  const message = 'The time for requests to HubSpot was over before this one was sent.';
  return new UpstreamError({ code: 'HUBSPOT_TIME_SHORT', message, retryable: true });
}

/** For failures without a wish of the server: HubSpot advises "a few seconds" for its 5xx. */
const BACKOFF = { maxAttempts: 5, baseDelayMs: 2 * SECOND_MS, maxDelayMs: 8 * SECOND_MS };

/**
 * What is not sent `once` may be sent again: reads, searches, and creations of properties, which a second time are
 * answered "exists". Hence every failure that may pass is retried, a lost answer included.
 */
function classifier(isKept: (status: number) => boolean, random: Random): Classify {
  return (attempt) => {
    if (attempt.kind === 'response' && isKept(attempt.response.status)) return { retry: false };
    const failure = attempt.kind === 'failure' ? attempt.failure : failureOf(attempt.response);
    if (!failure.retryable) return { retry: false };
    const wishMs = failure.retryAfterMs;
    // Never earlier than asked for, and not all callers at the same moment.
    return { retry: true, waitMs: wishMs === undefined ? undefined : wishMs * (1 + random() / 2) };
  };
}

function toHttpRequest(
  { method, path, body }: HubSpotRequest,
  { baseUrl, accessToken, timeoutMs }: TransportOptions,
): HttpRequest {
  assert(path.includes(`/${API_VERSION}/`), 'every path to HubSpot names the version');
  const headers = { Accept: 'application/json', Authorization: `Bearer ${accessToken}` };
  const request = { method, url: `${baseUrl}${path}`, headers, timeoutMs };
  if (body === undefined) return request;
  const withType = { ...headers, 'Content-Type': 'application/json' };
  return { ...request, headers: withType, body: JSON.stringify(body) };
}
