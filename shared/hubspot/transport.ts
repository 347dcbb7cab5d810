import { type Classify, type HttpRequest, type HttpResponse, type Send, sendWithRetries } from '#shared/http';
import { assert, type Clock, type Random, SECOND_MS, UpstreamError } from '#shared/kernel';
import { API_VERSION } from './api-version.ts';
import { HUBSPOT_ERRORS, type HubSpotErrorCode, responseFailure } from './failures.ts';

/** A request that a generated factory of `@hubspot/api-client` builds. The classes of requests differ by module. */
export interface GeneratedRequest {
  getUrl(): string;
  getHttpMethod(): string;
  getHeaders(): Readonly<Record<string, string>>;
  getBody(): unknown;
}

export interface ExchangeOptions {
  /** Statuses besides 2xx that are returned instead of thrown. */
  readonly accept?: readonly number[];
  readonly signal?: AbortSignal | undefined;
  /** Deadline of all attempts, epoch milliseconds. */
  readonly untilMs?: number | undefined;
  /** Allows one attempt only. Used for writes, because before a retry the record must be read again. */
  readonly once?: boolean | undefined;
}

/** Sends a generated request under its dated path. @throws UpstreamError `HUBSPOT_*` or `HTTP_*` */
export type Exchange = (request: GeneratedRequest, options?: ExchangeOptions) => Promise<HttpResponse>;

export interface TransportOptions {
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
  /** Timeout of one attempt. */
  readonly timeoutMs: number;
  /** Limit for all attempts and waits of one request. */
  readonly retryForMs: number;
  /** Receives the final answer to every request, with any status. */
  readonly onAnswer: (response: HttpResponse) => void;
}

/**
 * Creates the only way to send requests to HubSpot. The official client only builds the requests. Its own sending has
 * no timeout, no dated path and no jitter. Its deserialiser drops unknown fields and splits the texts of error contexts
 * into letters. So requests are sent and retried here, and answers are parsed in `schemas.ts`.
 */
export function createExchange(options: TransportOptions): Exchange {
  return async (generated, { accept = [], signal, untilMs, once = false } = {}) => {
    const leftMs = untilMs === undefined ? options.retryForMs : untilMs - options.clock.now();
    if (leftMs <= 0) throw outOfTime();
    const isAccepted = (status: number) => (status >= 200 && status < 300) || accept.includes(status);
    const response = await sendWithRetries({
      send: options.send,
      request: toHttpRequest(generated, options.timeoutMs),
      classify: classifier(isAccepted, options.random),
      policy: { ...BACKOFF, ...(once && { maxAttempts: 1 }), totalMs: Math.min(options.retryForMs, leftMs) },
      clock: options.clock,
      random: options.random,
      ...(signal === undefined ? {} : { signal }),
    });
    options.onAnswer(response);
    if (!isAccepted(response.status)) throw responseFailure(response);
    return response;
  };
}

function outOfTime(): UpstreamError {
  const code: HubSpotErrorCode = 'HUBSPOT_TIME_SHORT';
  const message = 'The time for requests to HubSpot was over before this one was sent.';
  return new UpstreamError({ code, message, retryable: HUBSPOT_ERRORS[code].retryable });
}

/** Backoff for failures without `Retry-After`. HubSpot advises "a few seconds" for its 5xx. */
const BACKOFF = { maxAttempts: 5, baseDelayMs: 2 * SECOND_MS, maxDelayMs: 8 * SECOND_MS };

/**
 * Retries every temporary failure, including a lost answer. Requests without `once` are safe to repeat: reads,
 * searches, and creations of properties. HubSpot answers a repeated creation with "exists".
 */
function classifier(isAccepted: (status: number) => boolean, random: Random): Classify {
  return (attempt) => {
    if (attempt.kind === 'response' && isAccepted(attempt.response.status)) return { retry: false };
    const failure = attempt.kind === 'failure' ? attempt.failure : responseFailure(attempt.response);
    if (!failure.retryable) return { retry: false };
    const requestedMs = failure.retryAfterMs;
    // The retry is never earlier than HubSpot requests, plus jitter.
    return { retry: true, waitMs: requestedMs === undefined ? undefined : requestedMs * (1 + random() / 2) };
  };
}

function toHttpRequest(generated: GeneratedRequest, timeoutMs: number): HttpRequest {
  const body = generated.getBody();
  assert(
    body === undefined || typeof body === 'string',
    'the body of a HubSpot request is JSON text or absent',
  );
  return {
    method: generated.getHttpMethod(),
    url: datedUrl(generated.getUrl()),
    headers: generated.getHeaders(),
    timeoutMs,
    ...(body === undefined ? {} : { body }),
  };
}

/**
 * Converts `/crm/v3/objects/...` to `/crm/objects/2026-09/...`. Requests and answers have the same form under both
 * paths.
 */
function datedUrl(url: string): string {
  const dated = url.replace(/\/crm\/v3\/(objects|properties)\//, `/crm/$1/${API_VERSION}/`);
  assert(dated.includes(`/${API_VERSION}/`), 'every HubSpot path includes the version');
  return dated;
}

/** Finds the member of a generated string enum with this value. The official client's types accept no plain text. */
export function enumMember<Member extends string>(
  members: Readonly<Record<string, Member>>,
  value: `${Member}`,
): Member {
  const member = Object.values(members).find((candidate) => candidate === value);
  assert(member !== undefined, 'the value is in the generated enum');
  return member;
}

/** HubSpot's address and the app's access token. */
export interface Address {
  readonly baseUrl: string;
  readonly accessToken: string;
}

interface Plain {
  readonly method: 'GET' | 'POST';
  /** Includes the version. */
  readonly path: string;
  readonly body?: unknown;
}

/** Builds a request to an API for which this program uses no generated client. */
export function plainRequest(
  { baseUrl, accessToken }: Address,
  { method, path, body }: Plain,
): GeneratedRequest {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    getUrl: () => `${baseUrl}${path}`,
    getHttpMethod: () => method,
    getHeaders: () => ({ Accept: 'application/json', Authorization: `Bearer ${accessToken}`, ...type }),
    getBody: () => (body === undefined ? undefined : JSON.stringify(body)),
  };
}

/**
 * Replaces the package `form-data` in the bundles, by the bundler's `alias`. HubSpot's client only checks whether a
 * body is form data, and our bodies never are. The package would add 150 KB of MIME types.
 */
export default class NoFormData {
  constructor() {
    throw new Error('Form data is not bundled.');
  }
}
