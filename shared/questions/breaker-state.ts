import { HOUR_MS, MINUTE_MS } from '../kernel/clock.ts';
import { unreachable } from '../kernel/errors.ts';
import type { CallResult } from './paid-calls.ts';

/** What keeps questions from being asked at all. One item for all questions of an account. */
export interface BreakerState {
  /** The vendor refuses the key: nothing is asked until the free key check is answered again. */
  readonly keyRefused?: { readonly probeAtMs: number } | undefined;
  /** The vendor's balance did not pay for this price: nothing at this price or above is asked before `untilMs`. */
  readonly outOfCredits?: { readonly priceCredits: number; readonly untilMs: number } | undefined;
  /** Requests in a row whose outcome nobody knows. */
  readonly doubtsInRow: number;
  /** Open after too many of them; from `probeAtMs` on a single question may try. */
  readonly doubtful?: { readonly probeAtMs: number } | undefined;
}

export const CLOSED: BreakerState = { doubtsInRow: 0 };

const MAX_DOUBTS_IN_ROW = 3;
const KEY_PROBE_MS = 5 * MINUTE_MS;
const CREDITS_PROBE_MS = HOUR_MS;
const DOUBT_PROBE_MS = 10 * MINUTE_MS;

export type Passage =
  | { readonly kind: 'pass' }
  /** Ask, but let nobody else pass until this one has told how it went. */
  | { readonly kind: 'probe'; readonly state: BreakerState }
  /** Ask the free key check first. */
  | { readonly kind: 'check-key'; readonly state: BreakerState }
  | {
      readonly kind: 'refused';
      readonly reason: 'key-refused' | 'out-of-credits' | 'too-many-doubts';
      readonly untilMs: number;
    };

/** Whether a question of this price may be asked now. Each probe moves the next one into the future. */
export function passage(
  state: BreakerState,
  { priceCredits, nowMs }: { priceCredits: number; nowMs: number },
): Passage {
  const { keyRefused, outOfCredits, doubtful } = state;
  if (keyRefused) {
    if (nowMs < keyRefused.probeAtMs)
      return { kind: 'refused', reason: 'key-refused', untilMs: keyRefused.probeAtMs };
    return { kind: 'check-key', state: { ...state, keyRefused: { probeAtMs: nowMs + KEY_PROBE_MS } } };
  }
  if (outOfCredits && priceCredits >= outOfCredits.priceCredits && nowMs < outOfCredits.untilMs) {
    return { kind: 'refused', reason: 'out-of-credits', untilMs: outOfCredits.untilMs };
  }
  if (!doubtful) return { kind: 'pass' };
  if (nowMs < doubtful.probeAtMs)
    return { kind: 'refused', reason: 'too-many-doubts', untilMs: doubtful.probeAtMs };
  return { kind: 'probe', state: { ...state, doubtful: { probeAtMs: nowMs + DOUBT_PROBE_MS } } };
}

/** What a request's end teaches; the same state where it teaches nothing new. */
export function learn(
  state: BreakerState,
  { result, priceCredits, nowMs }: { result: CallResult; priceCredits: number; nowMs: number },
): BreakerState {
  switch (result.kind) {
    case 'found':
    case 'no-match':
      return answered(state, priceCredits);
    case 'unknown': {
      const doubtsInRow = state.doubtsInRow + 1;
      const opens = doubtsInRow >= MAX_DOUBTS_IN_ROW || state.doubtful !== undefined;
      return { ...state, doubtsInRow, ...(opens && { doubtful: { probeAtMs: nowMs + DOUBT_PROBE_MS } }) };
    }
    case 'declined':
      if (result.why === 'key-refused') return { ...state, keyRefused: { probeAtMs: nowMs + KEY_PROBE_MS } };
      if (result.why === 'out-of-credits') {
        return { ...state, outOfCredits: { priceCredits, untilMs: nowMs + CREDITS_PROBE_MS } };
      }
      return state;
    case 'invalid':
    case 'not-sent':
      return state;
    default:
      return unreachable(result);
  }
}

export function keyAccepted({ keyRefused: _, ...state }: BreakerState): BreakerState {
  return state;
}

/** An answer closes the doubt breaker, and shows that its price can be paid. */
function answered(state: BreakerState, priceCredits: number): BreakerState {
  const paid = state.outOfCredits !== undefined && priceCredits >= state.outOfCredits.priceCredits;
  if (state.doubtsInRow === 0 && !state.doubtful && !paid) return state;
  const { doubtful: _, outOfCredits, ...rest } = state;
  return { ...rest, doubtsInRow: 0, ...(outOfCredits && !paid && { outOfCredits }) };
}
