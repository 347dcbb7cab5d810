import type { Clock } from '#shared/kernel';
import type { RateLimiter } from '#shared/rate-limiter';
import { change, type PlacedItems, type VersionedItems } from '#shared/store';
import type { KeyAnswer, VendorClient } from '#shared/vendor';
import {
  CLOSED,
  forKey,
  keyAccepted,
  learn,
  type Passage,
  passage,
  type RequestEnd,
  refusing,
  resume,
  stop,
  withCreditsBooked,
  withoutProbe,
} from './breaker-transitions.ts';
import type { BreakerState } from './schemas.ts';
import { breakersKind } from './stored-kinds.ts';

export interface BreakersServices {
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

/** Reads the state for callers that send no request. */
export async function readBreakers({
  items,
}: {
  readonly items: VersionedItems<BreakerState>;
}): Promise<BreakerState> {
  return (await items.read(breakersKind.key()))?.value ?? CLOSED;
}

export function createBreakers(services: BreakersServices): Breakers {
  const { items, clock, keyHash, testCreditsPerHour } = services;
  const key = breakersKind.key();
  /** The state that this process read or wrote last. */
  let seen: BreakerState | undefined;
  /**
   * Changes the state. If another worker wrote first, `change` decides again from the new state, so both changes are
   * kept.
   */
  const decide = <D extends { readonly value?: BreakerState | undefined }>(
    nextOf: (state: BreakerState) => D,
  ) =>
    change(items, { key, kind: 'breakers', clock }, (state = CLOSED) => {
      const decision = nextOf(state);
      seen = decision.value ?? state;
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
      return (await decide((state) => ({ value: stop(state, stopped) }))).value;
    },
    resume: async (seenAtMs) => {
      const { before } = await decide((state) => {
        const value = resume(state, seenAtMs);
        return { before: state, value: value === state ? undefined : value };
      });
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
      seen = (await items.readChecked(key))?.value ?? CLOSED;
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
      let isKeyAnswered = false;
      for (;;) {
        const wish = { priceCredits, keyHash, testCreditsPerHour, turnMs, isKeyAnswered };
        // The first writer becomes the probe; the others find that the next probe is due later.
        const decision = await decide((state) => passage(state, { ...wish, nowMs: clock.now() }));
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
