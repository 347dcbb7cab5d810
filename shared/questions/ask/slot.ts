import { SECOND_MS } from '../../kernel/clock.ts';
import { laneOf } from '../../work-queue/lane.ts';
import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, GatewayPolicy, KeyedRequest } from '../gateway-deps.ts';
import { type Leased, releaseLease } from './leased.ts';
import { STALLED_MS } from './stall.ts';

/** A lease is renewed while this much of it is left, so that its holder is never fenced off while alive. */
const RENEW_BEFORE_MS = 10 * SECOND_MS;

/** Step 4: waits for a share of the vendor's rate, renewing the lease on the way. */
export async function waitForSlot(
  deps: GatewayDeps,
  request: KeyedRequest,
  leased: Leased,
): Promise<Leased | AskResult | { kind: 'again' }> {
  let held = leased;
  for (;;) {
    const lane = laneOf(request.purpose);
    const requestTimeoutMs = timeToAnswerMs(deps.policy);
    const lastSlotMs = request.notAfterMs - requestTimeoutMs;
    if (deps.clock.now() > lastSlotMs) return tooLate(deps, held);
    const notAfterMs = Math.min(lastSlotMs, held.asking.leaseUntilMs - RENEW_BEFORE_MS);
    const taking = {
      id: held.asking.reservationId,
      lane,
      requestTimeoutMs,
      notAfterMs,
      dueMs: request.notAfterMs,
      signal: request.signal,
    } as const;
    const slot = await deps.governor.take(taking).catch((error) => giveUp(deps, request, held, error));
    if (slot.kind === 'granted') return held;
    if (slot.kind === 'waiting') return slot;
    if (slot.atMs > lastSlotMs) return later(deps, held, slot.atMs);
    const renewed = await renew(deps, held, slot.atMs);
    if (!renewed) return fencedOff(deps, held);
    held = renewed;
  }
}

/** How long it may take from a slot to its answer: a request may leave this much after its slot was taken. */
export function timeToAnswerMs({ requestTimeoutMs }: Pick<GatewayPolicy, 'requestTimeoutMs'>): number {
  return STALLED_MS + requestTimeoutMs;
}

/**
 * The item changed under the holder. Mostly the question was taken over: its reservation is the new holder's to
 * void, and voiding twice does no harm. But an answer that came late may have been put beside a lease that still
 * stands: then the lease goes, so that nobody waits for its end.
 */
export async function fencedOff(deps: GatewayDeps, { item, asking }: Leased): Promise<{ kind: 'again' }> {
  await deps.ledger.apply({ kind: 'void', reservationId: asking.reservationId, reason: 'abandoned' });
  const stored = await deps.items.read(item.key);
  const current = stored?.value.asking;
  if (stored && current?.fence === asking.fence && current.state === 'leased') {
    await releaseLease(deps, { kind: 'leased', asking, item: stored.value, version: stored.version });
  }
  return { kind: 'again' };
}

/** Fence off nobody, charge nothing, leave nothing behind. */
async function withdraw(deps: GatewayDeps, held: Leased, reason: string): Promise<void> {
  await deps.ledger.apply({ kind: 'void', reservationId: held.asking.reservationId, reason });
  await releaseLease(deps, held);
}

async function later(deps: GatewayDeps, held: Leased, untilMs: number): Promise<AskResult> {
  await withdraw(deps, held, 'no-slot-in-time');
  return {
    kind: 'waiting',
    reason: 'rate-limit',
    untilMs,
    detail: 'The data service takes no more requests this minute.',
  };
}

async function tooLate(deps: GatewayDeps, held: Leased): Promise<AskResult> {
  await withdraw(deps, held, 'time-short');
  return timeShort(deps);
}

async function giveUp(
  deps: GatewayDeps,
  request: KeyedRequest,
  held: Leased,
  error: unknown,
): Promise<AskResult & { kind: 'waiting' }> {
  if (!request.signal?.aborted) throw error;
  await deps.governor.giveBack(held.asking.reservationId);
  await withdraw(deps, held, 'time-short');
  return timeShort(deps);
}

export function timeShort({ clock }: Pick<GatewayDeps, 'clock'>): AskResult & { kind: 'waiting' } {
  const detail = 'The function ran out of time before the request was sent.';
  return { kind: 'waiting', reason: 'time-short', untilMs: clock.now() + SECOND_MS, detail };
}

async function renew(deps: GatewayDeps, held: Leased, slotAtMs: number): Promise<Leased | undefined> {
  const leaseUntilMs = Math.max(deps.clock.now(), slotAtMs) + deps.policy.leaseMs;
  const asking = { ...held.asking, leaseUntilMs };
  const item = { ...held.item, asking };
  const written = await deps.items.write({ key: item.key, value: item, expectedVersion: held.version });
  return written === 'written' ? { kind: 'leased', item, asking, version: held.version + 1 } : undefined;
}
