import { MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';

/** `live` work goes first; `bulk` takes a slot only when no live asker waits, and is spread over the minute. */
export type Lane = 'live' | 'bulk';

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

/** One request's share of the vendor's rate. Times are those of the worker that wrote them. */
export interface Slot {
  readonly id: string;
  /** The worker that wrote `sentAtMs` and `freeAtMs`: its clock may differ from ours. */
  readonly by: string;
  readonly sentAtMs: number;
  /** Set when the answer came; until then the request is in flight. */
  readonly answered: boolean;
  /** From then on no minute of the vendor's that holds a new request can hold this one. */
  readonly freeAtMs: number;
}

/** A window of the vendor's own counting. */
export interface VendorWindow {
  /** The reported reset on the vendor's clock; 0 while no answer has named the window yet. */
  readonly resetAtMs: number;
  /** The smallest report of what remains in it. */
  readonly remaining: number;
  /** By worker, on that worker's clock: when the window has surely ended. */
  readonly endsAtMs: Readonly<Record<string, number>>;
}

/** Somebody who waits for a slot. */
export interface Waiter {
  readonly id: string;
  /** Not seen until then, it has gone. */
  readonly untilMs: number;
}

export interface GovernorState {
  /** Requests per minute, learned from the headers. */
  readonly limit: number;
  /**
   * `proof`: only what can be proved whatever the vendor's way of counting. `fixed`: a fixed window has been
   * observed, so a new window's whole allowance may be used from its reset on.
   */
  readonly mode: 'proof' | 'fixed';
  readonly slots: readonly Slot[];
  readonly window?: VendorWindow | undefined;
  /** After a 429 nobody sends before this, and fixed windows are not believed in before `believeAtMs`. */
  readonly closed?: { readonly untilMs: number; readonly believeAtMs: number } | undefined;
  /** Somebody else uses the key, too, as far as is known: until then every report narrows. */
  readonly sharedUntilMs?: number | undefined;
  /** When the next bulk request is due, were all evenly spread. */
  readonly bulkDueMs?: number | undefined;
  readonly liveWaiters: readonly Waiter[];
  /** Waiters of either lane whose time runs short. */
  readonly hurried?: readonly (Waiter & { readonly lane: Lane; readonly dueMs: number })[] | undefined;
  /** What was stored could not be read: the use of the rate is not known. */
  readonly unreadable?: true | undefined;
}

/** The spec's rate, until an answer tells another. */
export const INITIAL_STATE: GovernorState = { limit: 20, mode: 'proof', slots: [], liveWaiters: [] };

/** Stands for a stored state of another shape. */
export const UNREADABLE_STATE: GovernorState = { ...INITIAL_STATE, unreadable: true };

/** The vendor counts requests per minute. */
export const WINDOW_MS = MINUTE_MS;
/** How far the clocks of two workers may be apart; what another worker timed is believed this much later. */
export const WORKER_SKEW_MS = 2 * SECOND_MS;

/**
 * Nothing is known of what was sent: whatever is under way is counted within a minute, and forgotten within the next.
 * Then the proof rule leads.
 */
export function startOver(nowMs: number): GovernorState {
  const untilMs = nowMs + 2 * WINDOW_MS + WORKER_SKEW_MS;
  return { ...INITIAL_STATE, closed: { untilMs, believeAtMs: untilMs } };
}

/** Drops what can no longer matter to anybody. */
export function prune(state: GovernorState, nowMs: number): GovernorState {
  const { closed, sharedUntilMs = 0, hurried = [], ...rest } = state;
  const waiting = hurried.filter(({ untilMs }) => untilMs > nowMs);
  return {
    ...rest,
    slots: state.slots.filter(({ freeAtMs }) => freeAtMs + WORKER_SKEW_MS > nowMs),
    liveWaiters: state.liveWaiters.filter(({ untilMs }) => untilMs > nowMs),
    ...(closed && Math.max(closed.untilMs, closed.believeAtMs) > nowMs && { closed }),
    ...(sharedUntilMs > nowMs && { sharedUntilMs }),
    ...(waiting.length > 0 && { hurried: waiting }),
  };
}

function inFlight({ slots }: GovernorState): number {
  return slots.filter(({ answered }) => !answered).length;
}

/**
 * What a window surely still allows. Whatever was answered in it is in the smallest report already; requests in
 * flight may be or not.
 */
export function leftIn({ remaining }: VendorWindow, state: GovernorState): number {
  return remaining - inFlight(state);
}

/** When a window has surely ended, on this worker's clock. */
export function endOf({ endsAtMs }: VendorWindow, worker: string): number {
  const own = endsAtMs[worker];
  if (own !== undefined) return own;
  return Math.min(...Object.values(endsAtMs)) + WORKER_SKEW_MS;
}
