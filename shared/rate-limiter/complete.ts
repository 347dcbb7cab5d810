import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { RateReport } from '#shared/vendor';
import type { RateLimiterState, VendorWindow } from './schemas.ts';
import { countOf, WINDOW_MS } from './state.ts';

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
