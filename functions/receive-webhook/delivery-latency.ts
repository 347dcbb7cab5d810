import type { HttpEvent, HttpResult } from './handler.ts';

/**
 * From HubSpot's sending, by the timestamp that it signs, to our answer. Of accepted deliveries only: anybody may
 * write anything into a header that is not signed. @returns milliseconds; clocks may differ, so never below 0.
 */
export function deliveryLatencyMs(event: HttpEvent, result: HttpResult, nowMs: number): number | undefined {
  const sentAtMs = Number(event.headers['x-hubspot-request-timestamp']);
  if (result.statusCode !== 200 || !Number.isSafeInteger(sentAtMs) || sentAtMs <= 0) return undefined;
  return Math.max(0, nowMs - sentAtMs);
}
