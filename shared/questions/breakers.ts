import { type Clock, HOUR_MS, MINUTE_MS, unreachable } from '#shared/kernel';
import type { RateLimiter } from '#shared/rate-limiter';
import { change, type ItemKey, type PlacedItems, type VersionedItems } from '#shared/store';
import type { CallResult, KeyAnswer, VendorClient } from '#shared/vendor';
import type { BreakerState } from './schemas.ts';
import { breakersKind } from './stored-kinds.ts';

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

/** Longest wait for a key or for credits. If the cause ends earlier, the sweep makes the records due then. */
export const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** Time between two tests of an empty balance. A 402 costs nothing. */
const CREDITS_PROBE_MS = 3 * MINUTE_MS;

/**
 * Time after the next test of an empty balance is due, during which the balance still counts as empty. The test needs a
 * waiting record.
 */
const TEST_DELAY_MS = 5 * MINUTE_MS;

/** A question with a higher price cannot be a probe. A profile with every option costs less. */
const MAX_PROBE_CREDITS = 10;

/** Time until a refused question is retried, because another question's probe may have closed the breaker. */
const LOOK_AGAIN_MS = 5 * MINUTE_MS;

/** Time until a probe that was not sent is repeated. */
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
  /** Run the free key check first. With `turnMs`, this question becomes the probe when the key is accepted. */
  | { readonly kind: 'check-key'; readonly turnMs?: number; readonly value: BreakerState }
  | {
      readonly kind: 'refused';
      readonly reason: StopReason;
      readonly untilMs: number;
      /** The stop by a person, if this is the reason. */
      readonly stopped?: BreakerState['stopped'];
      readonly value?: undefined;
    };

/** Returns the state for this key. A refusal of another key does not count. */
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
  /** The probe that was granted to this caller before, if any. */
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
 * Decides for the two breakers that a paid probe closes; one probe serves both. After doubts the free key check comes
 * first, so that no probe is paid while the data service is down. The next paid probe waits until the hourly limit
 * covers this price.
 */
function probing(state: BreakerState, wish: PassRequest): Passage {
  const { priceCredits, nowMs, turnMs, isKeyAnswered = false } = wish;
  const { overcharged, doubtful, probe = { atMs: nowMs } } = state;
  const isGranted = turnMs !== undefined && probe.atMs === turnMs;
  if (isGranted && probe.grantedAtMs !== undefined) return { kind: 'probe', turnMs };
  const isTooDear = priceCredits > MAX_PROBE_CREDITS;
  if (isTooDear || (nowMs < probe.atMs && !isGranted)) {
    const untilMs = isTooDear ? nowMs + LOOK_AGAIN_MS : Math.min(probe.atMs, nowMs + LOOK_AGAIN_MS);
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

/** Gives up a probe that was not sent, so that another question can soon be the probe. */
export function withoutProbe(state: BreakerState, turnMs: number, nowMs: number): BreakerState {
  return state.probe?.atMs === turnMs ? { ...state, probe: { atMs: nowMs + UNSENT_PROBE_MS } } : state;
}

/** Stops spending for a person. A second stop replaces the reason of the first stop. */
export function stop(state: BreakerState, stopped: NonNullable<BreakerState['stopped']>): BreakerState {
  const { sinceMs } = state.stopped ?? stopped;
  return { ...state, stopped: { ...stopped, sinceMs } };
}

/** @param seenAtMs when the person saw the stop. A later stop stays in force. */
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

/** Updates the breakers after a request. Returns the same state if nothing changes. */
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
      const afterwards = afterNoCharge(state, end);
      const { why } = result;
      if (why === 'key-refused') return refusing(afterwards, { nowMs, keyHash });
      if (why === 'wrong-address') return refusing(afterwards, { nowMs, keyHash, why });
      return why === 'out-of-credits' ? notPaid(afterwards, { priceCredits, nowMs }) : afterwards;
    }
    case 'invalid':
    case 'not-sent':
      return afterNoCharge(state, end);
    default:
      return unreachable(result);
  }
}

/** Repeats a probe soon if it had no charge and no result. */
function afterNoCharge(state: BreakerState, { sentAtMs, nowMs }: RequestEnd): BreakerState {
  const { probe } = state;
  const isProbe = probe?.grantedAtMs !== undefined && sentAtMs >= probe.grantedAtMs;
  const atMs = nowMs + PROBE_MS;
  return isProbe && probe.atMs > atMs ? { ...state, probe: { atMs } } : state;
}

/** Notes that the data service refused the key in the free check. */

interface Refusal extends Pick<PricedRequest, 'nowMs' | 'keyHash'> {
  readonly why?: 'wrong-address' | undefined;
}

function refusing(state: BreakerState, { nowMs, keyHash, why }: Refusal): BreakerState {
  const { sinceMs = nowMs, isReplaced } = forKey(state, keyHash).keyRefused ?? {};
  const known = { sinceMs, keyHash, ...(why && { why }), ...(isReplaced && { isReplaced }) };
  const keyRefused = { ...known, probeAtMs: nowMs + KEY_PROBE_MS };
  return { ...state, keyRefused };
}

/** Keeps the lowest refused price until `untilMs`, because a refusal of a higher price proves less. */
function notPaid(
  state: BreakerState,
  { priceCredits, nowMs }: Pick<PricedRequest, 'priceCredits' | 'nowMs'>,
): BreakerState {
  const { outOfCredits } = state;
  if (outOfCredits && nowMs < outOfCredits.untilMs && outOfCredits.priceCredits < priceCredits) return state;
  const { sinceMs = nowMs } = outOfCredits ?? {};
  return { ...state, outOfCredits: { priceCredits, sinceMs, untilMs: nowMs + CREDITS_PROBE_MS } };
}

/** Notes that the key was replaced, if the data service has answered a request with another key. */
function withOtherKey(state: BreakerState, keyHash: string): BreakerState {
  const { keyRefused } = state;
  if (!keyRefused || keyRefused.keyHash === keyHash || keyRefused.isReplaced) return state;
  return { ...state, keyRefused: { ...keyRefused, isReplaced: true } };
}

export function keyAccepted(state: BreakerState): BreakerState {
  return { ...state, keyRefused: undefined };
}

/** Closes the doubt breaker after an answer. The answer also proves that the balance covers its price. */
function answered(state: BreakerState, priceCredits: number): BreakerState {
  const isCovered = state.outOfCredits !== undefined && priceCredits >= state.outOfCredits.priceCredits;
  if (state.doubtsInRow === 0 && !state.doubtful && !isCovered) return state;
  const outOfCredits = isCovered ? undefined : state.outOfCredits;
  const probe = state.overcharged && state.probe;
  return { ...state, doubtsInRow: 0, doubtful: undefined, probe, outOfCredits };
}

/**
 * Opens the breaker after a charge above its price. A correct charge closes it, if the question was the probe or was
 * sent after the probe. Questions that were in flight when the breaker opened prove nothing.
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

/**
 * Updates the state after a person has entered bought credits. The balance no longer counts as empty, and the next
 * question tests it.
 */
export function withCreditsBooked(state: BreakerState, nowMs: number): BreakerState {
  const { outOfCredits } = state;
  if (!outOfCredits) return state;
  return { ...state, outOfCredits: { ...outOfCredits, untilMs: nowMs - TEST_DELAY_MS } };
}

/** Whether the data service's balance counts as empty. After a time it no longer does, even if no record tests it. */
export function isOutOfCredits({ outOfCredits }: BreakerState, nowMs: number): boolean {
  return outOfCredits !== undefined && nowMs < outOfCredits.untilMs + TEST_DELAY_MS;
}

/** An old refusal counts for this long after the next test of the key was due. */
const KEY_NEWS_MS = 15 * MINUTE_MS;

/**
 * Returns the state for callers that do not know which key is in use. If another key works, the refusal of the old key
 * no longer counts. It also ends some time after the next test was due, because each waiting request runs that test.
 */
export function withoutOldKey(state: BreakerState, nowMs: number): BreakerState {
  const { keyRefused } = state;
  const isOld = keyRefused && (keyRefused.isReplaced || nowMs >= keyRefused.probeAtMs + KEY_NEWS_MS);
  return isOld ? keyAccepted(state) : state;
}

/** Why lookups are stopped, for a person. The catalogue of waits and stops takes its texts from here. */
export const STOP_SENTENCES: Readonly<Record<StopReason, string>> = {
  'key-refused': 'The data service refuses the API key.',
  'wrong-address':
    'The configured address is not the data service: it answers 404. Check DATA_SERVICE_BASE_URL (of a stack: dataServiceBaseUrl).',
  'out-of-credits': 'The balance at the data service has too few credits for this lookup.',
  'charges-above-list':
    'The data service charged more than its price list. From time to time, one lookup is made as a test, at its usual price. Spending continues when the charge is correct.',
  'too-many-doubts':
    'Several requests in a row got no usable answer. The free key check is repeated, then one lookup is made as a test, at its usual price. Spending continues when the lookup is answered.',
  'stopped-by-person': 'A person stopped spending.',
};

/** Explains a person's stop. Only a person ends it. */
export function personsStopSentence({ reason, by }: NonNullable<BreakerState['stopped']>): string {
  return `${STOP_SENTENCES['stopped-by-person']} Reason: ${reason}${by === undefined ? '' : ` (${by})`}.`;
}

export interface BreakersServices {
  /** The vendor's mark. Its breakers are its own, and a person's stop is the buyer's: it stops all vendors. */
  readonly mark: string;
  readonly items: PlacedItems<BreakerState>;
  /** Keyed hash of the API key in use and its address. A refusal of another key does not count for this key. */
  readonly keyHash: string;
  readonly vendor: Pick<VendorClient, 'checkKey'>;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  /** Limit for the cost of probes, credits an hour. */
  readonly testCreditsPerHour: number;
}

export interface Breakers {
  /**
   * Decides whether a question of this price may be sent now. Runs the free key check when it is due. One question
   * passes as the probe. Later questions are refused.
   * @param given what the caller has just read; the probe that it was granted before it waited for a slot.
   */
  pass(
    priceCredits: number,
    given?: { readonly seen?: BreakerState | undefined; readonly turnMs?: number | undefined },
  ): Promise<Exclude<Passage, { kind: 'check-key' }>>;
  /**
   * Inside a work of the store: whether the question may still be sent. The work's writes are stored only if no breaker
   * has changed until then.
   */
  mayStillPass(priceCredits: number, turnMs: number | undefined): Promise<boolean>;
  /** Gives back a probe that was not sent. */
  giveBack(turnMs: number): Promise<void>;
  learn(ended: Omit<RequestEnd, 'nowMs' | 'keyHash' | 'testCreditsPerHour'>): Promise<void>;
  /** Stops spending for a person. @returns the state after the stop. */
  stop(given: { readonly reason: string; readonly by?: string | undefined }): Promise<BreakerState>;
  /**
   * Resumes spending for a person.
   * @param seenAtMs when the person saw the stop. A later stop stays in force.
   * @returns the state before the change.
   */
  resume(seenAtMs?: number): Promise<BreakerState>;
  /** Notes that the free check has accepted the key in use. */
  acceptKey(): Promise<void>;
  /**
   * Notes that a person has entered bought credits. The sweep then admits a waiting record, which tests the vendor's
   * balance.
   */
  creditsBooked(): Promise<void>;
  /** Reads the state for the key in use. */
  read(): Promise<BreakerState>;
  /** Reads the state of all keys, for `pass`. */
  look(): Promise<BreakerState>;
}

/** The item that holds a person's stop. */
const STOP_KEY = breakersKind.key('');

/** Reads the state for callers that send no request. */
export async function readBreakers({
  items,
  mark = '',
}: {
  readonly items: Pick<VersionedItems<BreakerState>, 'read'>;
  readonly mark?: string;
}): Promise<BreakerState> {
  const stateAt = async (key: ItemKey) => (await items.read(key))?.value ?? CLOSED;
  const buyers = stateAt(STOP_KEY);
  return mark === ''
    ? buyers
    : { ...(await stateAt(breakersKind.key(mark))), stopped: (await buyers).stopped };
}

export function createBreakers(services: BreakersServices): Breakers {
  const { items, mark, clock, keyHash, testCreditsPerHour } = services;
  const own = breakersKind.key(mark);
  /** The state that this process read or wrote last. */
  let seen: BreakerState | undefined;
  /**
   * Changes the state. If another worker wrote first, `change` decides again from the new state, so both changes are
   * kept.
   */
  const decide = <D extends { readonly value?: BreakerState | undefined }>(
    nextOf: (state: BreakerState) => D,
    key = own,
  ) =>
    change(items, { key, kind: 'breakers', clock }, (state = CLOSED) => {
      const decision = nextOf(state);
      if (key === own) seen = decision.value ?? state;
      return decision;
    });
  const update = async (nextOf: (state: BreakerState) => BreakerState) => {
    await decide((state) => {
      const value = nextOf(state);
      return { value: value === state ? undefined : value };
    });
  };
  const acceptKey = async () => {
    await update((state) => (state.keyRefused?.keyHash === keyHash ? keyAccepted(state) : state));
  };
  return {
    acceptKey,
    creditsBooked: () => update((state) => withCreditsBooked(state, clock.now())),
    stop: async ({ reason, by }) => {
      const stopped = { sinceMs: clock.now(), reason, ...(by !== undefined && { by }) };
      return (await decide((state) => ({ value: stop(state, stopped) }), STOP_KEY)).value;
    },
    resume: async (seenAtMs) => {
      const { before } = await decide((state) => {
        const value = resume(state, seenAtMs);
        return { before: state, value: value === state ? undefined : value };
      }, STOP_KEY);
      return before;
    },
    read: async () => forKey(await readBreakers(services), keyHash),
    look: async () => {
      seen = await readBreakers(services);
      return seen;
    },
    learn: async (ended) => {
      const end = { ...ended, nowMs: clock.now(), keyHash, testCreditsPerHour };
      // Saves a read if this request does not change the state that this process knows.
      if (seen && learn(seen, end) === seen) return;
      await update((state) => learn(state, end));
    },
    giveBack: (turnMs) => update((state) => withoutProbe(state, turnMs, clock.now())),
    mayStillPass: async (priceCredits, turnMs) => {
      const known = await items.readChecked(own);
      const buyers = own === STOP_KEY ? known : await items.readChecked(STOP_KEY);
      seen = { ...(known?.value ?? CLOSED), stopped: buyers?.value.stopped };
      const wish = { priceCredits, keyHash, testCreditsPerHour, turnMs, nowMs: clock.now() };
      const { kind } = passage(seen, wish);
      return kind === 'pass' || (kind === 'probe' && turnMs !== undefined);
    },
    pass: async (priceCredits, given = {}) => {
      let { turnMs } = given;
      if (given.seen) {
        const wish = { priceCredits, keyHash, testCreditsPerHour, turnMs, nowMs: clock.now() };
        if (passage(given.seen, wish).kind === 'pass') return { kind: 'pass' };
      }
      const { stopped } = mark === '' ? CLOSED : await readBreakers({ items });
      let isKeyAnswered = false;
      for (;;) {
        const wish = { priceCredits, keyHash, testCreditsPerHour, turnMs, isKeyAnswered };
        // The first writer becomes the probe; the others find that the next probe is due later.
        const decision = await decide((state) =>
          passage(stopped ? { ...state, stopped } : state, { ...wish, nowMs: clock.now() }),
        );
        if (decision.kind !== 'check-key') return decision;
        const answer = await checkKey(services);
        if (answer === 'refused') await update((state) => refusing(state, { nowMs: clock.now(), keyHash }));
        isKeyAnswered = answer === 'accepted';
        if (isKeyAnswered) await acceptKey();
        turnMs = isKeyAnswered ? decision.turnMs : undefined;
      }
    },
  };
}

async function checkKey({
  rateLimiter,
  vendor,
  clock,
  requestTimeoutMs,
}: BreakersServices): Promise<KeyAnswer['kind']> {
  const id = `key-check:${clock.now()}`;
  const slot = await rateLimiter.acquire({ id, lane: 'live', requestTimeoutMs, notAfterMs: clock.now() });
  if (slot.kind !== 'granted') return 'unknown';
  const { kind, report, limited, retryAfterMs } = await vendor.checkKey({ timeoutMs: requestTimeoutMs });
  await rateLimiter.complete({ id, report, limited, retryAfterMs });
  return kind;
}
