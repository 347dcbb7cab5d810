import type { HttpResponse } from './http-request.ts';

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
