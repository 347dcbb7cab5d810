import type { Lane } from '../../shared/work-queue/lane.ts';
import type { CountedQueue } from '../../shared/work-queue/queue.ts';
import type { ReconcileDeps } from './deps.ts';

export interface Backlog {
  /** So much is queued that what is found now can wait until that is done. */
  isFull(lane: Lane): boolean;
}

/** Twenty minutes of work at the vendor's usual rate: the next sweep comes long before that is done. */
const FULL_AT = 400;

/** How long the queues are. A sweep that does not look queues the same records again and again while they wait. */
export async function readBacklog(deps: ReconcileDeps): Promise<Backlog> {
  const waiting = { live: await deps.liveQueue.waiting(), bulk: await deps.bulkQueue.waiting() };
  return { isFull: (lane) => waiting[lane] > FULL_AT };
}

export function queueOf(deps: ReconcileDeps, lane: Lane): CountedQueue {
  return lane === 'live' ? deps.liveQueue : deps.bulkQueue;
}
