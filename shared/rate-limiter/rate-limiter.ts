import type { Lane } from '#shared/crm';
import { type Clock, isClockWrong, MINUTE_MS, type Random, SECOND_MS } from '#shared/kernel';
import { createChangeTogether, type StoreClock, type VersionedItems } from '#shared/versioned-items';
import { returnSlot, type Take, takeSlot } from './acquire.ts';
import { answerSlot, type SlotReport, teaches } from './complete.ts';
import type { RateLimiterState } from './schemas.ts';
import { countOf, INITIAL_STATE, isAmple, startOver } from './state.ts';
import { rateLimiterKind } from './stored-kinds.ts';

export interface RateLimiterServices {
  readonly items: VersionedItems<RateLimiterState>;
  /** This process: what it timed itself needs no allowance for another's clock. */
  readonly worker: string;
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
  /** Taken at `takenAtMs`: without an answer it counts for a minute from `requestTimeoutMs` after that. */
  | { readonly kind: 'granted'; readonly takenAtMs: number }
  /** No slot in time; one may be free at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface RateLimiter {
  /** Waits for a share of the vendor's rate, at most until `notAfterMs`. */
  acquire(request: SlotRequest): Promise<SlotAnswer>;
  complete(answer: Omit<SlotReport, 'worker' | 'nowMs'>): Promise<void>;
  /** Gives back a slot whose request was never sent, or withdraws a waiter. */
  release(id: string): Promise<void>;
}

/** A report may wait this long for a write that its process makes anyway: the slot it frees is free a minute later. */
const RIDE_MS = 30 * SECOND_MS;

export function createRateLimiter(services: RateLimiterServices): RateLimiter {
  const limiter = openLimiter(services);
  return {
    acquire: (request) => takeWhenFree(limiter, request),
    complete: async (answer) => {
      const { worker, clock } = services;
      const report = { ...answer, worker, nowMs: clock.now() };
      limiter.reports.push(report);
      if (!mayWait(limiter, report)) await changeState(limiter, (state) => ({ result: undefined, state }));
    },
    release: async (id) => {
      await changeState(limiter, (state) => ({ result: undefined, state: returnSlot(state, id) }));
    },
  };
}

interface Limiter extends RateLimiterServices {
  readonly change: ReturnType<typeof createChangeTogether<RateLimiterState>>;
  /** Not yet told: they go with the next write of this process. */
  readonly reports: SlotReport[];
  /** When those of this process that wait look again. */
  readonly wakesMs: Map<string, number>;
  /** As this process last saw it. */
  seen?: RateLimiterState;
}

/** While there are more requests a minute than this, each process tells at most once a second of its own. */
const MANY = 240;

/** Who loses a race for the state of all workers lets some of them through. */
const CROWD_MS = 150;

function openLimiter(services: RateLimiterServices): Limiter {
  const { items, clock, random } = services;
  const item = {
    key: rateLimiterKind.key(),
    kind: "rate limiter's state",
    clock,
    random,
    backoffMs: CROWD_MS,
  };
  const pauseMs = () => (countOf(limiter.seen?.slots ?? []) > MANY ? SECOND_MS : 0);
  const change = createChangeTogether(items, { ...item, pauseMs });
  const limiter: Limiter = { ...services, change, reports: [], wakesMs: new Map() };
  return limiter;
}

/** Whether a report can wait for the next write, or be left out: while the rate is hardly used, no slot is missed. */
function mayWait({ seen, wakesMs, clock }: Limiter, report: SlotReport): boolean {
  if (report.limited || !seen) return false;
  if (Math.min(...wakesMs.values()) < clock.now() + RIDE_MS) return true;
  return isAmple(seen) && !teaches(seen, report);
}

const SPREAD_MS = 50;

/** Each waiter sleeps until a time of its own, and looks then; the spread keeps those of one time from colliding. */
async function takeWhenFree(limiter: Limiter, request: SlotRequest): Promise<SlotAnswer> {
  const { clock, random, wakesMs } = limiter;
  for (let again = false; ; again = true) {
    const taken = await takeOrWait(limiter, { ...request, again });
    if (!taken) return { kind: 'later', atMs: clock.now() + MINUTE_MS };
    if (taken.kind === 'granted') return { kind: 'granted', takenAtMs: taken.atMs };
    if (taken.atMs > request.notAfterMs) {
      await changeState(limiter, (state) => ({ result: undefined, state: returnSlot(state, request.id) }));
      return { kind: 'later', atMs: taken.atMs };
    }
    const ms = Math.max(0, taken.atMs - clock.now()) + random() * SPREAD_MS;
    wakesMs.set(request.id, clock.now() + ms);
    try {
      await clock.sleep(ms, request.signal);
    } finally {
      wakesMs.delete(request.id);
    }
  }
}

/** Who loses a race for its place on the list of waiters does without where others of its lane are on it. */
function takeOrWait(
  limiter: Limiter,
  { again, ...request }: SlotRequest & { readonly again: boolean },
): Promise<Take | undefined> {
  const { worker, clock } = limiter;
  let looks = 0;
  return changeState(limiter, (state) => {
    looks += 1;
    const nowMs = clock.now();
    const deadlineMs = nowMs + request.requestTimeoutMs;
    const { dueMs = request.notAfterMs } = request;
    const take = takeSlot(state, { ...request, worker, nowMs, dueMs, deadlineMs, again });
    const isSpared =
      take.kind === 'wait' && looks > 1 && state.waiters.some(({ lane }) => lane === request.lane);
    return { result: take, state: isSpared ? state : take.state };
  });
}

/**
 * A worker whose clock is wrong changes nothing, once the read has told it so: it would take the slots of others for
 * free ones, or its own for free too early. What it had sent counts from its deadline, as if no answer had come.
 */
async function changeState<R>(
  limiter: Limiter,
  decide: (state: RateLimiterState) => { result: R; state: RateLimiterState },
): Promise<R | undefined> {
  const { change, clock, storeClock } = limiter;
  const told = limiter.reports.splice(0);
  const { result } = await change((known = INITIAL_STATE) => {
    if (isClockWrong(storeClock)) return { result: undefined };
    const before = known.unreadable ? startOver(clock.now()) : known;
    const { result, state } = decide(told.reduce(answerSlot, before));
    limiter.seen = state;
    return { result, value: state === known ? undefined : state };
  });
  return result;
}
