import { type Classify, type HttpRequest, type HttpResponse, type Send, sendWithRetries } from '#shared/http';
import { assert, type Clock, type Random, SECOND_MS, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { HUBSPOT_ERRORS, type HubSpotErrorCode } from './error-codes.ts';
import { responseFailure } from './failures.ts';

/** A request as the generated factories of `@hubspot/api-client` build it; their classes differ by module. */
export interface GeneratedRequest {
  getUrl(): string;
  getHttpMethod(): string;
  getHeaders(): Readonly<Record<string, string>>;
  getBody(): unknown;
}

export interface ExchangeOptions {
  /** Statuses beside 2xx that the caller reads itself instead of having them thrown. */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** Attempts end by then, epoch milliseconds. */
  readonly untilMs?: number | undefined;
  /** One attempt only: for writes, which may be repeated only after the record was read again. */
  readonly once?: boolean | undefined;
}

/** Sends a generated request under its dated path. @throws UpstreamError `HUBSPOT_*` or `HTTP_*` */
export type Exchange = (request: GeneratedRequest, options?: ExchangeOptions) => Promise<HttpResponse>;

export interface TransportOptions {
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

/**
 * The only way to HubSpot. The factories of the official client only build requests. Its own sending has no timeout,
 * no dated path and no jitter. Its deserialiser drops unknown fields and splits the texts of error contexts into
 * letters. So sending, waiting and reading are done here and in `schemas.ts`.
 */
export function createExchange(options: TransportOptions): Exchange {
  return async (generated, { accept = [], signal, untilMs, once = false } = {}) => {
    const leftMs = untilMs === undefined ? options.retryForMs : untilMs - options.clock.now();
    if (leftMs <= 0) throw outOfTime();
    const isKept = (status: number) => (status >= 200 && status < 300) || accept.includes(status);
    const response = await sendWithRetries({
      send: options.send,
      request: toHttpRequest(generated, options.timeoutMs),
      classify: classifier(isKept, options.random),
      policy: { ...BACKOFF, ...(once && { maxAttempts: 1 }), totalMs: Math.min(options.retryForMs, leftMs) },
      clock: options.clock,
      random: options.random,
      ...(signal === undefined ? {} : { signal }),
    });
    options.onAnswer(response);
    if (!isKept(response.status)) throw responseFailure(response);
    return response;
  };
}

function outOfTime(): UpstreamError {
  const code: HubSpotErrorCode = 'HUBSPOT_TIME_SHORT';
  const message = 'The time for requests to HubSpot was over before this one was sent.';
  return new UpstreamError({ code, message, retryable: HUBSPOT_ERRORS[code].retryable });
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
    const failure = attempt.kind === 'failure' ? attempt.failure : responseFailure(attempt.response);
    if (!failure.retryable) return { retry: false };
    const wishMs = failure.retryAfterMs;
    // Never earlier than asked for, and not all callers at the same moment.
    return { retry: true, waitMs: wishMs === undefined ? undefined : wishMs * (1 + random() / 2) };
  };
}

function toHttpRequest(generated: GeneratedRequest, timeoutMs: number): HttpRequest {
  const body = generated.getBody();
  assert(body === undefined || typeof body === 'string', 'HubSpot requests carry JSON text or nothing');
  return {
    method: generated.getHttpMethod(),
    url: datedUrl(generated.getUrl()),
    headers: generated.getHeaders(),
    timeoutMs,
    ...(body === undefined ? {} : { body }),
  };
}

/** `/crm/v3/objects/...` becomes `/crm/objects/2026-09/...`: the same shapes under another path. */
function datedUrl(url: string): string {
  const dated = url.replace(/\/crm\/v3\/(objects|properties)\//, `/crm/$1/${API_VERSION}/`);
  assert(dated.includes(`/${API_VERSION}/`), 'every path to HubSpot names the version');
  return dated;
}

/** The member of a generated string enum that has this value: the official client's types take no plain text. */
export function enumMember<Member extends string>(
  members: Readonly<Record<string, Member>>,
  value: `${Member}`,
): Member {
  const member = Object.values(members).find((candidate) => candidate === value);
  assert(member !== undefined, 'a generated enum knows each of its values');
  return member;
}
