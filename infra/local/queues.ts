import { LANES, type Lane } from '#shared/crm';
import { type CountedQueue, decodeMessage, type LaneQueues, type QueueLevels } from '#shared/work-queue';

export interface QueueCounts extends QueueLevels {
  readonly queue: Lane;
  /** Messages that failed too often. */
  readonly deadLetters: number;
}

export function countQueues(queues: LaneQueues): Promise<QueueCounts[]> {
  return Promise.all(
    LANES.map(async (lane) => {
      const { queue, dead } = queues[lane];
      const [levels, { waiting, inHand, delayed }] = await Promise.all([queue.levels(), dead.levels()]);
      return { queue: lane, ...levels, deadLetters: waiting + inHand + delayed };
    }),
  );
}

/** The queues without their dead letters, as the functions use them. */
export function queuesOfWork({ urgent, live, bulk }: LaneQueues): Readonly<Record<Lane, CountedQueue>> {
  return { urgent: urgent.queue, live: live.queue, bulk: bulk.queue };
}

const BATCH = 10;
/** Time for which a received message is hidden, so that one command does not receive it twice. */
const HIDDEN_MS = 60_000;

export interface MovedLetters {
  readonly requeued: number;
  /** Messages that stay dead letters, because no worker could read them. */
  readonly unreadable: number;
}

/**
 * Moves dead letters back to their queue. It sends before it deletes, so that no message is lost. If it crashes in
 * between, a message is delivered twice. The worker recognises this by the record's state.
 */
export async function moveDeadLetters(
  queues: LaneQueues,
  show: (moved: number) => void,
): Promise<MovedLetters> {
  let [requeued, unreadable] = [0, 0];
  for (const { queue, dead } of LANES.map((lane) => queues[lane])) {
    for (;;) {
      show(requeued + unreadable);
      // With a short wait, SQS asks all its servers. Without one, it can miss messages.
      const letters = await dead.receive({ most: BATCH, hiddenMs: HIDDEN_MS, waitMs: 1_000 });
      if (letters.length === 0) break;
      const readable = letters.filter(({ body }) => decodeMessage(body) !== undefined);
      const refused = await queue.sendBodies(readable.map(({ body }) => body));
      const moved = readable.filter(({ body }) => !refused.has(body));
      if (moved.length > 0) await dead.remove(moved);
      requeued += moved.length;
      unreadable += letters.length - readable.length;
    }
  }
  return { requeued, unreadable };
}
