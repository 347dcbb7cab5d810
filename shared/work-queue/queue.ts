import type { Lane } from '#shared/crm';
import type { QueuedRecord } from './coalesce.ts';
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

/** A received message. It is hidden from others for a time, and then delivered again unless it was removed. */
export interface ReceivedMessage extends QueuedRecord {
  /** Proves this delivery. A later delivery of the message has another one. */
  readonly receipt: string;
}

interface Receiving {
  /** 1 to 10 messages. */
  readonly most: number;
  /** How long the messages are hidden; the queue's own time if absent. */
  readonly hiddenMs?: number;
  /** How long to wait for a first message. Messages can be missed without a wait. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** A queue as a worker of this machine and an operator use it. On AWS, Lambda receives for the workers. */
export interface ServedQueue extends CountedQueue {
  /** Sends bodies unread. @returns the bodies that were refused. */
  sendBodies(bodies: readonly string[]): Promise<ReadonlySet<string>>;
  /** Order is not promised. */
  receive(how: Receiving): Promise<readonly ReceivedMessage[]>;
  remove(messages: readonly ReceivedMessage[]): Promise<void>;
  /** Approximate numbers of messages: waiting, in the hands of a worker, and not yet due. */
  levels(): Promise<QueueLevels>;
}

export interface QueueLevels {
  readonly waiting: number;
  readonly inHand: number;
  readonly delayed: number;
}

/** The queues of an installation, each with its dead letters. */
export type LaneQueues = Readonly<Record<Lane, { readonly queue: ServedQueue; readonly dead: ServedQueue }>>;

/**
 * Seconds until SQS delivers an unfinished message again: the worker's timeout plus half a minute. AWS advises six
 * times the timeout, so that Lambda can retry a throttled call. But then a crash would delay a new lead by half an
 * hour. The shorter time is safe: a second delivery does no harm, because a worker claims each record.
 */
export const VISIBILITY_TIMEOUT_S = 330;

/** How long Lambda can throttle the worker before messages become dead letters, seconds. */
const SURVIVED_S = 3 * 3_600;

/**
 * Deliveries before a message becomes a dead letter. SQS counts a delivery even if Lambda throttles the worker, so the
 * number comes from the time that messages must survive.
 */
export const MAX_RECEIVES = Math.ceil(SURVIVED_S / VISIBILITY_TIMEOUT_S);
