import { laneOf } from '#shared/crm/lane.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import { assert } from '#shared/kernel/errors.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayPolicy, GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { renew } from '../transitions.ts';
import { clockWrong } from './clock-wrong.ts';
import { fencedOff, type Held, withdraw, writeHeld } from './held.ts';
import { STALLED_MS } from './send-once.ts';

/** A lease is renewed while this much of it is left, so that its holder is never fenced off while alive. */
const RENEW_BEFORE_MS = 10 * SECOND_MS;

/** Step 4: waits for a share of the vendor's rate, renewing the lease on the way. */
export async function waitForSlot(
  services: GatewayServices,
  request: KeyedRequest,
  leased: Held,
): Promise<Held | AskResult | { kind: 'again' }> {
  let held = leased;
  for (;;) {
    const lane = laneOf(request.purpose);
    const requestTimeoutMs = timeToAnswerMs(services.policy);
    const lastSlotMs = request.notAfterMs - requestTimeoutMs;
    if (services.clock.now() > lastSlotMs) return tooLate(services, held);
    const { attempt } = held.item;
    const taking = {
      id: attempt.reservationId,
      lane,
      requestTimeoutMs,
      notAfterMs: Math.min(lastSlotMs, attempt.leaseUntilMs - RENEW_BEFORE_MS),
      dueMs: request.notAfterMs,
      signal: request.signal,
    } as const;
    const slot = await services.rateLimiter
      .acquire(taking)
      .catch((error) => giveUp(services, request, held, error));
    const wrong = clockWrong(services);
    if (wrong) return distrusted(services, held, wrong);
    if (slot.kind === 'granted') return held;
    if (slot.kind === 'waiting') return slot;
    if (slot.atMs > lastSlotMs) return later(services, held, slot.atMs);
    const renewed = await renewLease(services, held, slot.atMs);
    if (!renewed) return fencedOff(services, held);
    held = renewed;
  }
}

/** How long it may take from a slot to its answer: a request may leave this much after its slot was taken. */
export function timeToAnswerMs({ requestTimeoutMs }: Pick<GatewayPolicy, 'requestTimeoutMs'>): number {
  return STALLED_MS + requestTimeoutMs;
}

async function later(services: GatewayServices, held: Held, untilMs: number): Promise<AskResult> {
  await withdraw(services, held, 'no-slot-in-time');
  return {
    kind: 'waiting',
    reason: 'rate-limit',
    untilMs,
    detail: 'The data service takes no more requests this minute.',
  };
}

async function tooLate(services: GatewayServices, held: Held): Promise<AskResult & { kind: 'waiting' }> {
  await withdraw(services, held, 'time-short');
  return timeShort(services);
}

async function distrusted(services: GatewayServices, held: Held, wrong: AskResult & { kind: 'waiting' }) {
  await services.rateLimiter.release(held.item.attempt.reservationId);
  await withdraw(services, held, wrong.reason);
  return wrong;
}

async function giveUp(
  services: GatewayServices,
  request: KeyedRequest,
  held: Held,
  error: unknown,
): Promise<AskResult & { kind: 'waiting' }> {
  if (!request.signal?.aborted) throw error;
  await services.rateLimiter.release(held.item.attempt.reservationId);
  return tooLate(services, held);
}

export function timeShort({ clock }: Pick<GatewayServices, 'clock'>): AskResult & { kind: 'waiting' } {
  const detail = 'The function ran out of time before the request was sent.';
  return { kind: 'waiting', reason: 'time-short', untilMs: clock.now() + SECOND_MS, detail };
}

async function renewLease(
  services: GatewayServices,
  held: Held,
  slotAtMs: number,
): Promise<Held | undefined> {
  const leaseUntilMs = Math.max(services.clock.now(), slotAtMs) + services.policy.leaseMs;
  const { fencingToken } = held.item.attempt;
  const renewed = renew(held.item, { fencingToken, leaseUntilMs });
  assert(renewed.kind === 'next', 'a held question is leased');
  return writeHeld(services, held, renewed.value);
}
