import { HOUR_MS, MINUTE_MS, unreachable } from '#shared/kernel';
import type { CallResult } from './paid-calls.ts';
import type { BreakerState } from './schemas.ts';

/**
 * The breakers of an account. Five of them stand side by side; `passage` asks all, in the order of this picture, and
 * takes the next state only where it lets a probe through. Nothing else builds such a state.
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
/** A paid probe of doubts and charges comes no sooner than this. */
const PROBE_MS = 5 * MINUTE_MS;
/** Longest wait for a key or for credits. The sweep makes the records due sooner, once their cause has ended. */
export const LONGEST_WAIT_MS = 15 * MINUTE_MS;
/** Time between two tests of an empty balance. A 402 costs nothing. */
const CREDITS_PROBE_MS = 3 * MINUTE_MS;
/** A balance counts as empty for this long after its next test is due: a record has to come and be the test. */
const TEST_DELAY_MS = 5 * MINUTE_MS;
/** A dearer question is no probe. A profile with every option costs less. */
export const MAX_PROBE_CREDITS = 10;
/** A refused question asks again this soon, since a probe of another may have closed the breaker. */
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
  /** Ask: this question is the probe. `turnMs` names its turn until it has ended. */
  | { readonly kind: 'probe'; readonly turnMs: number; readonly value?: BreakerState }
  /** Ask the free key check first. A probe that follows it has its turn. */
  | { readonly kind: 'check-key'; readonly turnMs?: number; readonly value: BreakerState }
  | {
      readonly kind: 'refused';
      readonly reason: StopReason;
      readonly untilMs: number;
      /** The person's stop, where it is the reason. */
      readonly stopped?: BreakerState['stopped'];
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
  /** The most that probes may cost an hour, credits. */
  readonly testCreditsPerHour: number;
}

interface PassWish extends Wish {
  /** The asker's turn as the probe, where it has one. */
  readonly turnMs?: number | undefined;
  /** The data service has just answered the free key check of this asker. */
  readonly isKeyAnswered?: boolean | undefined;
}

/** Whether a question of this price may be asked now. Each probe moves the next one into the future. */
export function passage(stored: BreakerState, wish: PassWish): Passage {
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
 * One probe serves both breakers. Doubts ask the free key check first: while the data service is down, nothing is paid.
 * The next paid question waits until this one's price fits into the credits of an hour.
 */
function probing(state: BreakerState, wish: PassWish): Passage {
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
function pauseMs(credits: number, { testCreditsPerHour }: Pick<Wish, 'testCreditsPerHour'>): number {
  return Math.max(PROBE_MS, Math.ceil((credits / testCreditsPerHour) * HOUR_MS));
}

/** The probe was not sent: another one may take its turn soon. */
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
export function keyDenied(state: BreakerState, refusal: Pick<Wish, 'nowMs' | 'keyHash'>): BreakerState {
  return refusing(state, refusal);
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
  const probe = state.overcharged && state.probe;
  return { ...state, doubtsInRow: 0, doubtful: undefined, probe, outOfCredits };
}

/**
 * A charge above its price opens the breaker. One that fits closes it, if its question was sent as the probe or later:
 * questions under way when the breaker opened prove nothing.
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

/** A person booked credits that were bought: the next question tests the balance, and nothing counts as unpaid meanwhile. */
export function withCreditsBooked(state: BreakerState, nowMs: number): BreakerState {
  const { outOfCredits } = state;
  if (!outOfCredits) return state;
  return { ...state, outOfCredits: { ...outOfCredits, untilMs: nowMs - TEST_DELAY_MS } };
}

/** Whether the data service's balance counts as empty. Without a record that tests it, that ends by itself. */
export function isOutOfCredits({ outOfCredits }: BreakerState, nowMs: number): boolean {
  return outOfCredits !== undefined && nowMs < outOfCredits.untilMs + TEST_DELAY_MS;
}

const KEY_NEWS_MS = 15 * MINUTE_MS;

/**
 * The state for callers that do not know which key is in use. Each waiting request tries the key when its time comes. Once
 * another key works, the state of the old key no longer matters.
 */
export function withoutOldKey(state: BreakerState, nowMs: number): BreakerState {
  const { keyRefused } = state;
  const isOld = keyRefused && (keyRefused.isReplaced || nowMs >= keyRefused.probeAtMs + KEY_NEWS_MS);
  return isOld ? keyAccepted(state) : state;
}
