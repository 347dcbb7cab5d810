import type { Lane } from '#shared/crm/lane.ts';
import { laneOfMessage, type WorkMessage } from './message.ts';

/** Where work waits for the workers. */
export interface WorkQueue {
  /**
   * Resolves when every message is safely queued.
   * @throws UpstreamError `QUEUE_REFUSED` when any is not; some of the others may then be queued all the same.
   */
  send(messages: readonly WorkMessage[]): Promise<void>;
}

/** Sends each message to its lane. @throws UpstreamError `QUEUE_REFUSED`, after every lane had its turn. */
export async function sendByLane(
  queues: Readonly<Record<Lane, WorkQueue>>,
  messages: readonly WorkMessage[],
): Promise<void> {
  const lanes = [...Map.groupBy(messages, laneOfMessage)];
  const sent = await Promise.allSettled(lanes.map(([lane, of]) => queues[lane].send(of)));
  const refused = sent.find((one) => one.status === 'rejected');
  if (refused) throw refused.reason;
}

export interface CountedQueue extends WorkQueue {
  /** About how many messages nobody works on yet. */
  waiting(): Promise<number>;
}
