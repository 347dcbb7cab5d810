import { type Crm, LANES, type Lane } from '#shared/crm';
import { type Clock, MINUTE_MS, type NewId, type Random } from '#shared/kernel';
import type { Breakers, SweptQuestions } from '#shared/questions';
import {
  type RecordItems,
  type RecordState,
  type StatusItems,
  type SweepMinute,
  statusKind,
  type WriteBreakers,
} from '#shared/records';
import { change } from '#shared/store';
import { workPaceFor } from '../pace.ts';
import type { CountedQueue } from '../queue.ts';

/** Why a sweep sends a message: it admits a record, or sends the message of an admitted record again. */
export type SendingCause = 'admitted' | 'requeued';

export interface PlacesWish {
  readonly cause: SendingCause;
  readonly lane: Lane;
  readonly count: number;
  /** Maximum number of messages of this cause and lane in one minute. */
  readonly bound: number;
}

export interface SweepPlaces {
  /** Absent if no place was taken. */
  readonly sweep?: SweepMinute;
  readonly granted: number;
  /** Deadline for sending, in epoch milliseconds. A message that is sent later needs a new place. */
  readonly untilMs: number;
}

/** Takes places for messages before they are sent. An unused place is lost. The next minute has new places. */
export function takePlaces(
  known: SweepMinute | undefined,
  { cause, lane, count, bound }: PlacesWish,
  nowMs: number,
): SweepPlaces {
  const window = windowAt(known, nowMs);
  const key = `${cause}-${lane}`;
  const taken = window.counts[key] ?? 0;
  const granted = Math.max(0, Math.min(count, bound - taken));
  const untilMs = (window.minute + 1) * MINUTE_MS;
  if (granted === 0) return { granted, untilMs };
  const counts = { ...window.counts, [key]: taken + granted };
  return { sweep: { ...window, counts }, granted, untilMs };
}

interface SweepLease {
  readonly sweepId: string;
  /** End of the sweep's invocation, in epoch milliseconds. */
  readonly untilMs: number;
}

/** Longest lease. Lambda allows no longer invocation, so a later end comes from a wrong clock. */
const LONGEST_LEASE_MS = 15 * MINUTE_MS;

/** Takes the lease. @returns `undefined` while another sweep runs. */
export function leased(
  known: SweepMinute | undefined,
  lease: SweepLease,
  nowMs: number,
): SweepMinute | undefined {
  const endsInMs = (known?.lease?.untilMs ?? nowMs) - nowMs;
  if (endsInMs > 0 && endsInMs <= LONGEST_LEASE_MS) return undefined;
  return { ...windowAt(known, nowMs), lease };
}

/** Ends the lease. @returns `undefined` if another sweep has the lease now. */
export function released(known: SweepMinute | undefined, sweepId: string): SweepMinute | undefined {
  if (known?.lease?.sweepId !== sweepId) return undefined;
  const { lease: _, ...rest } = known;
  return rest;
}

/**
 * Returns the window of the current minute. If this sweep's clock is a few seconds slow, it uses the minute that
 * another sweep has started. A stored minute that is further ahead comes from a wrong clock, and must not block all
 * sweeps.
 */
function windowAt(known: SweepMinute | undefined, nowMs: number): SweepMinute {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (known && (known.minute === minute || known.minute === minute + 1)) return known;
  return { minute, counts: {}, ...(known?.lease && { lease: known.lease }) };
}

type LeaseServices = Pick<SweepServices, 'status' | 'clock' | 'newId'>;

/**
 * Runs a sweep unless another sweep runs. This only saves work: the bounds are also kept without the lease. The lease
 * of a crashed sweep ends when its invocation would have ended.
 * @param leftMs remaining time of the invocation.
 * @returns `undefined` if another sweep runs.
 */
export async function underLease<R>(
  { status, clock, newId }: LeaseServices,
  leftMs: number,
  sweep: () => Promise<R>,
): Promise<R | undefined> {
  const item = { key: statusKind.key('sweep'), kind: "sweeps' window", clock };
  const lease: SweepLease = { sweepId: newId(), untilMs: clock.now() + leftMs };
  const { value } = await change(status, item, (known) => {
    const taken = leased(known?.sweep, lease, clock.now());
    return { value: taken && { sweep: taken } };
  });
  if (!value) return undefined;
  try {
    return await sweep();
  } finally {
    await change(status, item, (known) => {
      const ended = released(known?.sweep, lease.sweepId);
      return { value: ended && { sweep: ended } };
    });
  }
}

export interface Backlog {
  /** Number of messages that can be added to each queue. */
  readonly room: ReadonlyMap<Lane, number>;
  /** Maximum number of messages that all sweeps together admit in a minute. */
  readonly bound: ReadonlyMap<Lane, number>;
  /** Number of messages in all queues together. */
  readonly queued: number;
  /** Maximum number of records that one sweep requeues in a lane or makes due. */
  readonly dueInSweep: number;
}

/**
 * Reads the lengths of the queues. Without this, a sweep would queue the same records repeatedly while the records
 * wait.
 */
export async function readBacklog({
  queues,
  ratePerMinute,
}: Pick<SweepServices, 'queues' | 'ratePerMinute'>): Promise<Backlog> {
  const pace = workPaceFor(await ratePerMinute());
  const waiting = await Promise.all(LANES.map(async (lane) => [lane, await queues[lane].waiting()] as const));
  const bound = new Map(LANES.map((lane) => [lane, pace.queued[lane]]));
  return {
    bound,
    room: new Map(waiting.map(([lane, count]) => [lane, Math.max(0, (bound.get(lane) ?? 0) - count)])),
    queued: waiting.reduce((sum, [, count]) => sum + count, 0),
    dueInSweep: pace.dueInSweep,
  };
}

/** Services that queue waiting records. */
export interface SweepServices {
  readonly records: RecordItems;
  readonly questions: Pick<SweptQuestions, 'items' | 'ledger'>;
  /** Holds the lease and the counter that all sweeps share. */
  readonly status: StatusItems;
  readonly queues: Readonly<Record<Lane, CountedQueue>>;
  /** Requests a minute that the vendor allows. */
  readonly ratePerMinute: () => Promise<number>;
  /** Price of the policy's cheapest question. */
  readonly cheapestCredits: number;
  /** Highest possible price of one record's questions under the policy. */
  readonly dearestCredits: number;
  /** The breakers, which can be read without the data service's key. */
  readonly breakers: Pick<Breakers, 'read'>;
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly crm: Pick<Crm, 'pausedUntil'>;
  readonly rounds: {
    /** Reads the next part of the waiting records. @returns the picked records. */
    readonly waiting: (isPicked: (state: RecordState) => boolean) => Promise<readonly RecordState[]>;
  };
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
}
