import type { Lane } from '#shared/crm';
import { type Clock, type Random, SECOND_MS } from '#shared/kernel';
import { createChangeTogether, replacing, type VersionedItems } from '#shared/store';
import type { RateLimiterState } from './schemas.ts';
import { answerSlot, changesRate, returnSlot, type SlotReport, type Take, takeSlot } from './slots.ts';
import { countOf, initialState, isAmple, type RatedVendor, startOver } from './state.ts';
import { rateLimiterKind } from './stored-kinds.ts';

export interface RateLimiterServices {
  readonly vendor: RatedVendor;
  readonly items: VersionedItems<RateLimiterState>;
  /** Id of this process. Times that this process wrote need no allowance for clock differences. */
  readonly worker: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface SlotRequest {
  readonly id: string;
  readonly lane: Lane;
  /** Timeout of the request. Without an answer, the slot counts until a minute after the timeout. */
  readonly requestTimeoutMs: number;
  /** The caller cannot use a slot after this time, epoch milliseconds. */
  readonly notAfterMs: number;
  /**
   * When the caller gives up, if this is later than `notAfterMs`. Within one lane, requests with the least time left go
   * first.
   */
  readonly dueMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type SlotAnswer =
  /** Without an answer, the slot counts until `requestTimeoutMs` and a minute after `takenAtMs`. */
  | { readonly kind: 'granted'; readonly takenAtMs: number }
  /** No slot became free in time. One may be free at `atMs`. */
  | { readonly kind: 'later'; readonly atMs: number };

export interface RateLimiter {
  /** Reads the state, so that a work that follows at once need not read it. */
  look(): Promise<void>;
  /**
   * Takes a slot that is free now, inside a work of the store: it is taken if the work's writes are stored. Does not
   * wait, and lists no waiter.
   */
  takeFree(request: Pick<SlotRequest, 'id' | 'lane' | 'requestTimeoutMs'>): Promise<FreeSlot | undefined>;
  /** Waits for a slot of the vendor's rate, at most until `notAfterMs`. */
  acquire(request: SlotRequest): Promise<SlotAnswer>;
  complete(answer: Omit<SlotReport, 'worker' | 'nowMs'>): Promise<void>;
  /** Gives back a slot whose request was not sent, or removes a waiter. */
  release(id: string): Promise<void>;
}

export interface FreeSlot {
  /** Epoch milliseconds. */
  readonly takenAtMs: number;
  /** Call this when the work's writes are stored. */
  readonly stored: () => void;
}

/**
 * Longest time that a report waits for another write of its process. The report's slot becomes free only a minute
 * later.
 */
const REPORT_DELAY_MS = 30 * SECOND_MS;

export function createRateLimiter(services: RateLimiterServices): RateLimiter {
  const limiter = openLimiter(services);
  return {
    look: async () => {
      await services.items.read(rateLimiterKind.key(services.vendor.mark));
    },
    takeFree: (request) => takeFree(limiter, request),
    acquire: (request) => takeWhenFree(limiter, request),
    complete: async (answer) => {
      const { worker, clock } = services;
      const report = { ...answer, worker, nowMs: clock.now() };
      limiter.reports.push(report);
      if (!canWait(limiter, report)) await changeState(limiter, (state) => ({ result: undefined, state }));
    },
    release: async (id) => {
      await changeState(limiter, (state) => ({ result: undefined, state: returnSlot(state, id) }));
    },
  };
}

interface Limiter extends RateLimiterServices {
  readonly change: ReturnType<typeof createChangeTogether<RateLimiterState>>;
  /** Reports that are not written yet. The next write of this process includes them. */
  reports: SlotReport[];
  /** When the waiting requests of this process wake up, by id. */
  readonly wakesMs: Map<string, number>;
  /** The state that this process read or wrote last. */
  seen?: RateLimiterState;
}

/** Above this number of requests a minute, each process writes at most once a second. */
const HIGH_RATE = 240;

/** Backoff after a lost race for the state, so that other workers can write. */
const LOST_RACE_MS = 150;

function openLimiter(services: RateLimiterServices): Limiter {
  const { vendor, items, clock, random } = services;
  const item = {
    key: rateLimiterKind.key(vendor.mark),
    kind: "rate limiter's state",
    clock,
    random,
    backoffMs: LOST_RACE_MS,
  };
  const pauseMs = () => (countOf(limiter.seen?.slots ?? []) > HIGH_RATE ? SECOND_MS : 0);
  const change = createChangeTogether(items, { ...item, pauseMs });
  const limiter: Limiter = { ...services, change, reports: [], wakesMs: new Map() };
  return limiter;
}

/**
 * Whether a report can wait for another write, or be dropped. It can be dropped while little of the rate is used,
 * because slots are free anyway.
 */
function canWait({ seen, wakesMs, clock }: Limiter, report: SlotReport): boolean {
  if (report.limited || !seen) return false;
  if (Math.min(...wakesMs.values()) < clock.now() + REPORT_DELAY_MS) return true;
  return isAmple(seen) && !changesRate(seen, report);
}

async function takeFree(
  limiter: Limiter,
  { id, lane, requestTimeoutMs }: Pick<SlotRequest, 'id' | 'lane' | 'requestTimeoutMs'>,
): Promise<FreeSlot | undefined> {
  const { vendor, items, worker, clock, reports } = limiter;
  const key = rateLimiterKind.key(vendor.mark);
  const known = await items.read(key);
  const nowMs = clock.now();
  const state = known?.value ?? initialState(vendor);
  const included = [...reports];
  const before = included.reduce(answerSlot, state.unreadable ? startOver(vendor, nowMs) : state);
  const deadlineMs = nowMs + requestTimeoutMs;
  const take = takeSlot(before, { id, lane, worker, nowMs, dueMs: deadlineMs, deadlineMs });
  if (take.kind === 'wait') return undefined;
  if ((await items.write({ key, value: take.state, ...replacing(known) })) === 'conflict') return undefined;
  return {
    takenAtMs: take.atMs,
    stored: () => {
      limiter.seen = take.state;
      limiter.reports = limiter.reports.filter((report) => !included.includes(report));
    },
  };
}

const SPREAD_MS = 50;

/**
 * Repeats until the slot is granted or the time is over. Each waiter sleeps until its own time. Jitter avoids
 * collisions.
 */
async function takeWhenFree(limiter: Limiter, request: SlotRequest): Promise<SlotAnswer> {
  const { clock, random, wakesMs } = limiter;
  for (let hasWaited = false; ; hasWaited = true) {
    const taken = await takeOrWait(limiter, { ...request, hasWaited });
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

/**
 * Takes a slot or lists the waiter. After a lost race, the waiter is not listed if another waiter of its lane is
 * listed.
 */
function takeOrWait(
  limiter: Limiter,
  { hasWaited, ...request }: SlotRequest & { readonly hasWaited: boolean },
): Promise<Take> {
  const { worker, clock } = limiter;
  let reads = 0;
  return changeState(limiter, (state) => {
    reads += 1;
    const nowMs = clock.now();
    const deadlineMs = nowMs + request.requestTimeoutMs;
    const { dueMs = request.notAfterMs } = request;
    const take = takeSlot(state, { ...request, worker, nowMs, dueMs, deadlineMs, again: hasWaited });
    const isUnlisted =
      take.kind === 'wait' && reads > 1 && state.waiters.some(({ lane }) => lane === request.lane);
    return { result: take, state: isUnlisted ? state : take.state };
  });
}

/** Changes the state, and includes the pending reports. */
async function changeState<R>(
  limiter: Limiter,
  decide: (state: RateLimiterState) => { result: R; state: RateLimiterState },
): Promise<R> {
  const reports = limiter.reports.splice(0);
  const { vendor, clock } = limiter;
  const { result } = await limiter.change((known = initialState(vendor)) => {
    const before = known.unreadable ? startOver(vendor, clock.now()) : known;
    const { result, state } = decide(reports.reduce(answerSlot, before));
    limiter.seen = state;
    return { result, value: state === known ? undefined : state };
  });
  return result;
}
