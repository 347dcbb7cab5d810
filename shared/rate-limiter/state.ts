import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { VersionedItems } from '#shared/store';
import type { VendorOffer } from '#shared/vendor';
import type { RateLimiterState, Slot, VendorWindow } from './schemas.ts';
import { rateLimiterKind } from './stored-kinds.ts';

/** The vendor whose rate is kept. */
export type RatedVendor = Pick<VendorOffer, 'mark' | 'ratePerMinute'>;

export function initialState({ ratePerMinute: limit }: Pick<RatedVendor, 'ratePerMinute'>): RateLimiterState {
  return { limit, mode: 'proof', slots: [], waiters: [] };
}

/** Reads the number of requests a minute that the vendor allows, according to its answers so far. */
export async function readRate(
  items: VersionedItems<RateLimiterState>,
  vendor: RatedVendor,
): Promise<number> {
  return ((await items.read(rateLimiterKind.key(vendor.mark)))?.value ?? initialState(vendor)).limit;
}

/** The vendor counts requests per minute. */
export const WINDOW_MS = MINUTE_MS;

/**
 * Returns the state after the old state was lost. The vendor counts requests in flight within a minute, and no longer
 * counts them after the next minute. So no request is sent for two minutes. After this, the proof decides.
 */
export function startOver(vendor: Pick<RatedVendor, 'ratePerMinute'>, nowMs: number): RateLimiterState {
  const untilMs = nowMs + 2 * WINDOW_MS + CLOCK_TOLERANCE_MS;
  return { ...initialState(vendor), closed: { untilMs, believeAtMs: untilMs } };
}

/** Drops slots, waiters and times that no longer have an effect. */
export function prune(state: RateLimiterState, nowMs: number): RateLimiterState {
  const { closed, sharedUntilMs = 0, ...rest } = state;
  const slots = state.slots.filter(({ freeAtMs }) => freeAtMs + CLOCK_TOLERANCE_MS > nowMs);
  return {
    ...rest,
    slots: state.limit > MERGE_ABOVE ? mergeAnswered(slots) : slots,
    waiters: state.waiters.filter(({ untilMs }) => untilMs > nowMs),
    ...(closed && Math.max(closed.untilMs, closed.believeAtMs) > nowMs && { closed }),
    ...(sharedUntilMs > nowMs && { sharedUntilMs }),
  };
}

/** Above this number of slots a minute, slots that become free in the same second are merged. */
const MERGE_ABOVE = 60;

/**
 * Merges answered slots by second. A merged slot becomes free when its last slot does. Slots in flight stay separate,
 * because an answer refers to its own slot.
 */
function mergeAnswered(slots: readonly Slot[]): readonly Slot[] {
  const inFlight = slots.filter(({ answered }) => !answered);
  const answered = slots.filter((slot) => slot.answered);
  const bySecond = Map.groupBy(answered, ({ freeAtMs }) => Math.floor(freeAtMs / SECOND_MS));
  const merged = [...bySecond.values()].map((slotsOfSecond): Slot => {
    const [first] = slotsOfSecond;
    const by = first && slotsOfSecond.every((slot) => slot.by === first.by) ? first.by : SEVERAL;
    const sentAtMs = Math.min(...slotsOfSecond.map((slot) => slot.sentAtMs));
    const freeAtMs = Math.max(...slotsOfSecond.map((slot) => slot.freeAtMs));
    return { id: '', by, sentAtMs, answered: true, freeAtMs, count: countOf(slotsOfSecond) };
  });
  return [...merged, ...inFlight];
}

/** Stands for several workers. No worker has this id. */
const SEVERAL = '*';

export function countOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** Whether at most half of the rate is used and no worker waits. */
export function isAmple({ slots, limit, waiters, closed }: RateLimiterState): boolean {
  return waiters.length === 0 && !closed && countOf(slots) <= limit / 2;
}

function inFlight({ slots }: RateLimiterState): number {
  return slots.filter(({ answered }) => !answered).length;
}

/**
 * Returns the number of requests that a window certainly still allows. The smallest reported number accounts for all
 * answered requests. It may or may not account for requests in flight, so these are subtracted.
 */
export function leftIn({ remaining }: VendorWindow, state: RateLimiterState): number {
  return remaining - inFlight(state);
}

/** Returns when a window has certainly ended, by this worker's clock. */
export function windowEndMs({ endsAtMs }: VendorWindow, worker: string): number {
  const own = endsAtMs[worker];
  if (own !== undefined) return own;
  return Math.min(...Object.values(endsAtMs)) + CLOCK_TOLERANCE_MS;
}
