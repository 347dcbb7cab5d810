import type { WorkMessage } from './message.ts';

/** A queue of work for the workers. */
export interface WorkQueue {
  /**
   * Resolves when SQS has accepted every message.
   * @throws UpstreamError `QUEUE_REFUSED` if SQS refuses a message. Other messages may be queued nevertheless.
   */
  send(messages: readonly WorkMessage[]): Promise<void>;
}

export interface CountedQueue extends WorkQueue {
  /** Approximate number of messages that no worker has received yet. */
  waiting(): Promise<number>;
}
