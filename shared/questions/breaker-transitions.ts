import { HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { unreachable } from '#shared/kernel/errors.ts';
import type { CallResult } from './paid-calls.ts';
import type { BreakerState } from './schemas.ts';

/**
 * The breakers of an account. Four of them stand side by side; `passage` asks all, in the order of this picture, and
 * takes the next state only where it lets a probe through. Nothing else builds such a state.
 *
 *   keyRefused     closed --a 401, or a 404 of somebody else--> open --probeAtMs--> check-key (free) --accepted--> closed
 *   outOfCredits   closed --a 402--> open for its price and above --untilMs, or that price is paid--> closed
 *   overcharged    closed --a charge above its price--> open --probeAtMs--> probe (one cheap question) --its charge fits--> closed
 *   doubtful       closed --three doubts in a row--> open --probeAtMs--> probe (one question) --answered--> closed
 */
export const CLOSED: BreakerState = { doubtsInRow: 0 };

const MAX_DOUBTS_IN_ROW = 3;
const KEY_PROBE_MS = 2 * MINUTE_MS;
/** The sweep makes what waits for the key due as soon as a key works; without it, this is the time. */
export const KEY_WAIT_MS = 15 * MINUTE_MS;
const CREDITS_PROBE_MS = HOUR_MS;
const DOUBT_PROBE_MS = 10 * MINUTE_MS;
const OVERCHARGE_PROBE_MS = HOUR_MS;
/** A profile with everything costs less: a probe that is overcharged again costs little. */
export const MAX_OVERCHARGE_PROBE_CREDITS = 10;
/** A question too dear for a probe looks again after this. */
const TOO_DEAR_MS = 5 * MINUTE_MS;

export type StopReason =
  | 'key-refused'
  | 'wrong-address'
  | 'out-of-credits'
  | 'charges-above-list'
  | 'too-many-doubts';

export type Passage =
  | { readonly kind: 'pass'; readonly value?: undefined }
  /** Ask, but let nobody else pass until this one has told how it went. */
  | { readonly kind: 'probe'; readonly value: BreakerState }
  /** Ask the free key check first. */
  | { readonly kind: 'check-key'; readonly value: BreakerState }
  | {
      readonly kind: 'refused';
      readonly reason: StopReason;
      readonly untilMs: number;
      readonly value?: undefined;
    };

/** As it is for this key: what was learned about another is over. */
export function forKey(state: BreakerState, keyHash: string): BreakerState {
  return state.keyRefused && state.keyRefused.keyHash !== keyHash ? keyAccepted(state) : state;
}

interface Wish {
  readonly priceCredits: number;
  readonly nowMs: number;
  /** Of the key that it would be asked with, and of the address. */
  readonly keyHash: string;
}

/** Whether a question of this price may be asked now. Each probe moves the next one into the future. */
export function passage(stored: BreakerState, { priceCredits, nowMs, keyHash }: Wish): Passage {
  const state = forKey(stored, keyHash);
  const { keyRefused, outOfCredits, overcharged, doubtful } = state;
  if (keyRefused) {
    const { probeAtMs, why } = keyRefused;
    if (nowMs < probeAtMs)
      return { kind: 'refused', reason: why ?? 'key-refused', untilMs: nowMs + KEY_WAIT_MS };
    return { kind: 'check-key', value: refusing(state, { nowMs, keyHash, why }) };
  }
  if (outOfCredits && priceCredits >= outOfCredits.priceCredits && nowMs < outOfCredits.untilMs) {
    return { kind: 'refused', reason: 'out-of-credits', untilMs: outOfCredits.untilMs };
  }
  const isDear = priceCredits > MAX_OVERCHARGE_PROBE_CREDITS;
  if (overcharged && (isDear || nowMs < overcharged.probeAtMs)) {
    const untilMs = Math.max(overcharged.probeAtMs, nowMs + (isDear ? TOO_DEAR_MS : 0));
    return { kind: 'refused', reason: 'charges-above-list', untilMs };
  }
  if (doubtful && nowMs < doubtful.probeAtMs)
    return { kind: 'refused', reason: 'too-many-doubts', untilMs: doubtful.probeAtMs };
  if (!overcharged && !doubtful) return { kind: 'pass' };
  const value = {
    ...state,
    ...(doubtful && { doubtful: { ...doubtful, probeAtMs: nowMs + DOUBT_PROBE_MS } }),
    ...(overcharged && {
      overcharged: { ...overcharged, probedAtMs: nowMs, probeAtMs: nowMs + OVERCHARGE_PROBE_MS },
    }),
  };
  return { kind: 'probe', value };
}

/** How a request ended. */
export interface RequestEnd extends Wish {
  readonly result: CallResult;
  /** What the vendor charged, by its price list and the results that came. */
  readonly chargedCredits: number;
  readonly sentAtMs: number;
}

/** What a request's end teaches; the same state where it teaches nothing new. */
export function learn(state: BreakerState, end: RequestEnd): BreakerState {
  const { result, priceCredits, nowMs, keyHash } = end;
  switch (result.kind) {
    case 'found':
    case 'no-match':
      return afterCharge(answered(withOtherKey(state, end.keyHash), priceCredits), end);
    case 'unknown': {
      const doubtsInRow = state.doubtsInRow + 1;
      const opens = doubtsInRow >= MAX_DOUBTS_IN_ROW || state.doubtful !== undefined;
      const doubtful = { sinceMs: nowMs, ...state.doubtful, probeAtMs: nowMs + DOUBT_PROBE_MS };
      return { ...state, doubtsInRow, ...(opens && { doubtful }) };
    }
    case 'declined':
      if (result.why === 'key-refused') return refusing(state, { nowMs, keyHash });
      if (result.why === 'wrong-address') return refusing(state, { nowMs, keyHash, why: result.why });
      return result.why === 'out-of-credits' ? notPaid(state, { priceCredits, nowMs }) : state;
    case 'invalid':
    case 'not-sent':
      return state;
    default:
      return unreachable(result);
  }
}

interface Refusal extends Pick<Wish, 'nowMs' | 'keyHash'> {
  readonly why?: 'wrong-address' | undefined;
}

function refusing(state: BreakerState, { nowMs, keyHash, why }: Refusal): BreakerState {
  const { sinceMs = nowMs, isReplaced } = forKey(state, keyHash).keyRefused ?? {};
  const known = { sinceMs, keyHash, ...(why && { why }), ...(isReplaced && { isReplaced }) };
  const keyRefused = { ...known, probeAtMs: nowMs + KEY_PROBE_MS };
  return { ...state, keyRefused };
}

/** A lower price that was refused stays until its time: a dearer question's refusal says less. */
function notPaid(
  state: BreakerState,
  { priceCredits, nowMs }: Pick<Wish, 'priceCredits' | 'nowMs'>,
): BreakerState {
  const { outOfCredits } = state;
  if (outOfCredits && nowMs < outOfCredits.untilMs && outOfCredits.priceCredits < priceCredits) return state;
  const { sinceMs = nowMs } = outOfCredits ?? {};
  return { ...state, outOfCredits: { priceCredits, sinceMs, untilMs: nowMs + CREDITS_PROBE_MS } };
}

/** An answer to another key than the refused one shows that the key was replaced. */
function withOtherKey(state: BreakerState, keyHash: string): BreakerState {
  const { keyRefused } = state;
  if (!keyRefused || keyRefused.keyHash === keyHash || keyRefused.isReplaced) return state;
  return { ...state, keyRefused: { ...keyRefused, isReplaced: true } };
}

export function keyAccepted(state: BreakerState): BreakerState {
  return { ...state, keyRefused: undefined };
}

/** An answer closes the doubt breaker, and shows that its price can be paid. */
function answered(state: BreakerState, priceCredits: number): BreakerState {
  const paid = state.outOfCredits !== undefined && priceCredits >= state.outOfCredits.priceCredits;
  if (state.doubtsInRow === 0 && !state.doubtful && !paid) return state;
  const outOfCredits = paid ? undefined : state.outOfCredits;
  return { ...state, doubtsInRow: 0, doubtful: undefined, outOfCredits };
}

/**
 * A charge above its price opens the breaker. One that fits closes it, if its question was sent as the probe or later:
 * questions under way when the breaker opened prove nothing.
 */
function afterCharge(
  state: BreakerState,
  { priceCredits, chargedCredits, sentAtMs, nowMs }: RequestEnd,
): BreakerState {
  const { overcharged } = state;
  if (chargedCredits > priceCredits) {
    const { sinceMs = nowMs } = overcharged ?? {};
    return { ...state, overcharged: { sinceMs, probeAtMs: nowMs + OVERCHARGE_PROBE_MS } };
  }
  const isProof = overcharged?.probedAtMs !== undefined && sentAtMs >= overcharged.probedAtMs;
  return isProof ? { ...state, overcharged: undefined } : state;
}

const KEY_NEWS_MS = 15 * MINUTE_MS;

/**
 * As it is for those who do not know which key is in use. Whoever waits for the key tries it when it is time to. Once
 * another key works, nobody does, and what is known of the old one grows old.
 */
export function withoutOldKey(state: BreakerState, nowMs: number): BreakerState {
  const { keyRefused } = state;
  const isOld = keyRefused && (keyRefused.isReplaced || nowMs >= keyRefused.probeAtMs + KEY_NEWS_MS);
  return isOld ? keyAccepted(state) : state;
}
