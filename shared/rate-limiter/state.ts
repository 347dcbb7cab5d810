import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { VersionedItems } from '#shared/versioned-items';
import type { RateLimiterState, Slot, VendorWindow } from './schemas.ts';
import { rateLimiterKind } from './stored-kinds.ts';

/** The vendor's report of its own count, as its headers gave it with one answer. */
export interface RateReport {
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** When its window resets, epoch milliseconds on the vendor's clock: names the window. */
  readonly resetAtMs: number;
  /** Milliseconds from the answer to the reset: at most this, where the vendor told its time. */
  readonly resetInMs: number;
  /** Whether the vendor told its time; without it the reset may be a clock's error away. */
  readonly dated: boolean;
}

/** The spec's rate, until an answer tells another. */
export const INITIAL_STATE: RateLimiterState = { limit: 20, mode: 'proof', slots: [], waiters: [] };

/** Requests a minute that the vendor takes, as far as its answers have told. */
export async function readRate(items: VersionedItems<RateLimiterState>): Promise<number> {
  return ((await items.read(rateLimiterKind.key()))?.value ?? INITIAL_STATE).limit;
}

/** The vendor counts requests per minute. */
export const WINDOW_MS = MINUTE_MS;

/**
 * Nothing is known of what was sent: whatever is under way is counted within a minute, and forgotten within the next.
 * Then the proof rule leads.
 */
export function startOver(nowMs: number): RateLimiterState {
  const untilMs = nowMs + 2 * WINDOW_MS + CLOCK_TOLERANCE_MS;
  return { ...INITIAL_STATE, closed: { untilMs, believeAtMs: untilMs } };
}

/** Drops what can no longer matter to anybody. */
export function prune(state: RateLimiterState, nowMs: number): RateLimiterState {
  const { closed, sharedUntilMs = 0, ...rest } = state;
  const slots = state.slots.filter(({ freeAtMs }) => freeAtMs + CLOCK_TOLERANCE_MS > nowMs);
  return {
    ...rest,
    slots: state.limit > FEW ? together(slots) : slots,
    waiters: state.waiters.filter(({ untilMs }) => untilMs > nowMs),
    ...(closed && Math.max(closed.untilMs, closed.believeAtMs) > nowMs && { closed }),
    ...(sharedUntilMs > nowMs && { sharedUntilMs }),
  };
}

/** So many slots a minute are kept one by one; of more, those that come free in one second are put together. */
const FEW = 60;

/** What is in flight stays apart, since its answer names it. The whole counts as late as the last of it. */
function together(slots: readonly Slot[]): readonly Slot[] {
  const inFlight = slots.filter(({ answered }) => !answered);
  const answered = slots.filter((slot) => slot.answered);
  const bySecond = Map.groupBy(answered, ({ freeAtMs }) => Math.floor(freeAtMs / SECOND_MS));
  const sums = [...bySecond.values()].map((same): Slot => {
    const [first] = same;
    const by = first && same.every((slot) => slot.by === first.by) ? first.by : SEVERAL;
    const sentAtMs = Math.min(...same.map((slot) => slot.sentAtMs));
    const freeAtMs = Math.max(...same.map((slot) => slot.freeAtMs));
    return { id: '', by, sentAtMs, answered: true, freeAtMs, count: countOf(same) };
  });
  return [...sums, ...inFlight];
}

/** No worker is called so: a time taken by several belongs to none. */
const SEVERAL = '*';

export function countOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** Whether so little of the rate is used that no worker waits for a free slot. */
export function isAmple({ slots, limit, waiters, closed }: RateLimiterState): boolean {
  return waiters.length === 0 && !closed && countOf(slots) <= limit / 2;
}

function inFlight({ slots }: RateLimiterState): number {
  return slots.filter(({ answered }) => !answered).length;
}

/**
 * What a window surely still allows. Whatever was answered in it is in the smallest report already; requests in
 * flight may be or not.
 */
export function leftIn({ remaining }: VendorWindow, state: RateLimiterState): number {
  return remaining - inFlight(state);
}

/** When a window has surely ended, on this worker's clock. */
export function endOf({ endsAtMs }: VendorWindow, worker: string): number {
  const own = endsAtMs[worker];
  if (own !== undefined) return own;
  return Math.min(...Object.values(endsAtMs)) + CLOCK_TOLERANCE_MS;
}
