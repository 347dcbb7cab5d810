import type { Lane } from '#shared/crm/lane.ts';
import { type Clock, MINUTE_MS } from '#shared/kernel/clock.ts';
import type { Random } from '#shared/kernel/random.ts';
import { change } from '#shared/versioned-items/change.ts';
import type { VersionedItems } from '#shared/versioned-items/store.ts';
import { isClockWrong, type StoreClock } from '#shared/versioned-items/store-clock.ts';
import { returnSlot, takeSlot } from './acquire.ts';
import { answerSlot } from './complete.ts';
import type { RateLimiterState } from './schemas.ts';
import { INITIAL_STATE, type RateReport, startOver } from './state.ts';

export interface RateLimiterServices {
  readonly items: VersionedItems<RateLimiterState>;
  /** This process: what it timed itself needs no allowance for another's clock. */
  readonly worker: string;
  /** The data service's key it governs, as an account name. */
  readonly account: string;
  readonly clock: Clock;
  /** Without it, this machine's clock is believed. */
  readonly storeClock?: StoreClock | undefined;
  readonly random: Random;
}

export interface SlotRequest {
  readonly id: string;
  readonly lane: Lane;
  /** How long a request may take once sent; without an answer the slot counts for a minute from then. */
  readonly requestTimeoutMs: number;
  /** The latest moment at which a slot is still of use, epoch milliseconds. */
  readonly notAfterMs: number;
  /** When its asker gives up, if that is later: of one lane, those whose time runs short go first. */
  readonly dueMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SlotAnswer =
  | { readonly kind: 'granted' }
  /** No slot in time; one may be free at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface RateLimiter {
  /** Waits for a share of the vendor's rate, at most until `notAfterMs`. */
  acquire(request: SlotRequest): Promise<SlotAnswer>;
  complete(answer: { id: string; report?: RateReport | undefined; limited: boolean }): Promise<void>;
  /** Gives back a slot whose request was never sent, or withdraws a waiter. */
  release(id: string): Promise<void>;
}

export function createRateLimiter(services: RateLimiterServices): RateLimiter {
  return {
    acquire: (request) => takeWhenFree(services, request),
    complete: async (answer) => {
      await changeState(services, (state) => ({
        result: undefined,
        state: answerSlot(state, { ...answer, worker: services.worker, nowMs: services.clock.now() }),
      }));
    },
    release: async (id) => {
      await changeState(services, (state) => ({ result: undefined, state: returnSlot(state, id) }));
    },
  };
}

/** Slots come free at known times, so a waiter sleeps until then; the spread keeps waiters from colliding. */
async function takeWhenFree(services: RateLimiterServices, request: SlotRequest): Promise<SlotAnswer> {
  const { clock, random } = services;
  for (;;) {
    const taken = await changeState(services, (state) => {
      const nowMs = clock.now();
      const { worker } = services;
      const take = takeSlot(state, {
        ...request,
        worker,
        nowMs,
        dueMs: request.dueMs ?? request.notAfterMs,
        deadlineMs: nowMs + request.requestTimeoutMs,
      });
      return { result: take, state: take.state };
    });
    if (!taken) return { kind: 'later', atMs: clock.now() + MINUTE_MS };
    if (taken.kind === 'granted') return { kind: 'granted' };
    if (taken.atMs > request.notAfterMs) {
      await changeState(services, (state) => ({ result: undefined, state: returnSlot(state, request.id) }));
      return { kind: 'later', atMs: taken.atMs };
    }
    await clock.sleep(Math.max(0, taken.atMs - clock.now()) + random() * 50, request.signal);
  }
}

/**
 * A worker whose clock is wrong changes nothing, once the read has told it so: it would take the slots of others for
 * free ones, or its own for free too early. What it had sent counts from its deadline, as if no answer had come.
 */
async function changeState<R>(
  { items, account, clock, random, storeClock }: RateLimiterServices,
  decide: (state: RateLimiterState) => { result: R; state: RateLimiterState },
): Promise<R | undefined> {
  const item = { key: `rate-limiter#${account}`, kind: "rate limiter's state", clock, random };
  const { result } = await change(items, item, (known = INITIAL_STATE) => {
    if (isClockWrong(storeClock)) return { result: undefined };
    const { result, state } = decide(known.unreadable ? startOver(clock.now()) : known);
    return { result, value: state === known ? undefined : state };
  });
  return result;
}
