import { type Clock, UpstreamError } from '#shared/kernel';
import { type CountedQueue, encodeMessage, type QueuedRecord } from '#shared/work-queue';

export interface MemoryQueue extends CountedQueue {
  /** Receives up to `max` visible messages, oldest first, and hides each until its visibility ends. */
  receive(max: number): readonly QueuedRecord[];
  /** Deletes a message for good, hidden or not. */
  remove(messageIds: Iterable<string>): void;
  /** Number of messages that wait or are in progress. */
  size(): number;
  /** Bodies of these messages. */
  unfinished(): readonly string[];
  /** Send time of the oldest message, hidden or not, and failure time of the oldest dead letter. */
  oldest(): { readonly sentAtMs?: number | undefined; readonly deadAtMs?: number | undefined };
  /** Time when the next message becomes visible, epoch milliseconds. */
  nextVisibleAtMs(): number | undefined;
  /** Bodies of messages that exceeded the receive limit. */
  deadLetters(): readonly string[];
  /** Queues the dead letters again, like `queue requeue`. */
  requeueDead(): void;
  /** Every body ever accepted, oldest first. */
  accepted(): readonly string[];
  /** Adds any body, as another program could. */
  inject(body: string): void;
  /** Duplicates every waiting message, because SQS delivers at least once. */
  duplicateAll(): void;
  /** Refuses the next `times` sends, but accepts the first `taken` messages of each. */
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
  /** Older messages are removed without a report. */
  readonly retentionMs?: number | undefined;
}): MemoryQueue {
  const { clock, visibilityMs, maxReceiveCount, retentionMs = Number.POSITIVE_INFINITY } = options;
  // By id, in the order of sending.
  const waiting = new Map<string, Waiting>();
  let refusals = { times: 0, taken: 0 };
  let made = 0;
  const dead: { readonly body: string; readonly atMs: number }[] = [];
  const accepted: string[] = [];
  const inject = (body: string) => {
    made += 1;
    accepted.push(body);
    const sentAtMs = clock.now();
    const messageId = `message-${made}`;
    waiting.set(messageId, { messageId, body, sentAtMs, visibleAtMs: sentAtMs, receiveCount: 0 });
  };
  /**
   * Visible messages, oldest first. Expired messages are deleted; messages received too often become dead letters.
   */
  function* receivable(): Generator<Waiting> {
    for (const one of waiting.values()) {
      const isOver = one.sentAtMs + retentionMs <= clock.now();
      const isSpent = !isOver && one.visibleAtMs <= clock.now() && one.receiveCount >= maxReceiveCount;
      if (isSpent) dead.push({ body: one.body, atMs: clock.now() });
      if (isOver || isSpent) waiting.delete(one.messageId);
      else if (one.visibleAtMs <= clock.now()) yield one;
    }
  }
  return {
    inject,
    waiting: async () => [...waiting.values()].filter((one) => one.visibleAtMs <= clock.now()).length,
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
      for (const one of received) {
        one.visibleAtMs = clock.now() + visibilityMs;
        one.receiveCount += 1;
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
    deadLetters: () => dead.map(({ body }) => body),
    oldest: () => ({ sentAtMs: waiting.values().next().value?.sentAtMs, deadAtMs: dead[0]?.atMs }),
    requeueDead: () => {
      for (const { body } of dead.splice(0)) inject(body);
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
