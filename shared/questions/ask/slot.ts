import { laneOf } from '#shared/crm';
import { SECOND_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { GatewayPolicy, GatewayServices, KeyedRequest } from '../gateway-services.ts';

/**
 * Longest pause of a worker between the mark and the request, or between the slot and the request. After a longer pause
 * no request is sent, because the slot would end before the request. Both clocks are read, because the monotonic clock
 * may stop while a laptop sleeps.
 */
export const STALLED_MS = 5 * SECOND_MS;

/** A slot of the rate limiter; `takenAtMs` in epoch milliseconds. */
export interface TakenSlot {
  readonly id: string;
  readonly takenAtMs: number;
}

/**
 * Step 2: waits for a slot of the vendor's rate. During the wait, no question is locked and no credits are reserved.
 */
export async function waitForSlot(
  services: GatewayServices,
  request: KeyedRequest,
): Promise<({ readonly kind: 'slot' } & TakenSlot) | AskResult> {
  const { clock, rateLimiter, policy } = services;
  const requestTimeoutMs = timeToAnswerMs(policy);
  const { slotPatienceMs = Number.POSITIVE_INFINITY } = request;
  const notAfterMs = Math.min(request.notAfterMs - requestTimeoutMs, clock.now() + slotPatienceMs);
  if (clock.now() > notAfterMs) return timeShort(services);
  const lane = laneOf(request.purpose);
  const { signal } = request;
  const id = services.newNonce();
  try {
    const slot = await rateLimiter.acquire({ id, lane, requestTimeoutMs, notAfterMs, signal });
    return slot.kind === 'granted' ? { kind: 'slot', id, takenAtMs: slot.takenAtMs } : waitForRate(slot.atMs);
  } catch (error) {
    if (!signal?.aborted) throw error;
    await rateLimiter.release(id);
    return timeShort(services);
  }
}

/** Longest time from a slot to the answer: the longest pause before the request, plus the request's timeout. */
export function timeToAnswerMs({ requestTimeoutMs }: Pick<GatewayPolicy, 'requestTimeoutMs'>): number {
  return STALLED_MS + requestTimeoutMs;
}

function waitForRate(untilMs: number): AskResult {
  const detail = 'The rate limit of the data service is used up.';
  return { kind: 'waiting', reason: 'rate-limit', untilMs, detail };
}

export function timeShort({ clock }: Pick<GatewayServices, 'clock'>): AskResult & { kind: 'waiting' } {
  const detail = 'The function ran out of time before the request was sent.';
  return { kind: 'waiting', reason: 'time-short', untilMs: clock.now() + SECOND_MS, detail };
}
