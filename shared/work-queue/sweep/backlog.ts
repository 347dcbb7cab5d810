import { LANES, type Lane } from '#shared/crm';
import type { SweepServices } from './sweep-services.ts';

export interface Backlog {
  /** How many more messages a queue should hold. */
  readonly room: ReadonlyMap<Lane, number>;
  /** Most messages that all sweeps together may admit in a minute. */
  readonly bound: ReadonlyMap<Lane, number>;
  /** Messages on all queues together. */
  readonly queued: number;
}

/**
 * Minutes of work at the vendor's rate: few where what comes fresh would wait behind them, more for what comes in
 * masses, of which most often needs no request.
 */
const FULL_MINUTES: Readonly<Record<Lane, number>> = { urgent: 2, live: 2, bulk: 20 };
/** A sweep lists this many states from each end of a queue order: some 20 MB, of the 512 that its function has. */
const MOST_ADMITTED = 5_000;

/** Most messages that a lane should hold, and that all sweeps together admit to it in one minute. */
function admissionBound(lane: Lane, ratePerMinute: number): number {
  return Math.min(MOST_ADMITTED, FULL_MINUTES[lane] * ratePerMinute);
}

/** How long the queues are. A sweep that does not look queues the same records again and again while they wait. */
export async function readBacklog({
  queues,
  ratePerMinute,
}: Pick<SweepServices, 'queues' | 'ratePerMinute'>): Promise<Backlog> {
  const rate = await ratePerMinute();
  const waiting = await Promise.all(LANES.map(async (lane) => [lane, await queues[lane].waiting()] as const));
  const bound = new Map(LANES.map((lane) => [lane, admissionBound(lane, rate)]));
  return {
    bound,
    room: new Map(waiting.map(([lane, count]) => [lane, Math.max(0, (bound.get(lane) ?? 0) - count)])),
    queued: waiting.reduce((sum, [, count]) => sum + count, 0),
  };
}
