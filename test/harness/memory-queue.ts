import { type Clock, UpstreamError } from '#shared/kernel';
import { type CountedQueue, encodeMessage, type QueuedRecord } from '#shared/work-queue';

export interface MemoryQueue extends CountedQueue {
  /** Receives up to `max` visible messages, oldest first, and hides each until its visibility timeout ends. */
  receive(max: number): readonly QueuedRecord[];
  /** Deletes messages, hidden or not. */
  remove(messageIds: Iterable<string>): void;
  size(): number;
  /** Bodies of the messages that wait or are in progress. */
  unfinished(): readonly string[];
  /** Send time of the oldest message, hidden or not. */
  oldestSentAtMs(): number | undefined;
  /** Time when the next message becomes visible, epoch milliseconds. */
  nextVisibleAtMs(): number | undefined;
  deadLetters(): readonly string[];
  /** Queues the dead letters again, like `queue requeue`. */
  requeueDead(): void;
  /** Bodies of all messages accepted so far, oldest first. */
  accepted(): readonly string[];
  inject(body: string): void;
  /** Duplicates every waiting message, because SQS delivers at least once. */
  duplicateAll(): void;
  /** Makes the next `times` sends fail. Of each, the first `taken` messages are still accepted. */
  refuse(times: number, taken?: number): void;
}

interface Waiting {
  readonly messageId: string;
  readonly body: string;
  readonly sentAtMs: number;
  visibleAtMs: number;
  receiveCount: number;
}

/** Creates a queue with the relevant behaviour of SQS: visibility, receive counts, dead letters, partial refusals. */
export function createMemoryQueue(options: {
  readonly clock: Clock;
  readonly visibilityMs: number;
  readonly maxReceiveCount: number;
  /** Older messages are removed silently. */
  readonly retentionMs?: number | undefined;
}): MemoryQueue {
  const { clock, visibilityMs, maxReceiveCount, retentionMs = Number.POSITIVE_INFINITY } = options;
  // Messages by id, in the order of sending.
  const waiting = new Map<string, Waiting>();
  let refusals = { times: 0, taken: 0 };
  let messagesMade = 0;
  const dead: string[] = [];
  const accepted: string[] = [];
  const inject = (body: string) => {
    messagesMade += 1;
    accepted.push(body);
    const sentAtMs = clock.now();
    const messageId = `message-${messagesMade}`;
    waiting.set(messageId, { messageId, body, sentAtMs, visibleAtMs: sentAtMs, receiveCount: 0 });
  };
  /**
   * Yields visible messages, oldest first. Expired messages are deleted. Messages received too often become dead
   * letters.
   */
  function* receivable(): Generator<Waiting> {
    for (const message of waiting.values()) {
      const isOver = message.sentAtMs + retentionMs <= clock.now();
      const isSpent =
        !isOver && message.visibleAtMs <= clock.now() && message.receiveCount >= maxReceiveCount;
      if (isSpent) dead.push(message.body);
      if (isOver || isSpent) waiting.delete(message.messageId);
      else if (message.visibleAtMs <= clock.now()) yield message;
    }
  }
  return {
    inject,
    waiting: async () => [...waiting.values()].filter((message) => message.visibleAtMs <= clock.now()).length,
    send: async (messages) => {
      const refused = refusals.times > 0;
      if (refused) refusals.times -= 1;
      for (const message of refused ? messages.slice(0, refusals.taken) : messages)
        inject(encodeMessage(message));
      if (!refused) return;
      throw new UpstreamError({ code: 'QUEUE_REFUSED', message: 'Refused on purpose.', retryable: true });
    },
    receive: (max) => {
      const received = [...receivable().take(max)];
      for (const message of received) {
        message.visibleAtMs = clock.now() + visibilityMs;
        message.receiveCount += 1;
      }
      return received.map(({ messageId, body, sentAtMs }) => ({
        messageId,
        body,
        attributes: { SentTimestamp: String(sentAtMs) },
      }));
    },
    remove: (messageIds) => {
      for (const messageId of messageIds) waiting.delete(messageId);
    },
    size: () => waiting.size,
    unfinished: () => [...waiting.values()].map(({ body }) => body),
    nextVisibleAtMs: () => {
      let next: number | undefined;
      for (const { visibleAtMs } of waiting.values()) next = Math.min(next ?? visibleAtMs, visibleAtMs);
      return next;
    },
    deadLetters: () => [...dead],
    oldestSentAtMs: () => waiting.values().next().value?.sentAtMs,
    requeueDead: () => {
      for (const body of dead.splice(0)) inject(body);
    },
    accepted: () => accepted,
    duplicateAll: () => {
      for (const { body } of [...waiting.values()]) inject(body);
    },
    refuse: (times, taken = 0) => {
      refusals = { times, taken };
    },
  };
}
