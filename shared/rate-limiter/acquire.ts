import type { Lane } from '#shared/crm';
import { CLOCK_TOLERANCE_MS, SECOND_MS } from '#shared/kernel';
import type { RateLimiterState, Slot, VendorWindow, Waiter } from './schemas.ts';
import { endOf, leftIn, prune, WINDOW_MS } from './state.ts';

export interface SlotWish {
  readonly id: string;
  readonly worker: string;
  readonly lane: Lane;
  readonly nowMs: number;
  /** When its asker gives up. */
  readonly dueMs: number;
  /** Whether it has waited before, and found its slot taken. */
  readonly again?: boolean | undefined;
  /** When a request that is sent now is given up. */
  readonly deadlineMs: number;
}

export type Take =
  | { readonly kind: 'granted'; readonly atMs: number; readonly state: RateLimiterState }
  /** Perhaps at `atMs`: ask again then. Who is on the list of waiters for as long leaves the state as it is. */
  | { readonly kind: 'wait'; readonly atMs: number; readonly state: RateLimiterState };

/** The key may be of a plan with fewer requests than are documented: the first answer tells. So long it is waited for. */
const FIRST_MS = 5 * SECOND_MS;
const FIRST_LOOK_MS = 250;

/** The shortest time between two looks. */
const LEAST_WAIT_MS = 10;

/**
 * How far bulk work may fall behind its even spread and catch up, with the interval between two requests: a process of
 * a fast rate looks only once a second. At 30 requests a minute and fewer nothing is caught up.
 */
const BEHIND_MS = 2 * SECOND_MS;

/** A waiter looks so many slots before its own: an earlier waiter may have gone. */
const EARLY_SLOTS = 2;
/** Time for some looks and writes, lost ones too: slots that come free together are not reached for together. */
const APART_MS = 45;

/** A waiter with less time left than this goes before others of its lane, however near their slots are. */
const HURRY_MS = 100 * SECOND_MS;

/** A waiter that was not seen for this long after its time has gone; longer, the farther away its time was. */
const WAITER_MS = 20 * SECOND_MS;
/** A waiter that is listed at least this long past its next wake-up is not rewritten. */
const SEEN_MS = 5 * SECOND_MS;

/**
 * The proof leads: request n is sent only at or after the answer of request n-limit plus a minute. The vendor saw
 * n-limit no later than we saw its answer, and sees n no earlier than we send it: no minute, fixed or sliding, can
 * hold more than the limit, whatever the network does. A request without an answer counts from its deadline.
 * Where a fixed window has been observed, a new one's whole allowance is used from its reset on.
 */
export function takeSlot(before: RateLimiterState, wish: SlotWish): Take {
  const state = rolledOver(prune(before, wish.nowMs), wish);
  const firstMs = state.isTold ? 0 : Math.max(0, ...state.slots.map(({ sentAtMs }) => sentAtMs));
  if (firstMs + FIRST_MS > wish.nowMs)
    return { kind: 'wait', atMs: wish.nowMs + FIRST_LOOK_MS, state: before };
  if (startOf(state, wish) > wish.nowMs) {
    const atMs = Math.max(turnOf(state, wish), wish.nowMs + LEAST_WAIT_MS);
    return { kind: 'wait', atMs, state: isListed(state, wish, atMs) ? before : listed(state, wish, atMs) };
  }
  const { id, worker: by, nowMs, deadlineMs } = wish;
  const slot: Slot = { id, by, sentAtMs: nowMs, freeAtMs: deadlineMs + WINDOW_MS };
  const interval = WINDOW_MS / state.limit;
  const catchUpMs = Math.max(0, BEHIND_MS - interval);
  return {
    kind: 'granted',
    atMs: nowMs,
    state: {
      ...withoutWaiter(state, id),
      slots: [...state.slots, slot],
      ...(wish.lane === 'bulk' && {
        bulkDueMs: Math.max(state.bulkDueMs ?? 0, nowMs - catchUpMs) + interval,
      }),
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

/** The earliest moment at which this wish may be granted, as things stand. Who comes then takes it, but for the hurried. */
function startOf(state: RateLimiterState, wish: SlotWish): number {
  const before = waitersBefore(state, wish).filter(({ dueMs }) => dueMs - wish.nowMs < HURRY_MS);
  return timeOf(state, wish, before.length);
}

/**
 * When it is its turn, were each request in flight answered at once: all who wait sleep until times of their own, and
 * who looks then may have to look again.
 */
function turnOf(state: RateLimiterState, wish: SlotWish): number {
  const { nowMs } = wish;
  const slots = state.slots.map((slot) => {
    if (slot.answered) return slot;
    const lateMs = nowMs - slot.sentAtMs - WINDOW_MS;
    const soonMs = Math.max(slot.sentAtMs + WINDOW_MS, nowMs + Math.max(SECOND_MS, lateMs));
    return { ...slot, freeAtMs: Math.min(slot.freeAtMs, soonMs) };
  });
  const soon = { ...state, slots };
  const ahead = waitersBefore(state, wish).length;
  const before = Math.max(0, ahead - EARLY_SLOTS);
  const rounds = Math.floor(before / state.limit);
  const atMs =
    timeOf(soon, wish, before % state.limit) +
    rounds * WINDOW_MS +
    ahead * Math.min(APART_MS, WINDOW_MS / state.limit / 10);
  // A worker may reuse its own slot sooner than others, because they have to allow for clock differences.
  const own = takenSlots(soon, wish).find(({ isOwn }) => isOwn);
  return own ? Math.min(atMs, Math.max(own.freeAtMs, timeOf(soon, wish, 0))) : atMs;
}

/** Those whose slots come first: urgent ones before live ones, and within one lane the earliest deadline first. */
function waitersBefore({ waiters }: RateLimiterState, { id, lane, dueMs }: SlotWish): readonly Waiter[] {
  return waiters.filter((other) => {
    if (other.lane !== lane) return other.lane === 'urgent' && lane === 'live';
    return other.dueMs < dueMs || (other.dueMs === dueMs && other.id < id);
  });
}

/** @param before how many slots are for others first. */
function timeOf(state: RateLimiterState, wish: SlotWish, before: number): number {
  const { nowMs, lane } = wish;
  const earliest = Math.max(nowMs, state.closed?.untilMs ?? 0, allowedAt(state, wish, before));
  if (lane !== 'bulk') return earliest;
  const behindLive = state.waiters.some((waiter) => waiter.lane !== 'bulk') ? nowMs + SECOND_MS : 0;
  return Math.max(earliest, behindLive, bulkTurn(state, wish, before));
}

function allowedAt(state: RateLimiterState, wish: SlotWish, before: number): number {
  const { window, mode } = state;
  const proved = provedAt(state, wish, before);
  if (!window) return proved;
  if (leftIn(window, state) > before) return mode === 'fixed' ? wish.nowMs : proved;
  // A window that no answer has named yet: its allowance is used up, so the proof decides.
  if (window.resetAtMs === 0) return proved;
  if (mode === 'fixed') return endOf(window, wish.worker);
  // As long as all use is ours, the proof knows better than a reset in whole seconds when the next may go.
  return (state.sharedUntilMs ?? 0) > wish.nowMs ? Math.max(proved, endOf(window, wish.worker)) : proved;
}

function provedAt(state: RateLimiterState, wish: SlotWish, before: number): number {
  const taken = takenSlots(state, wish);
  const { limit } = state;
  return taken[taken.length - limit + Math.min(before, limit - 1)]?.freeAtMs ?? wish.nowMs;
}

interface TakenSlot {
  readonly isOwn: boolean;
  readonly freeAtMs: number;
}

/** The slots that are not free yet for this worker; the first to come free is first. */
function takenSlots({ slots }: RateLimiterState, { worker, nowMs }: SlotWish): readonly TakenSlot[] {
  return slots
    .flatMap(({ by, freeAtMs, count = 1 }) => {
      const isOwn = by === worker;
      return Array<TakenSlot>(count).fill({
        isOwn,
        freeAtMs: isOwn ? freeAtMs : freeAtMs + CLOCK_TOLERANCE_MS,
      });
    })
    .filter(({ freeAtMs }) => freeAtMs > nowMs)
    .sort((a, b) => a.freeAtMs - b.freeAtMs);
}

/** Bulk work is spread over the minute, so that live work never finds an empty window. */
function bulkTurn(state: RateLimiterState, { worker, nowMs }: SlotWish, before: number): number {
  const { mode, window, limit, bulkDueMs = 0 } = state;
  const interval = WINDOW_MS / limit;
  if (mode === 'proof' || !window) return bulkDueMs + (before - 1) * interval;
  const used = limit - leftIn(window, state) + before;
  if (window.resetAtMs === 0) return used < 2 ? nowMs : nowMs + SECOND_MS;
  return endOf(window, worker) - WINDOW_MS + (used - 1) * interval;
}

/**
 * A window that has ended says nothing any more. Of a fixed one it is known that the next begins with the whole
 * allowance, less what is under way and may arrive in it.
 */
function rolledOver(state: RateLimiterState, { worker, nowMs }: SlotWish): RateLimiterState {
  const { window, ...others } = state;
  if (!window || window.resetAtMs === 0 || nowMs < endOf(window, worker)) return state;
  const rest = { ...others, ended: { resetAtMs: window.resetAtMs, atMs: nowMs } };
  if (state.mode === 'proof') return rest;
  const fresh: VendorWindow = { resetAtMs: 0, remaining: state.limit, endsAtMs: {} };
  return { ...rest, window: fresh };
}

/** Waiters beyond the list find out by looking; the item stays small. */
const MOST_LISTED = 100;

/** Whether others know that it waits until then. A bulk waiter that is alone is not listed. */
function isListed({ waiters }: RateLimiterState, { id, lane, again }: SlotWish, atMs: number): boolean {
  const own = waiters.find((waiter) => waiter.id === id);
  if (own) return own.untilMs >= atMs + SEEN_MS;
  const isAlone = !waiters.some((waiter) => waiter.lane === lane);
  return isAlone ? lane === 'bulk' && !again : waiters.length >= MOST_LISTED;
}

function listed(
  state: RateLimiterState,
  { id, lane, dueMs, nowMs }: SlotWish,
  atMs: number,
): RateLimiterState {
  const others = withoutWaiter(state, id);
  return {
    ...others,
    waiters: [...others.waiters, { id, lane, dueMs, untilMs: atMs + WAITER_MS + (atMs - nowMs) / 2 }],
  };
}

function withoutWaiter(state: RateLimiterState, id: string): RateLimiterState {
  return { ...state, waiters: state.waiters.filter((waiter) => waiter.id !== id) };
}
