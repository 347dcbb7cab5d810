import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking, QuestionItem } from '../item.ts';
import type { CallResult } from '../paid-calls.ts';
import type { Leased } from './leased.ts';
import { fencedOff } from './slot.ts';
import { STALLED_MS } from './stall.ts';

export interface Sent {
  readonly kind: 'sent';
  readonly item: QuestionItem;
  readonly asking: Asking;
  readonly version: number;
  readonly result: CallResult;
}

/**
 * Step 5: marks the asking as sent on the condition that nobody took it over, then sends. From the mark on, a
 * crash leaves a doubt and never a repeat.
 */
export async function sendOnce(
  deps: GatewayDeps,
  request: KeyedRequest,
  leased: Leased,
): Promise<Sent | { kind: 'again' }> {
  const { clock, policy } = deps;
  const markedAt = clock.monotonic();
  const sentAtMs = clock.now();
  const deadlineAtMs = sentAtMs + STALLED_MS + policy.requestTimeoutMs;
  const asking: Asking = { ...leased.asking, state: 'sent', sentAtMs, deadlineAtMs };
  const item = { ...leased.item, asking };
  const written = await deps.items.write({ key: item.key, value: item, expectedVersion: leased.version });
  if (written === 'conflict') {
    await deps.governor.giveBack(asking.reservationId);
    return fencedOff(deps, leased);
  }
  const stalled = clock.monotonic() - markedAt > STALLED_MS;
  const result: CallResult = stalled
    ? { kind: 'not-sent', reason: 'stalled-before-sending' }
    : await deps.calls.call(request.question, { timeoutMs: policy.requestTimeoutMs });
  return { kind: 'sent', item, asking, version: leased.version + 1, result };
}
