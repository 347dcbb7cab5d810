import { SECOND_MS } from '#shared/kernel/clock.ts';
import { assert } from '#shared/kernel/errors.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import type { CallResult } from '../paid-calls.ts';
import { send } from '../transitions.ts';
import { clockWrong } from './clock-wrong.ts';
import { fencedOff, type Held, writeHeld } from './held.ts';

/**
 * A worker that stood still for longer than this between marking a question as in flight and sending no longer sends.
 * By both clocks: while a laptop sleeps, the monotonic one may stand still.
 */
export const STALLED_MS = 5 * SECOND_MS;

export interface Sent extends Omit<Held, 'kind'> {
  readonly kind: 'sent';
  readonly result: CallResult;
}

/**
 * Step 5: marks the attempt as in flight on the condition that nobody took it over, then sends. From the mark on, a
 * crash leaves a doubt and never a repeat.
 */
export async function sendOnce(
  services: GatewayServices,
  request: KeyedRequest,
  held: Held,
): Promise<Sent | { kind: 'again' }> {
  const { clock, policy } = services;
  const { fencingToken, reservationId } = held.item.attempt;
  const markedAt = clock.monotonic();
  const sentAtMs = clock.now();
  const deadlineAtMs = sentAtMs + STALLED_MS + policy.requestTimeoutMs;
  const inFlight = send(held.item, { fencingToken, sentAtMs, deadlineAtMs });
  assert(inFlight.kind === 'next', 'a held question is leased');
  const marked = await writeHeld(services, held, inFlight.value);
  if (!marked) {
    await services.rateLimiter.release(reservationId);
    return fencedOff(services, held);
  }
  const stalledMs = Math.max(clock.monotonic() - markedAt, Math.abs(clock.now() - sentAtMs));
  const reason = stalledMs > STALLED_MS ? 'stalled-before-sending' : clockWrong(services)?.reason;
  const result: CallResult = reason
    ? { kind: 'not-sent', reason }
    : await services.calls.call(request.question, { timeoutMs: policy.requestTimeoutMs });
  return { ...marked, kind: 'sent', result };
}
