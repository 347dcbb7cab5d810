import type { Lane } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import type { SweepMinute } from '#shared/records';

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

export interface SweepLease {
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
