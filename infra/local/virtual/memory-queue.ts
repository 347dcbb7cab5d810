import { type Clock, UpstreamError } from '#shared/kernel';
import { type CountedQueue, encodeMessage, type QueuedRecord } from '#shared/work-queue';

export interface MemoryQueue extends CountedQueue {
  /** At most `max` of the visible messages, oldest first; each is hidden until its visibility ends. */
  receive(max: number): readonly QueuedRecord[];
  /** Deletes a message for good, hidden or not. */
  remove(messageIds: Iterable<string>): void;
  /** Messages that wait or are being worked on. */
  size(): number;
  /** Their bodies. */
  unfinished(): readonly string[];
  /** When the oldest message was sent, hidden or not; and when the oldest dead letter was given up. */
  oldest(): { readonly sentAtMs?: number | undefined; readonly deadAtMs?: number | undefined };
  /** When the next message can be received, epoch milliseconds. */
  nextVisibleAtMs(): number | undefined;
  /** Bodies of messages that were received more often than allowed. */
  deadLetters(): readonly string[];
  /** What an operator does with `queue requeue`. */
  requeueDead(): void;
  /** Every body ever accepted, oldest first. */
  accepted(): readonly string[];
  /** Puts in a body as another program might have written it. */
  inject(body: string): void;
  /** SQS delivers at least once: makes every waiting message come twice. */
  duplicateAll(): void;
  /** The next `times` sends are refused, after the first `taken` of their messages were taken all the same. */
  refuse(times: number, taken?: number): void;
}

interface Waiting {
  readonly messageId: string;
  readonly body: string;
  readonly sentAtMs: number;
  visibleAtMs: number;
  receiveCount: number;
}

/** A queue with the behaviour of SQS that matters: visibility, receive counts, dead letters, refusals in part. */
export function createMemoryQueue(options: {
  readonly clock: Clock;
  readonly visibilityMs: number;
  readonly maxReceiveCount: number;
  /** Older messages are removed without a report. */
  readonly retentionMs?: number | undefined;
}): MemoryQueue {
  const { clock, visibilityMs, maxReceiveCount, retentionMs = Number.POSITIVE_INFINITY } = options;
  let waiting: Waiting[] = [];
  let refusals = { times: 0, taken: 0 };
  let made = 0;
  const dead: { readonly body: string; readonly atMs: number }[] = [];
  const accepted: string[] = [];
  const inject = (body: string) => {
    made += 1;
    accepted.push(body);
    const sentAtMs = clock.now();
    waiting.push({ messageId: `message-${made}`, body, sentAtMs, visibleAtMs: sentAtMs, receiveCount: 0 });
  };
  const bury = () => {
    waiting = waiting.filter(({ sentAtMs }) => sentAtMs + retentionMs > clock.now());
    const spent = (one: Waiting) => one.visibleAtMs <= clock.now() && one.receiveCount >= maxReceiveCount;
    dead.push(...waiting.filter(spent).map(({ body }) => ({ body, atMs: clock.now() })));
    waiting = waiting.filter((one) => !spent(one));
  };
  return {
    inject,
    waiting: async () => waiting.filter((one) => one.visibleAtMs <= clock.now()).length,
    send: async (messages) => {
      const refused = refusals.times > 0;
      if (refused) refusals.times -= 1;
      for (const message of refused ? messages.slice(0, refusals.taken) : messages)
        inject(encodeMessage(message));
      if (!refused) return;
      throw new UpstreamError({ code: 'QUEUE_REFUSED', message: 'Refused on purpose.', retryable: true });
    },
    receive: (max) => {
      bury();
      const received = waiting.filter(({ visibleAtMs }) => visibleAtMs <= clock.now()).slice(0, max);
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
      const gone = new Set(messageIds);
      waiting = waiting.filter(({ messageId }) => !gone.has(messageId));
    },
    size: () => waiting.length,
    unfinished: () => waiting.map(({ body }) => body),
    nextVisibleAtMs: () => {
      const times = waiting.map(({ visibleAtMs }) => visibleAtMs);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    deadLetters: () => dead.map(({ body }) => body),
    oldest: () => ({ sentAtMs: waiting[0]?.sentAtMs, deadAtMs: dead[0]?.atMs }),
    requeueDead: () => {
      for (const { body } of dead.splice(0)) inject(body);
    },
    accepted: () => accepted,
    duplicateAll: () => {
      for (const { body } of [...waiting]) inject(body);
    },
    refuse: (times, taken = 0) => {
      refusals = { times, taken };
    },
  };
}
