import type { WorkMessage } from './message.ts';

/** Where work waits for the workers. */
export interface WorkQueue {
  /**
   * Resolves when every message is safely queued.
   * @throws UpstreamError `QUEUE_REFUSED` when any is not; some of the others may then be queued all the same.
   */
  send(messages: readonly WorkMessage[]): Promise<void>;
}

export interface CountedQueue extends WorkQueue {
  /** Approximate number of messages that no worker has taken yet. */
  waiting(): Promise<number>;
}
