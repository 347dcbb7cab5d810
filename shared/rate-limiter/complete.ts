import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { RateLimiterState, VendorWindow } from './schemas.ts';
import { countOf, type RateReport, WINDOW_MS } from './state.ts';

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

/** After an unexpected 429, the limiter assumes no fixed windows for this long. */
const DISBELIEF_MS = 10 * MINUTE_MS;

/**
 * Longest pause after a 429. A refused request costs nothing. So a wrong `Retry-After` (milliseconds instead of seconds)
 * delays work by at most a quarter of an hour.
 */
const MOST_CLOSED_MS = 15 * MINUTE_MS;

/** After signs of another program that uses the key, its use is assumed for this long. */
const SHARED_MS = 10 * MINUTE_MS;

/** Records an answer: its slot is free a minute later, and its headers report the vendor's count. */
export function answerSlot(before: RateLimiterState, answer: SlotReport): RateLimiterState {
  const { id, worker: by, nowMs, report, limited } = answer;
  const slots = before.slots.map((slot) =>
    slot.id === id ? { ...slot, by, answered: true as const, freeAtMs: nowMs + WINDOW_MS } : slot,
  );
  const state = { ...before, slots, isTold: true as const };
  const next = report ? withReport(state, report, answer) : withoutReport(state);
  if (!limited) return next;
  // A refusal may lower the limit, never raise it.
  const limit = Math.min(before.limit, next.limit);
  // The clock of another worker may be ahead of this one.
  const openAtMs = nowMs + pauseAfterLimitMs(limit, answer) + CLOCK_TOLERANCE_MS;
  const untilMs = Math.max(openAtMs, before.closed?.untilMs ?? 0);
  const closed = { untilMs, believeAtMs: nowMs + DISBELIEF_MS };
  return { ...next, limit, mode: 'proof', closed, sharedUntilMs: nowMs + SHARED_MS };
}

/**
 * Length of the pause after a 429: until the reset or for `Retry-After`, whichever is later. At least one slot's share of
 * the minute, because no slot becomes free earlier. A whole minute if the answer has neither.
 */
function pauseAfterLimitMs(limit: number, { report, retryAfterMs = 0 }: SlotReport): number {
  const wishMs = Math.min(retryAfterMs, MOST_CLOSED_MS);
  const resetMs = report?.resetInMs ?? (wishMs > 0 ? 0 : WINDOW_MS);
  return Math.max(SECOND_MS, WINDOW_MS / limit, resetMs, wishMs);
}

/** Whether an answer changes the known rate. */
export function changesRate(before: RateLimiterState, answer: SlotReport): boolean {
  const { limit, mode, sharedUntilMs } = answerSlot(before, answer);
  return limit !== before.limit || mode !== before.mode || sharedUntilMs !== before.sharedUntilMs;
}

/**
 * Reports are ordered by their reset. Within one window the smallest `remaining` counts; reports of earlier windows are
 * ignored. An answer may arrive after its window has ended; its report does not apply to the next window.
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
    endsAtMs: { ...same?.endsAtMs, [answer.worker]: provedEndMs(report, answer, same) },
  };
  const mode = provesFixedWindow(state, report, answer) ? 'fixed' : state.mode;
  const isShared = report.remaining < state.limit - mostCounted(state, answer);
  return { ...state, mode, window: next, ...(isShared && { sharedUntilMs: answer.nowMs + SHARED_MS }) };
}

function sentAtMs({ slots }: RateLimiterState, { id }: SlotReport): number {
  return slots.find((slot) => slot.id === id)?.sentAtMs ?? 0;
}

/**
 * Handles an answer without rate headers. The vendor may have counted the request in an unknown window, so a delayed report
 * may show too many remaining requests. So the proof decides until a fixed window is observed again.
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
 * The end of a window. Each answer proves two upper bounds: the reported reset, and a minute after the answer. The earliest
 * answers of a window give the lowest bounds.
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
 * Proves a fixed window: more requests remain than a sliding minute would leave, and the reset is far away. A token bucket
 * also leaves more, but its reset is the return of the next token, moments away.
 */
function provesFixedWindow(state: RateLimiterState, report: RateReport, answer: SlotReport): boolean {
  if (state.mode === 'fixed' || !report.dated || answer.nowMs < (state.closed?.believeAtMs ?? 0))
    return false;
  const nextTokenMs = WINDOW_MS / state.limit;
  return report.remaining > state.limit - fewestCounted(state, answer) && report.resetInMs > 4 * nextTokenMs;
}

/** Number of requests that the vendor certainly received in the last minute: those answered before this one, and this one. */
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

/** Highest possible number of our requests in the count that this answer reports. */
function mostCounted({ slots }: RateLimiterState, { id, worker, nowMs }: SlotReport): number {
  const sentAtMs = slots.find((slot) => slot.id === id)?.sentAtMs ?? nowMs - WINDOW_MS;
  return countOf(
    slots.filter(({ by, freeAtMs }) => freeAtMs + (by === worker ? 0 : CLOCK_TOLERANCE_MS) > sentAtMs),
  );
}
