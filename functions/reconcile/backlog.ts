import type { Lane } from '#shared/crm/lane.ts';
import type { CountedQueue } from '#shared/work-queue/queue.ts';
import type { ReconcileServices } from './services.ts';

export interface Backlog {
  /** So much is queued that what is found now can wait until that is done. */
  isFull(lane: Lane): boolean;
}

/** Twenty minutes of work at the vendor's usual rate: the next sweep comes long before that is done. */
const FULL_AT = 400;

/** How long the queues are. A sweep that does not look queues the same records again and again while they wait. */
export async function readBacklog(services: ReconcileServices): Promise<Backlog> {
  const waiting = { live: await services.liveQueue.waiting(), bulk: await services.bulkQueue.waiting() };
  return { isFull: (lane) => waiting[lane] > FULL_AT };
}

export function queueOf(services: ReconcileServices, lane: Lane): CountedQueue {
  return lane === 'live' ? services.liveQueue : services.bulkQueue;
}
