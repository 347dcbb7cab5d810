import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { RateLimiterState, VendorWindow } from './schemas.ts';
import { countOf, type RateReport, WINDOW_MS } from './state.ts';

export interface SlotReport {
  readonly id: string;
  readonly worker: string;
  /** When the answer was here. */
  readonly nowMs: number;
  readonly report?: RateReport | undefined;
  /** The answer was a 429. */
  readonly limited: boolean;
  /** Only after a 429: how long the vendor asked us to wait. */
  readonly retryAfterMs?: number | undefined;
}

/** After a 429 that should not have been, fixed windows are not believed in for this long. */
const DISBELIEF_MS = 10 * MINUTE_MS;

/**
 * The longest that a 429 closes the gate. A refused request costs nothing, so a wait that was not meant (milliseconds
 * for seconds) is found out in a quarter of an hour.
 */
const MOST_CLOSED_MS = 15 * MINUTE_MS;

/** Once seen, another user of the key is assumed for this long. */
const SHARED_MS = 10 * MINUTE_MS;

/** Books an answer: its slot is free a minute later, and its headers tell of the vendor's own count. */
export function answerSlot(before: RateLimiterState, answer: SlotReport): RateLimiterState {
  const { id, worker: by, nowMs, report, limited } = answer;
  const slots = before.slots.map((slot) =>
    slot.id === id ? { ...slot, by, answered: true as const, freeAtMs: nowMs + WINDOW_MS } : slot,
  );
  const state = { ...before, slots, isTold: true as const };
  const told = report ? withReport(state, report, answer) : withoutReport(state);
  if (!limited) return told;
  // A refusal may narrow the rate, and never widens it.
  const limit = Math.min(before.limit, told.limit);
  // The clock of another worker may be ahead of this one.
  const openAtMs = nowMs + closedMs(limit, answer) + CLOCK_TOLERANCE_MS;
  const untilMs = Math.max(openAtMs, before.closed?.untilMs ?? 0);
  const closed = { untilMs, believeAtMs: nowMs + DISBELIEF_MS };
  return { ...told, limit, mode: 'proof', closed, sharedUntilMs: nowMs + SHARED_MS };
}

/**
 * How long nothing is sent after a 429: until the reset, and as long as `Retry-After` says, whichever is later. At least
 * one slot's share of the minute, because sooner no slot comes free; a whole minute where the answer says nothing of use.
 */
function closedMs(limit: number, { report, retryAfterMs = 0 }: SlotReport): number {
  const wishMs = Math.min(retryAfterMs, MOST_CLOSED_MS);
  const resetMs = report?.resetInMs ?? (wishMs > 0 ? 0 : WINDOW_MS);
  return Math.max(SECOND_MS, WINDOW_MS / limit, resetMs, wishMs);
}

/** Whether an answer tells of the rate what is not known yet. */
export function teaches(before: RateLimiterState, answer: SlotReport): boolean {
  const { limit, mode, sharedUntilMs } = answerSlot(before, answer);
  return limit !== before.limit || mode !== before.mode || sharedUntilMs !== before.sharedUntilMs;
}

/**
 * Reports are ordered by their reset: within one window the smallest remaining holds, earlier ones are ignored. An
 * answer can be under way while its window ends; its report says nothing of the window that follows.
 */
function withReport(before: RateLimiterState, report: RateReport, answer: SlotReport): RateLimiterState {
  const { window, ended } = before;
  if (report.resetAtMs < (window?.resetAtMs ?? 0)) return before;
  // A request sent later has a later reset, or the vendor's clock was set back.
  const isEnded = ended !== undefined && report.resetAtMs <= ended.resetAtMs;
  if (isEnded && sentAtMs(before, answer) < ended.atMs + CLOCK_TOLERANCE_MS) return before;
  const state = { ...before, limit: report.limit >= 1 ? Math.floor(report.limit) : before.limit };
  const same = window?.resetAtMs === report.resetAtMs ? window : undefined;
  const next: VendorWindow = {
    resetAtMs: report.resetAtMs,
    remaining: Math.min(report.remaining, same?.remaining ?? report.remaining),
    endsAtMs: { ...same?.endsAtMs, [answer.worker]: endAsTold(report, answer, same) },
  };
  const mode = provesFixedWindow(state, report, answer) ? 'fixed' : state.mode;
  const isShared = report.remaining < state.limit - perhapsCounted(state, answer);
  return { ...state, mode, window: next, ...(isShared && { sharedUntilMs: answer.nowMs + SHARED_MS }) };
}

function sentAtMs({ slots }: RateLimiterState, { id }: SlotReport): number {
  return slots.find((slot) => slot.id === id)?.sentAtMs ?? 0;
}

/**
 * The vendor may have counted it, but does not say in which window: a report from before it may come yet, and would tell
 * of more than is left. So the proof leads, until a fixed window is seen again.
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
 * Two upper bounds, each proved by every answer of the window: the vendor's clock said so; and a window of a minute
 * that held this request ends within a minute of its answer. The earliest answers give the best.
 */
function endAsTold(
  report: RateReport,
  { worker, nowMs }: SlotReport,
  known: VendorWindow | undefined,
): number {
  const told = nowMs + Math.min(report.resetInMs, WINDOW_MS);
  return Math.min(told, known?.endsAtMs[worker] ?? told);
}

/**
 * More remains than counting the last minute would leave, so the vendor does not count that way. A bucket also
 * forgets early, but its reset is the next token's return, moments away: only a far reset proves a fixed window.
 */
function provesFixedWindow(state: RateLimiterState, report: RateReport, answer: SlotReport): boolean {
  if (state.mode === 'fixed' || !report.dated || answer.nowMs < (state.closed?.believeAtMs ?? 0))
    return false;
  const nextTokenMs = WINDOW_MS / state.limit;
  return report.remaining > state.limit - surelyCounted(state, answer) && report.resetInMs > 4 * nextTokenMs;
}

/** Requests of the last minute that had reached the vendor before this one left, and this one. */
function surelyCounted({ slots }: RateLimiterState, { id, worker, nowMs }: SlotReport): number {
  const own = slots.find((slot) => slot.id === id);
  if (!own) return 0;
  const earlier = slots.filter(({ by, sentAtMs, answered, freeAtMs }) => {
    const skewMs = by === worker ? 0 : CLOCK_TOLERANCE_MS;
    const answeredBefore = answered && freeAtMs - WINDOW_MS + skewMs <= own.sentAtMs;
    return answeredBefore && sentAtMs - skewMs > nowMs - WINDOW_MS;
  });
  return countOf(earlier) + 1;
}

/** Requests that no proof keeps from being in the count that this answer reports. */
function perhapsCounted({ slots }: RateLimiterState, { id, worker, nowMs }: SlotReport): number {
  const sentAtMs = slots.find((slot) => slot.id === id)?.sentAtMs ?? nowMs - WINDOW_MS;
  return countOf(
    slots.filter(({ by, freeAtMs }) => freeAtMs + (by === worker ? 0 : CLOCK_TOLERANCE_MS) > sentAtMs),
  );
}
