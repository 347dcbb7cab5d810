import type { Lane } from '#shared/crm/lane.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import type { RateLimiterState, Slot, VendorWindow } from './schemas.ts';
import { endOf, leftIn, prune, WINDOW_MS, WORKER_SKEW_MS } from './state.ts';

export interface SlotWish {
  readonly id: string;
  readonly worker: string;
  readonly lane: Lane;
  readonly nowMs: number;
  /** When its asker gives up. */
  readonly dueMs: number;
  /** When a request that is sent now is given up. */
  readonly deadlineMs: number;
}

export type Take =
  | { readonly kind: 'granted'; readonly state: RateLimiterState }
  /** Not before `atMs`, and then ask again. A bulk waiter with time left leaves the state as it is, and so writes nothing. */
  | { readonly kind: 'wait'; readonly atMs: number; readonly state: RateLimiterState };

/** A live waiter that was not seen for this long no longer holds up bulk work. */
const WAITER_MS = 5 * SECOND_MS;

/** Whoever has less time left than this goes before others of its lane, however near their slots are. */
const HURRY_MS = 100 * SECOND_MS;

/**
 * The proof leads: request n is sent only at or after the answer of request n-limit plus a minute. The vendor saw
 * n-limit no later than we saw its answer, and sees n no earlier than we send it: no minute, fixed or sliding, can
 * hold more than the limit, whatever the network does. A request without an answer counts from its deadline.
 * Where a fixed window has been observed, a new one's whole allowance is used from its reset on.
 */
export function takeSlot(before: RateLimiterState, wish: SlotWish): Take {
  const state = rolledOver(prune(before, wish.nowMs), wish);
  const atMs = startOf(state, wish);
  if (atMs > wish.nowMs) {
    const isSilent = wish.lane === 'bulk' && !isHurried(wish);
    return { kind: 'wait', atMs, state: isSilent ? before : withWaiter(state, wish, atMs) };
  }
  const { id, worker: by, nowMs, deadlineMs } = wish;
  const slot: Slot = { id, by, sentAtMs: nowMs, answered: false, freeAtMs: deadlineMs + WINDOW_MS };
  const interval = WINDOW_MS / state.limit;
  return {
    kind: 'granted',
    state: {
      ...withoutWaiter(state, id),
      slots: [...state.slots, slot],
      ...(wish.lane === 'bulk' && { bulkDueMs: Math.max(state.bulkDueMs ?? 0, nowMs) + interval }),
    },
  };
}

/** Gives back a slot whose request never left, or withdraws a waiter. */
export function returnSlot(before: RateLimiterState, id: string): RateLimiterState {
  return {
    ...withoutWaiter(before, id),
    slots: before.slots.filter((slot) => slot.id !== id || slot.answered),
  };
}

/** The earliest moment at which this wish may be granted, as things stand. */
function startOf(state: RateLimiterState, wish: SlotWish): number {
  const { nowMs, lane } = wish;
  const earliest = Math.max(nowMs, state.closed?.untilMs ?? 0, allowedAt(state, wish));
  if (lane === 'live') return earliest;
  const behindLive = state.liveWaiters.length > 0 ? nowMs + SECOND_MS : 0;
  return Math.max(earliest, behindLive, bulkTurn(state, wish));
}

function allowedAt(state: RateLimiterState, wish: SlotWish): number {
  const { window, mode } = state;
  const before = goBefore(state, wish);
  const proved = provedAt(state, wish, before);
  if (!window) return proved;
  if (leftIn(window, state) > before) return mode === 'fixed' ? wish.nowMs : proved;
  // A window that no answer has named yet: its allowance is used up, so the proof decides.
  if (window.resetAtMs === 0) return proved;
  if (mode === 'fixed') return endOf(window, wish.worker);
  // As long as all use is ours, the proof knows better than a reset in whole seconds when the next may go.
  return (state.sharedUntilMs ?? 0) > wish.nowMs ? Math.max(proved, endOf(window, wish.worker)) : proved;
}

/** Of one lane, the one that has to be through first goes first: how many slots are theirs. */
function goBefore({ hurried = [], limit }: RateLimiterState, { id, lane, dueMs }: SlotWish): number {
  const others = hurried.filter((one) => one.lane === lane && one.id !== id && one.dueMs < dueMs);
  return Math.min(others.length, limit - 1);
}

function isHurried({ dueMs, nowMs }: SlotWish): boolean {
  return dueMs - nowMs < HURRY_MS;
}

function provedAt({ slots, limit }: RateLimiterState, { worker, nowMs }: SlotWish, before: number): number {
  const freeTimes = slots
    .map(({ by, freeAtMs }) => (by === worker ? freeAtMs : freeAtMs + WORKER_SKEW_MS))
    .filter((freeAtMs) => freeAtMs > nowMs)
    .sort((a, b) => a - b);
  return freeTimes[freeTimes.length - limit + before] ?? nowMs;
}

/** Bulk work is spread over the minute, so that live work never finds an empty window. */
function bulkTurn(state: RateLimiterState, { worker, nowMs }: SlotWish): number {
  const { mode, window, limit, bulkDueMs = 0 } = state;
  const interval = WINDOW_MS / limit;
  if (mode === 'proof' || !window) return bulkDueMs - interval;
  const used = limit - leftIn(window, state);
  if (window.resetAtMs === 0) return used < 2 ? nowMs : nowMs + SECOND_MS;
  return endOf(window, worker) - WINDOW_MS + (used - 1) * interval;
}

/**
 * A window that has ended says nothing any more. Of a fixed one it is known that the next begins with the whole
 * allowance, less what is under way and may arrive in it.
 */
function rolledOver(state: RateLimiterState, { worker, nowMs }: SlotWish): RateLimiterState {
  const { window, ...rest } = state;
  if (!window || window.resetAtMs === 0 || nowMs < endOf(window, worker)) return state;
  if (state.mode === 'proof') return rest;
  const fresh: VendorWindow = { resetAtMs: 0, remaining: state.limit, endsAtMs: {} };
  return { ...rest, window: fresh };
}

function withWaiter(state: RateLimiterState, wish: SlotWish, atMs: number): RateLimiterState {
  const { id, lane, dueMs } = wish;
  const waiter = { id, untilMs: atMs + WAITER_MS };
  const others = withoutWaiter(state, id);
  return {
    ...others,
    ...(lane === 'live' && { liveWaiters: [...others.liveWaiters, waiter] }),
    ...(isHurried(wish) && { hurried: [...(others.hurried ?? []), { ...waiter, lane, dueMs }] }),
  };
}

function withoutWaiter(state: RateLimiterState, id: string): RateLimiterState {
  const isOther = (waiter: { readonly id: string }) => waiter.id !== id;
  const { hurried, ...rest } = state;
  const others = hurried?.filter(isOther) ?? [];
  return {
    ...rest,
    liveWaiters: state.liveWaiters.filter(isOther),
    ...(others.length > 0 && { hurried: others }),
  };
}
