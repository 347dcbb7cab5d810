import type { HttpResponse } from '#shared/http';
import { type Clock, HOUR_MS, nextDayStart, UpstreamError } from '#shared/kernel';
import type { Exchange } from './transport.ts';
import type { DailyLimit, DailyReserve, Urgency } from './types.ts';

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
