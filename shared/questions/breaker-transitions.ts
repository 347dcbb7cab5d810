import { HOUR_MS, MINUTE_MS, unreachable } from '#shared/kernel';
import type { CallResult } from './paid-calls.ts';
import type { BreakerState } from './schemas.ts';

/**
 * The five breakers of an account. `passage` checks them in the order of this picture, and changes the state only if it
 * starts a probe. No other module builds a state.
 *
 *   keyRefused     closed --a 401, or a 404 of another server--> open --probeAtMs--> check-key (free) --accepted--> closed
 *   outOfCredits   closed --a 402--> open for its price and above --untilMs, or that price is paid--> closed
 *   overcharged    closed --a charge above its price--> open --probe: a cheap question, charged as priced--> closed
 *   doubtful       closed --three doubts in a row--> open --probe: the free key check, then a cheap question--> closed
 *   stopped        closed --spend stop--> open --spend resume--> closed
 */
export const CLOSED: BreakerState = { doubtsInRow: 0 };

const MAX_DOUBTS_IN_ROW = 3;
const KEY_PROBE_MS = 2 * MINUTE_MS;
/** Shortest time between two paid probes of doubts and charges. */
const PROBE_MS = 5 * MINUTE_MS;
/** Longest wait for a key or for credits. When the cause ends, the sweep makes the records due earlier. */
export const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** Time between two tests of an empty balance. A 402 costs nothing. */
const CREDITS_PROBE_MS = 3 * MINUTE_MS;
/** A balance counts as empty for this long after its next test is due, because the test needs a waiting record. */
const TEST_DELAY_MS = 5 * MINUTE_MS;
/** A question with a higher price cannot be a probe. A profile with every option costs less. */
export const MAX_PROBE_CREDITS = 10;
/** A refused question is retried after this, because another question's probe may have closed the breaker. */
const LOOK_AGAIN_MS = 5 * MINUTE_MS;
/** A probe that was not sent is repeated after this. */
const UNSENT_PROBE_MS = MINUTE_MS;

export type StopReason =
  | 'key-refused'
  | 'wrong-address'
  | 'out-of-credits'
  | 'charges-above-list'
  | 'too-many-doubts'
  | 'stopped-by-person';

export type Passage =
  | { readonly kind: 'pass'; readonly value?: undefined }
  /** This question is the probe. `turnMs` identifies the probe until it has ended. */
  | { readonly kind: 'probe'; readonly turnMs: number; readonly value?: BreakerState }
  /** Run the free key check first. With `turnMs`, this question is the probe once the key is accepted. */
  | { readonly kind: 'check-key'; readonly turnMs?: number; readonly value: BreakerState }
  | {
      readonly kind: 'refused';
      readonly reason: StopReason;
      readonly untilMs: number;
      /** The person's stop, where it is the reason. */
      readonly stopped?: BreakerState['stopped'];
      readonly value?: undefined;
    };

/** The state for this key: a refusal of another key does not count. */
export function forKey(state: BreakerState, keyHash: string): BreakerState {
  return state.keyRefused && state.keyRefused.keyHash !== keyHash ? keyAccepted(state) : state;
}

interface PricedRequest {
  readonly priceCredits: number;
  readonly nowMs: number;
  /** Keyed hash of the API key in use and its address. */
  readonly keyHash: string;
  /** Limit for the cost of probes, credits an hour. */
  readonly testCreditsPerHour: number;
}

interface PassRequest extends PricedRequest {
  /** The probe that this caller was granted before, if any. */
  readonly turnMs?: number | undefined;
  /** The data service has just accepted the key in this caller's free check. */
  readonly isKeyAnswered?: boolean | undefined;
}

/** Decides whether a question of this price may be sent now. Each probe postpones the next one. */
export function passage(stored: BreakerState, wish: PassRequest): Passage {
  const { priceCredits, nowMs, keyHash } = wish;
  const state = forKey(stored, keyHash);
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = state;
  if (stopped)
    return { kind: 'refused', reason: 'stopped-by-person', untilMs: nowMs + LOOK_AGAIN_MS, stopped };
  if (keyRefused) {
    const { probeAtMs, why } = keyRefused;
    if (nowMs < probeAtMs)
      return { kind: 'refused', reason: why ?? 'key-refused', untilMs: nowMs + LONGEST_WAIT_MS };
    return { kind: 'check-key', value: refusing(state, { nowMs, keyHash, why }) };
  }
  if (outOfCredits && priceCredits >= outOfCredits.priceCredits && nowMs < outOfCredits.untilMs) {
    return { kind: 'refused', reason: 'out-of-credits', untilMs: nowMs + LONGEST_WAIT_MS };
  }
  return overcharged || doubtful ? probing(state, wish) : { kind: 'pass' };
}

/**
 * One probe serves both breakers. After doubts the free key check comes first, so that no probe is paid while the data
 * service is down. The next paid probe waits until the hourly limit covers this price.
 */
function probing(state: BreakerState, wish: PassRequest): Passage {
  const { priceCredits, nowMs, turnMs, isKeyAnswered = false } = wish;
  const { overcharged, doubtful, probe = { atMs: nowMs } } = state;
  const hasTurn = turnMs !== undefined && probe.atMs === turnMs;
  if (hasTurn && probe.grantedAtMs !== undefined) return { kind: 'probe', turnMs };
  const isDear = priceCredits > MAX_PROBE_CREDITS;
  if (isDear || (nowMs < probe.atMs && !hasTurn)) {
    const untilMs = isDear ? nowMs + LOOK_AGAIN_MS : Math.min(probe.atMs, nowMs + LOOK_AGAIN_MS);
    return { kind: 'refused', reason: overcharged ? 'charges-above-list' : 'too-many-doubts', untilMs };
  }
  if (doubtful && !isKeyAnswered) {
    const atMs = nowMs + KEY_PROBE_MS;
    return { kind: 'check-key', turnMs: atMs, value: { ...state, probe: { atMs } } };
  }
  const atMs = nowMs + pauseMs(priceCredits, wish);
  return { kind: 'probe', turnMs: atMs, value: { ...state, probe: { atMs, grantedAtMs: nowMs } } };
}

/** Time until the hourly limit of probes allows another purchase after this price. */
function pauseMs(credits: number, { testCreditsPerHour }: Pick<PricedRequest, 'testCreditsPerHour'>): number {
  return Math.max(PROBE_MS, Math.ceil((credits / testCreditsPerHour) * HOUR_MS));
}

/** The probe was not sent, so another question may soon be the probe. */
export function withoutProbe(state: BreakerState, turnMs: number, nowMs: number): BreakerState {
  return state.probe?.atMs === turnMs ? { ...state, probe: { atMs: nowMs + UNSENT_PROBE_MS } } : state;
}

/** A person stops spending. A second stop replaces the first one's reason. */
export function stop(state: BreakerState, stopped: NonNullable<BreakerState['stopped']>): BreakerState {
  const { sinceMs } = state.stopped ?? stopped;
  return { ...state, stopped: { ...stopped, sinceMs } };
}

/** @param seenAtMs when the person saw the stop: a later stop stays. */
export function resume(state: BreakerState, seenAtMs = Number.POSITIVE_INFINITY): BreakerState {
  const { stopped } = state;
  return stopped && stopped.sinceMs <= seenAtMs ? { ...state, stopped: undefined } : state;
}

/** How a request ended. */
export interface RequestEnd extends PricedRequest {
  readonly result: CallResult;
  /** The vendor's charge, by its price list and the number of results. */
  readonly chargedCredits: number;
  readonly sentAtMs: number;
}

/** Updates the breakers by the end of a request. Returns the same state if nothing changes. */
export function learn(state: BreakerState, end: RequestEnd): BreakerState {
  const { result, priceCredits, nowMs, keyHash } = end;
  switch (result.kind) {
    case 'found':
    case 'no-match':
      return afterCharge(answered(withOtherKey(state, end.keyHash), priceCredits), end);
    case 'unknown': {
      const doubtsInRow = state.doubtsInRow + 1;
      const opens = doubtsInRow >= MAX_DOUBTS_IN_ROW && state.doubtful === undefined;
      if (!opens) return { ...state, doubtsInRow };
      const { probe = { atMs: nowMs + KEY_PROBE_MS } } = state;
      return { ...state, doubtsInRow, doubtful: { sinceMs: nowMs }, probe };
    }
    case 'declined': {
      const uncharged = afterNoCharge(state, end);
      const { why } = result;
      if (why === 'key-refused') return refusing(uncharged, { nowMs, keyHash });
      if (why === 'wrong-address') return refusing(uncharged, { nowMs, keyHash, why });
      return why === 'out-of-credits' ? notPaid(uncharged, { priceCredits, nowMs }) : uncharged;
    }
    case 'invalid':
    case 'not-sent':
      return afterNoCharge(state, end);
    default:
      return unreachable(result);
  }
}

/** A probe without a charge and without a result is repeated soon. */
function afterNoCharge(state: BreakerState, { sentAtMs, nowMs }: RequestEnd): BreakerState {
  const { probe } = state;
  const isProbe = probe?.grantedAtMs !== undefined && sentAtMs >= probe.grantedAtMs;
  const atMs = nowMs + PROBE_MS;
  return isProbe && probe.atMs > atMs ? { ...state, probe: { atMs } } : state;
}

/** The free key check was refused. */
export function keyDenied(
  state: BreakerState,
  refusal: Pick<PricedRequest, 'nowMs' | 'keyHash'>,
): BreakerState {
  return refusing(state, refusal);
}

interface Refusal extends Pick<PricedRequest, 'nowMs' | 'keyHash'> {
  readonly why?: 'wrong-address' | undefined;
}

function refusing(state: BreakerState, { nowMs, keyHash, why }: Refusal): BreakerState {
  const { sinceMs = nowMs, isReplaced } = forKey(state, keyHash).keyRefused ?? {};
  const known = { sinceMs, keyHash, ...(why && { why }), ...(isReplaced && { isReplaced }) };
  const keyRefused = { ...known, probeAtMs: nowMs + KEY_PROBE_MS };
  return { ...state, keyRefused };
}

/** Keeps the lowest refused price until its time, because a refusal of a higher price proves less. */
function notPaid(
  state: BreakerState,
  { priceCredits, nowMs }: Pick<PricedRequest, 'priceCredits' | 'nowMs'>,
): BreakerState {
  const { outOfCredits } = state;
  if (outOfCredits && nowMs < outOfCredits.untilMs && outOfCredits.priceCredits < priceCredits) return state;
  const { sinceMs = nowMs } = outOfCredits ?? {};
  return { ...state, outOfCredits: { priceCredits, sinceMs, untilMs: nowMs + CREDITS_PROBE_MS } };
}

/** Notes that the key was replaced, once the data service answers a request with another key. */
function withOtherKey(state: BreakerState, keyHash: string): BreakerState {
  const { keyRefused } = state;
  if (!keyRefused || keyRefused.keyHash === keyHash || keyRefused.isReplaced) return state;
  return { ...state, keyRefused: { ...keyRefused, isReplaced: true } };
}

export function keyAccepted(state: BreakerState): BreakerState {
  return { ...state, keyRefused: undefined };
}

/** An answer closes the doubt breaker, and proves that the balance covers its price. */
function answered(state: BreakerState, priceCredits: number): BreakerState {
  const paid = state.outOfCredits !== undefined && priceCredits >= state.outOfCredits.priceCredits;
  if (state.doubtsInRow === 0 && !state.doubtful && !paid) return state;
  const outOfCredits = paid ? undefined : state.outOfCredits;
  const probe = state.overcharged && state.probe;
  return { ...state, doubtsInRow: 0, doubtful: undefined, probe, outOfCredits };
}

/**
 * A charge above its price opens the breaker. A correct charge closes it, if the question was sent as the probe or later.
 * Questions that were in flight when the breaker opened prove nothing.
 */
function afterCharge(state: BreakerState, end: RequestEnd): BreakerState {
  const { priceCredits, chargedCredits, sentAtMs, nowMs } = end;
  const { overcharged, probe } = state;
  if (chargedCredits > priceCredits) {
    const { sinceMs = nowMs } = overcharged ?? {};
    const atMs = Math.max(probe?.atMs ?? 0, nowMs + pauseMs(chargedCredits, end));
    return { ...state, overcharged: { sinceMs }, probe: { atMs } };
  }
  const isProof = probe?.grantedAtMs !== undefined && sentAtMs >= probe.grantedAtMs;
  if (!overcharged || !isProof) return state;
  return { ...state, overcharged: undefined, probe: state.doubtful && probe };
}

/** A person booked bought credits. The next question tests the balance; until then it does not count as empty. */
export function withCreditsBooked(state: BreakerState, nowMs: number): BreakerState {
  const { outOfCredits } = state;
  if (!outOfCredits) return state;
  return { ...state, outOfCredits: { ...outOfCredits, untilMs: nowMs - TEST_DELAY_MS } };
}

/** Whether the data service's balance counts as empty. This ends after a time, even if no record tests the balance. */
export function isOutOfCredits({ outOfCredits }: BreakerState, nowMs: number): boolean {
  return outOfCredits !== undefined && nowMs < outOfCredits.untilMs + TEST_DELAY_MS;
}

const KEY_NEWS_MS = 15 * MINUTE_MS;

/**
 * The state for callers that do not know which key is in use. Each waiting request tests the key when it is due. Once
 * another key works, a refusal of the old key no longer counts.
 */
export function withoutOldKey(state: BreakerState, nowMs: number): BreakerState {
  const { keyRefused } = state;
  const isOld = keyRefused && (keyRefused.isReplaced || nowMs >= keyRefused.probeAtMs + KEY_NEWS_MS);
  return isOld ? keyAccepted(state) : state;
}
