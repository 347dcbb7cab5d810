import type { Lane } from '#shared/crm';
import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { RateReport } from '#shared/vendor';
import type { RateLimiterState, Slot, VendorWindow, Waiter } from './schemas.ts';
import { countOf, leftIn, prune, WINDOW_MS, windowEndMs } from './state.ts';

export interface SlotAttempt {
  readonly id: string;
  readonly worker: string;
  readonly lane: Lane;
  readonly nowMs: number;
  /** When the caller gives up. */
  readonly dueMs: number;
  /** Set if the request has waited before, and another request took its slot. */
  readonly again?: boolean | undefined;
  /** Deadline of the request if it is sent now. */
  readonly deadlineMs: number;
}

export type Take =
  | { readonly kind: 'granted'; readonly atMs: number; readonly state: RateLimiterState }
  /** Retry at `atMs`. The state is unchanged if the waiter is already listed until after this time. */
  | { readonly kind: 'wait'; readonly atMs: number; readonly state: RateLimiterState };

/** Longest wait for the very first answer. Only an answer shows the limit of the key's plan. */
const FIRST_MS = 5 * SECOND_MS;
const FIRST_LOOK_MS = 250;

/** Shortest time between two attempts of a waiter. */
const MIN_WAIT_MS = 10;

/**
 * How far bulk work can be behind its even spread and still catch up. The interval between two requests is subtracted.
 * At a high rate, a process checks only every second. At 30 requests a minute or fewer, bulk work does not catch up.
 */
const BEHIND_MS = 2 * SECOND_MS;

/** A waiter wakes up this many slots early, because an earlier waiter may have given up. */
const EARLY_SLOTS = 2;
/**
 * Time between the wake-ups of two waiters whose slots become free at the same time. Enough for some reads and writes,
 * including lost races.
 */
const APART_MS = 45;

/** A waiter with less time left than this precedes other waiters of its lane, even if these are about to get a slot. */
const HURRY_MS = 100 * SECOND_MS;

/** A waiter that is this late for its wake-up counts as gone. Half of the planned wait is added to this time. */
const WAITER_MS = 20 * SECOND_MS;
/** A waiter that is listed at least this long past its next wake-up is not rewritten. */
const SEEN_MS = 5 * SECOND_MS;

/**
 * Takes a slot by a proof. If the limit is L, each request is sent a minute or more after the answer to the request
 * that was sent L requests before. The vendor received that earlier request before its answer arrived here, and
 * receives the new request after it is sent. So no minute, fixed or sliding, holds more than L requests, regardless of
 * the network. A request without an answer counts from its deadline. After a fixed window was observed, the whole
 * allowance of a new window is used from the window's reset on. No slot is kept free for leads: it would cost four
 * points of the rate all day.
 */
export function takeSlot(before: RateLimiterState, request: SlotAttempt): Take {
  const state = rolledOver(prune(before, request.nowMs), request);
  const firstMs = state.isTold ? 0 : Math.max(0, ...state.slots.map(({ sentAtMs }) => sentAtMs));
  if (firstMs + FIRST_MS > request.nowMs)
    return { kind: 'wait', atMs: request.nowMs + FIRST_LOOK_MS, state: before };
  if (earliestGrantMs(state, request) > request.nowMs) {
    const atMs = Math.max(wakeUpMs(state, request), request.nowMs + MIN_WAIT_MS);
    return {
      kind: 'wait',
      atMs,
      state: isListed(state, request, atMs) ? before : withWaiter(state, request, atMs),
    };
  }
  const { id, worker: by, nowMs, deadlineMs } = request;
  const slot: Slot = { id, by, sentAtMs: nowMs, freeAtMs: deadlineMs + WINDOW_MS };
  const interval = WINDOW_MS / state.limit;
  const catchUpMs = Math.max(0, BEHIND_MS - interval);
  return {
    kind: 'granted',
    atMs: nowMs,
    state: {
      ...withoutWaiter(state, id),
      slots: [...state.slots, slot],
      ...(request.lane === 'bulk' && {
        bulkDueMs: Math.max(state.bulkDueMs ?? 0, nowMs - catchUpMs) + interval,
      }),
    },
  };
}

/** Gives back a slot whose request was not sent, or removes a waiter. */
export function returnSlot(before: RateLimiterState, id: string): RateLimiterState {
  return {
    ...withoutWaiter(before, id),
    slots: before.slots.filter((slot) => slot.id !== id || slot.answered),
  };
}

/**
 * Returns the earliest time for this request. Of the waiters before it, only those with little time left keep their
 * slots.
 */
function earliestGrantMs(state: RateLimiterState, request: SlotAttempt): number {
  const before = waitersBefore(state, request).filter(({ dueMs }) => dueMs - request.nowMs < HURRY_MS);
  return earliestMs(state, request, before.length);
}

/**
 * Returns the time at which this waiter wakes up. The time assumes that each request in flight is answered soon, so the
 * waiter may have to wait again. Different waiters get different times.
 */
function wakeUpMs(state: RateLimiterState, request: SlotAttempt): number {
  const { nowMs } = request;
  const slots = state.slots.map((slot) => {
    if (slot.answered) return slot;
    const lateMs = nowMs - slot.sentAtMs - WINDOW_MS;
    const soonMs = Math.max(slot.sentAtMs + WINDOW_MS, nowMs + Math.max(SECOND_MS, lateMs));
    return { ...slot, freeAtMs: Math.min(slot.freeAtMs, soonMs) };
  });
  const expected = { ...state, slots };
  const waitersAhead = waitersBefore(state, request).length;
  const before = Math.max(0, waitersAhead - EARLY_SLOTS);
  const fullWindows = Math.floor(before / state.limit);
  const atMs =
    earliestMs(expected, request, before % state.limit) +
    fullWindows * WINDOW_MS +
    waitersAhead * Math.min(APART_MS, WINDOW_MS / state.limit / 10);
  // A worker can reuse its own slot earlier than other workers, which must allow for clock differences.
  const own = takenSlots(expected, request).find(({ isOwn }) => isOwn);
  return own ? Math.min(atMs, Math.max(own.freeAtMs, earliestMs(expected, request, 0))) : atMs;
}

/** Returns the waiters before this one: urgent before live, and within one lane the earliest deadline first. */
function waitersBefore({ waiters }: RateLimiterState, { id, lane, dueMs }: SlotAttempt): readonly Waiter[] {
  return waiters.filter((other) => {
    if (other.lane !== lane) return other.lane === 'urgent' && lane === 'live';
    return other.dueMs < dueMs || (other.dueMs === dueMs && other.id < id);
  });
}

/** Returns the earliest time for this request. @param before number of slots that other waiters take first. */
function earliestMs(state: RateLimiterState, request: SlotAttempt, before: number): number {
  const { nowMs, lane } = request;
  const earliest = Math.max(nowMs, state.closed?.untilMs ?? 0, vendorAllowsMs(state, request, before));
  if (lane !== 'bulk') return earliest;
  const afterLiveMs = state.waiters.some((waiter) => waiter.lane !== 'bulk') ? nowMs + SECOND_MS : 0;
  return Math.max(earliest, afterLiveMs, spreadAllowsMs(state, request, before));
}

function vendorAllowsMs(state: RateLimiterState, request: SlotAttempt, before: number): number {
  const { window, mode } = state;
  const proved = proofAllowsMs(state, request, before);
  if (!window) return proved;
  if (leftIn(window, state) > before) return mode === 'fixed' ? request.nowMs : proved;
  // No answer has reported this window yet, and its allowance is used up, so the proof decides.
  if (window.resetAtMs === 0) return proved;
  if (mode === 'fixed') return windowEndMs(window, request.worker);
  // While no other program uses the key, the proof is more precise than a reset in whole seconds.
  return (state.sharedUntilMs ?? 0) > request.nowMs
    ? Math.max(proved, windowEndMs(window, request.worker))
    : proved;
}

function proofAllowsMs(state: RateLimiterState, request: SlotAttempt, before: number): number {
  const taken = takenSlots(state, request);
  const { limit } = state;
  return taken[taken.length - limit + Math.min(before, limit - 1)]?.freeAtMs ?? request.nowMs;
}

interface TakenSlot {
  readonly isOwn: boolean;
  readonly freeAtMs: number;
}

/** Returns the slots that are not free yet for this worker, in the order in which they become free. */
function takenSlots({ slots }: RateLimiterState, { worker, nowMs }: SlotAttempt): readonly TakenSlot[] {
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

/** Spreads bulk work over the minute, so that live work never finds the window used up. */
function spreadAllowsMs(state: RateLimiterState, { worker, nowMs }: SlotAttempt, before: number): number {
  const { mode, window, limit, bulkDueMs = 0 } = state;
  const interval = WINDOW_MS / limit;
  if (mode === 'proof' || !window) return bulkDueMs + (before - 1) * interval;
  const used = limit - leftIn(window, state) + before;
  if (window.resetAtMs === 0) return used < 2 ? nowMs : nowMs + SECOND_MS;
  return windowEndMs(window, worker) - WINDOW_MS + (used - 1) * interval;
}

/**
 * Drops a window that has ended. After a fixed window, the next window starts with the whole allowance. `leftIn`
 * subtracts requests in flight, which may arrive in the next window.
 */
function rolledOver(state: RateLimiterState, { worker, nowMs }: SlotAttempt): RateLimiterState {
  const { window, ...others } = state;
  if (!window || window.resetAtMs === 0 || nowMs < windowEndMs(window, worker)) return state;
  const rest = { ...others, ended: { resetAtMs: window.resetAtMs, atMs: nowMs } };
  if (state.mode === 'proof') return rest;
  const fresh: VendorWindow = { resetAtMs: 0, remaining: state.limit, endsAtMs: {} };
  return { ...rest, window: fresh };
}

/** Maximum number of listed waiters, which limits the size of the item. Further waiters wait without being listed. */
const MAX_LISTED = 100;

/** Whether no write is needed to list this waiter until `atMs`. A single bulk waiter is not listed. */
function isListed({ waiters }: RateLimiterState, { id, lane, again }: SlotAttempt, atMs: number): boolean {
  const own = waiters.find((waiter) => waiter.id === id);
  if (own) return own.untilMs >= atMs + SEEN_MS;
  const isAlone = !waiters.some((waiter) => waiter.lane === lane);
  return isAlone ? lane === 'bulk' && !again : waiters.length >= MAX_LISTED;
}

function withWaiter(
  state: RateLimiterState,
  { id, lane, dueMs, nowMs }: SlotAttempt,
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

export interface SlotReport {
  readonly id: string;
  readonly worker: string;
  /** When the answer arrived. */
  readonly nowMs: number;
  readonly report?: RateReport | undefined;
  /** The answer was a 429. */
  readonly limited: boolean;
  /** Only after a 429: the wait that the vendor requests. */
  readonly retryAfterMs?: number | undefined;
}

/** Time after an unexpected 429 during which no fixed window is assumed. */
const DISBELIEF_MS = 10 * MINUTE_MS;

/**
 * Longest pause after a 429, so that a wrong `Retry-After` (milliseconds instead of seconds) delays work by at most a
 * quarter of an hour. A pause that is too short does no harm, because a refused request costs nothing.
 */
const MAX_CLOSED_MS = 15 * MINUTE_MS;

/** Time after signs of another program that uses the key, during which its use is assumed. */
const SHARED_MS = 10 * MINUTE_MS;

/** Records an answer. Its slot becomes free a minute later, and its headers report the vendor's count. */
export function answerSlot(before: RateLimiterState, answer: SlotReport): RateLimiterState {
  const { id, worker: by, nowMs, report, limited } = answer;
  const slots = before.slots.map((slot) =>
    slot.id === id ? { ...slot, by, answered: true as const, freeAtMs: nowMs + WINDOW_MS } : slot,
  );
  const state = { ...before, slots, isTold: true as const };
  const next = report ? withReport(state, report, answer) : withoutReport(state);
  if (!limited) return next;
  // A refusal can lower the limit, never raise it.
  const limit = Math.min(before.limit, next.limit);
  // The clock of another worker may be ahead of this worker's clock.
  const openAtMs = nowMs + pauseAfterLimitMs(limit, answer) + CLOCK_TOLERANCE_MS;
  const untilMs = Math.max(openAtMs, before.closed?.untilMs ?? 0);
  const closed = { untilMs, believeAtMs: nowMs + DISBELIEF_MS };
  return { ...next, limit, mode: 'proof', closed, sharedUntilMs: nowMs + SHARED_MS };
}

/**
 * Computes the length of the pause after a 429: until the reset or for `Retry-After`, whichever is longer. The pause is
 * at least one slot's share of the minute, because no slot becomes free earlier. It is a whole minute if the answer has
 * neither header.
 */
function pauseAfterLimitMs(limit: number, { report, retryAfterMs = 0 }: SlotReport): number {
  const requestedMs = Math.min(retryAfterMs, MAX_CLOSED_MS);
  const resetMs = report?.resetInMs ?? (requestedMs > 0 ? 0 : WINDOW_MS);
  return Math.max(SECOND_MS, WINDOW_MS / limit, resetMs, requestedMs);
}

/** Whether an answer changes the known rate. */
export function changesRate(before: RateLimiterState, answer: SlotReport): boolean {
  const { limit, mode, sharedUntilMs } = answerSlot(before, answer);
  return limit !== before.limit || mode !== before.mode || sharedUntilMs !== before.sharedUntilMs;
}

/**
 * Applies a report. Reports are ordered by their reset. Within one window the smallest `remaining` counts. Reports of
 * earlier windows are ignored. If an answer arrives after its window has ended, its report does not apply to the next
 * window.
 */
function withReport(before: RateLimiterState, report: RateReport, answer: SlotReport): RateLimiterState {
  const { window, ended } = before;
  if (report.resetAtMs < (window?.resetAtMs ?? 0)) return before;
  // If the request was sent after the end of the window, the vendor's clock was set back, and the report counts.
  const isEnded = ended !== undefined && report.resetAtMs <= ended.resetAtMs;
  if (isEnded && sentAtMs(before, answer) < ended.atMs + CLOCK_TOLERANCE_MS) return before;
  const state = { ...before, limit: report.limit >= 1 ? Math.floor(report.limit) : before.limit };
  const sameWindow = window?.resetAtMs === report.resetAtMs ? window : undefined;
  const next: VendorWindow = {
    resetAtMs: report.resetAtMs,
    remaining: Math.min(report.remaining, sameWindow?.remaining ?? report.remaining),
    endsAtMs: { ...sameWindow?.endsAtMs, [answer.worker]: provedEndMs(report, answer, sameWindow) },
  };
  const mode = provesFixedWindow(state, report, answer) ? 'fixed' : state.mode;
  const isShared = report.remaining < state.limit - mostCounted(state, answer);
  return { ...state, mode, window: next, ...(isShared && { sharedUntilMs: answer.nowMs + SHARED_MS }) };
}

function sentAtMs({ slots }: RateLimiterState, { id }: SlotReport): number {
  return slots.find((slot) => slot.id === id)?.sentAtMs ?? 0;
}

/**
 * Handles an answer without rate headers. The vendor may have counted the request in an unknown window. Then a delayed
 * report would show too many remaining requests. So the proof decides until a fixed window is observed again.
 */
function withoutReport(state: RateLimiterState): RateLimiterState {
  const { window } = state;
  return {
    ...state,
    mode: 'proof',
    ...(window && { window: { ...window, remaining: window.remaining - 1 } }),
  };
}

/**
 * Computes the proved end of a window. Each answer proves two upper bounds: the reported reset, and a minute after the
 * answer. The earliest answers of a window give the lowest bounds.
 */
function provedEndMs(
  report: RateReport,
  { worker, nowMs }: SlotReport,
  known: VendorWindow | undefined,
): number {
  const reportedMs = nowMs + Math.min(report.resetInMs, WINDOW_MS);
  return Math.min(reportedMs, known?.endsAtMs[worker] ?? reportedMs);
}

/**
 * Whether a report proves a fixed window: more requests remain than in a sliding minute, and the reset is far away. In
 * a token bucket also more requests remain, but its reset is only moments away, when the next token returns.
 */
function provesFixedWindow(state: RateLimiterState, report: RateReport, answer: SlotReport): boolean {
  if (state.mode === 'fixed' || !report.dated || answer.nowMs < (state.closed?.believeAtMs ?? 0))
    return false;
  const nextTokenMs = WINDOW_MS / state.limit;
  return report.remaining > state.limit - fewestCounted(state, answer) && report.resetInMs > 4 * nextTokenMs;
}

/**
 * Counts the requests that the vendor certainly received in the last minute: this request, and the requests that were
 * answered before it was sent.
 */
function fewestCounted({ slots }: RateLimiterState, { id, worker, nowMs }: SlotReport): number {
  const own = slots.find((slot) => slot.id === id);
  if (!own) return 0;
  const earlier = slots.filter(({ by, sentAtMs, answered, freeAtMs }) => {
    const skewMs = by === worker ? 0 : CLOCK_TOLERANCE_MS;
    const answeredBefore = answered && freeAtMs - WINDOW_MS + skewMs <= own.sentAtMs;
    return answeredBefore && sentAtMs - skewMs > nowMs - WINDOW_MS;
  });
  return countOf(earlier) + 1;
}

/** Computes the highest number of our requests that the vendor's reported count can include. */
function mostCounted({ slots }: RateLimiterState, { id, worker, nowMs }: SlotReport): number {
  const sentAtMs = slots.find((slot) => slot.id === id)?.sentAtMs ?? nowMs - WINDOW_MS;
  return countOf(
    slots.filter(({ by, freeAtMs }) => freeAtMs + (by === worker ? 0 : CLOCK_TOLERANCE_MS) > sentAtMs),
  );
}
