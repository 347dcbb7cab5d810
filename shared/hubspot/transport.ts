import { type Classify, type HttpRequest, type HttpResponse, type Send, sendWithRetries } from '#shared/http';
import { type Clock, HOUR_MS, nextDayStart, type Random, SECOND_MS, UpstreamError } from '#shared/kernel';
import { HUBSPOT_ERRORS } from './errors.ts';
import { responseFailure } from './failures.ts';
import type { DailyLimit, DailyReserve, Limits, Urgency } from './types.ts';

export interface HubSpotRequest extends Limits {
  readonly method: string;
  /** Includes the version. */
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
  /** Statuses besides 2xx that are returned instead of thrown. */
  readonly accept?: readonly number[];
  /** Allows one attempt only. Used for writes, because before a retry the record must be read again. */
  readonly once?: boolean | undefined;
}

/** Sends a request. @throws UpstreamError `HUBSPOT_*` or `HTTP_*` */
export type Exchange = (request: HubSpotRequest) => Promise<HttpResponse>;

export interface TransportOptions {
  readonly baseUrl: string;
  readonly accessToken: string;
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

/** Creates the only way to send requests to HubSpot. */
export function createExchange(options: TransportOptions): Exchange {
  const { send, clock, random, retryForMs } = options;
  return async (request) => {
    const { accept = [], untilMs, once = false } = request;
    const leftMs = untilMs === undefined ? retryForMs : untilMs - clock.now();
    if (leftMs <= 0) throw outOfTime();
    const isAccepted = (status: number) => (status >= 200 && status < 300) || accept.includes(status);
    const response = await sendWithRetries({
      send,
      request: toHttpRequest(request, options),
      classify: classifier(isAccepted, random),
      policy: { ...BACKOFF, ...(once && { maxAttempts: 1 }), totalMs: Math.min(retryForMs, leftMs) },
      clock,
      random,
    });
    options.onAnswer(response);
    if (!isAccepted(response.status)) throw responseFailure(response);
    return response;
  };
}

function outOfTime(): UpstreamError {
  const code = 'HUBSPOT_TIME_SHORT';
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

function toHttpRequest(
  { method, path, body }: HubSpotRequest,
  { baseUrl, accessToken, timeoutMs }: TransportOptions,
): HttpRequest {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    method,
    url: `${baseUrl}${path}`,
    headers: { Accept: 'application/json', Authorization: `Bearer ${accessToken}`, ...type },
    timeoutMs,
    ...(body !== undefined && { body }),
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

/** Bulk work leaves a tenth of the day's requests to the customer's other apps, live work one in fifty. */
export const DEFAULT_RESERVE: DailyReserve = { bulk: 0.1, live: 0.02 };

export interface DailyWatchOptions {
  readonly clock: Clock;
  readonly reserve: DailyReserve;
  /** Returns the IANA name of the account's time zone; may send a request to HubSpot. */
  readonly timeZone: () => Promise<string>;
}

/**
 * Watches the account's daily requests, which all its private apps share. If HubSpot refuses a request because the
 * daily limit is used up, no request is sent until the account's midnight. Each attempt would be an error, and HubSpot
 * limits the errors of an app.
 */
export function createDailyWatch({ clock, reserve, timeZone }: DailyWatchOptions) {
  let seen: DailyLimit | undefined;
  let refusal: { readonly error: UpstreamError; readonly untilMs: number } | undefined;

  /** Returns the next midnight of the account. If HubSpot does not return the time zone, returns a time in an hour. */
  const resetAfter = async (atMs: number): Promise<number> => {
    try {
      return nextDayStart(atMs, await timeZone());
    } catch (error) {
      if (error instanceof UpstreamError) return atMs + HOUR_MS;
      throw error;
    }
  };

  /** Sends a request, unless the daily limit is used up. */
  const guarded =
    (exchange: Exchange): Exchange =>
    async (request) => {
      const nowMs = clock.now();
      if (refusal && nowMs < refusal.untilMs) throw pausedError(refusal.error, refusal.untilMs - nowMs);
      try {
        return await exchange(request);
      } catch (error) {
        if (!(error instanceof UpstreamError) || error.code !== 'HUBSPOT_DAILY_LIMIT') throw error;
        const refusedAtMs = clock.now();
        // This is a preliminary time until the time zone is known. It also prevents a second request for the time zone.
        refusal = { error, untilMs: refusedAtMs + HOUR_MS };
        const requestedMs = error.retryAfterMs;
        const untilMs = requestedMs === undefined ? await resetAfter(refusedAtMs) : refusedAtMs + requestedMs;
        refusal = { error, untilMs };
        throw pausedError(error, untilMs - refusedAtMs);
      }
    };

  return {
    seen: () => seen,
    /** Stores the limit that an answer's headers contain. */
    note: (response: HttpResponse) => {
      seen = dailyLimitIn(response) ?? seen;
    },
    guarded,
    /** See `HubSpotClient.pausedUntil`. */
    pausedUntil: async (urgency: Urgency): Promise<number | undefined> => {
      const nowMs = clock.now();
      if (refusal && nowMs < refusal.untilMs) return refusal.untilMs;
      if (!seen || seen.remaining >= reserve[urgency] * seen.limit) return undefined;
      const resetMs = await resetAfter(seen.atMs);
      return resetMs > nowMs ? resetMs : undefined;
    },
  };
}

function pausedError(
  { code, message, status, requestId }: UpstreamError,
  retryAfterMs: number,
): UpstreamError {
  return new UpstreamError({ code, message, retryable: false, retryAfterMs, status, requestId });
}

function dailyLimitIn({ headers, receivedAtMs }: HttpResponse): DailyLimit | undefined {
  const limit = headers['x-hubspot-ratelimit-daily'];
  const remaining = headers['x-hubspot-ratelimit-daily-remaining'];
  if (limit === undefined || remaining === undefined) return undefined;
  if (!/^\d+$/.test(limit) || !/^\d+$/.test(remaining)) return undefined;
  return { limit: Number(limit), remaining: Number(remaining), atMs: receivedAtMs };
}
