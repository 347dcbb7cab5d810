import type { GatewayResult } from '#shared/lambda';
import type { HttpEvent } from './handler.ts';

/**
 * Measures the time from HubSpot's signed timestamp to our answer. Only for accepted deliveries, because the header of
 * a refused delivery cannot be trusted. @returns milliseconds, never below 0, because clocks may differ.
 */
export function deliveryLatencyMs(
  event: HttpEvent,
  result: GatewayResult,
  nowMs: number,
): number | undefined {
  const sentAtMs = Number(event.headers['x-hubspot-request-timestamp']);
  if (result.statusCode !== 200 || !Number.isSafeInteger(sentAtMs) || sentAtMs <= 0) return undefined;
  return Math.max(0, nowMs - sentAtMs);
}
