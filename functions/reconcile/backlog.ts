import { LANES, type Lane } from '#shared/crm/purpose.ts';
import type { ReconcileServices } from './services.ts';

export interface Backlog {
  /** How many more messages a queue should hold. */
  readonly room: ReadonlyMap<Lane, number>;
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
}: Pick<ReconcileServices, 'queues' | 'ratePerMinute'>): Promise<Backlog> {
  const rate = await ratePerMinute();
  const room = LANES.map(
    async (lane): Promise<[Lane, number]> => [
      lane,
      Math.max(0, FULL_MINUTES[lane] * rate - (await queues[lane].waiting())),
    ],
  );
  return { room: new Map(await Promise.all(room)) };
}
