import { LANES, type Lane } from '#shared/crm';
import { workPaceFor } from '../pace.ts';
import type { SweepServices } from './sweep-services.ts';

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
