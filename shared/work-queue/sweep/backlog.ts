import { LANES, type Lane } from '#shared/crm';
import type { SweepServices } from './sweep-services.ts';

export interface Backlog {
  /** How many more messages a queue should hold. */
  readonly room: ReadonlyMap<Lane, number>;
  /** Messages on all queues together. */
  readonly queued: number;
}

/**
 * Minutes of work at the vendor's rate: few where what comes fresh would wait behind them, more for what comes in
 * masses, of which most often needs no request.
 */
const FULL_MINUTES: Readonly<Record<Lane, number>> = { urgent: 2, live: 2, bulk: 20 };

/** How long the queues are. A sweep that does not look queues the same records again and again while they wait. */
export async function readBacklog({
  queues,
  ratePerMinute,
}: Pick<SweepServices, 'queues' | 'ratePerMinute'>): Promise<Backlog> {
  const rate = await ratePerMinute();
  const waiting = await Promise.all(LANES.map(async (lane) => [lane, await queues[lane].waiting()] as const));
  return {
    room: new Map(waiting.map(([lane, count]) => [lane, Math.max(0, FULL_MINUTES[lane] * rate - count)])),
    queued: waiting.reduce((sum, [, count]) => sum + count, 0),
  };
}
