import { type HttpResponse, serverDateMs } from '#shared/http';
import type { ServiceRate } from './errors.ts';

/** Reads the three `X-RateLimit-*` headers; `undefined` unless all three are numbers. */
export function readRateHeaders(response: HttpResponse): ServiceRate | undefined {
  const limit = readCount(response, 'x-ratelimit-limit');
  const remaining = readCount(response, 'x-ratelimit-remaining');
  const reset = readCount(response, 'x-ratelimit-reset');
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  const dateMs = serverDateMs(response);
  return {
    limit,
    remaining,
    ...(reset < SMALLEST_TIMESTAMP
      ? { resetAtMs: (dateMs ?? response.receivedAtMs) + reset * 1_000, isDelta: true }
      : { resetAtMs: epochMs(reset) }),
    ...(dateMs !== undefined && { serverDateMs: dateMs }),
  };
}

function readCount(response: HttpResponse, header: string): number | undefined {
  const value = response.headers[header]?.trim() ?? '';
  return /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined;
}

/** A timestamp below this number would be before the year 2001. So such a value is a number of seconds from now. */
const SMALLEST_TIMESTAMP = 1e9;

/**
 * A Unix timestamp counts seconds. Above this number, it would be after the year 5000, so the value counts
 * milliseconds. If it were read as seconds, all requests would stop permanently.
 */
const LARGEST_IN_SECONDS = 1e11;

function epochMs(timestamp: number): number {
  return Math.round(timestamp > LARGEST_IN_SECONDS ? timestamp : timestamp * 1_000);
}
