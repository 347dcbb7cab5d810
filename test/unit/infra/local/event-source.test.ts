import { expect, it } from 'vitest';
import { systemClock as clock, systemIds as newId } from '#shared/kernel/adapters';
import { openSqliteQueues } from '#shared/work-queue/adapters';
import { runEventSource } from '../../../../infra/local/loops.ts';
import { openMemoryStore } from '../../../harness/memory-items.ts';

/** A queue of the laptop, with messages of any text. */
async function queueOf(count: number) {
  const { database, patiently, atomically } = openMemoryStore();
  const { bulk } = openSqliteQueues({ database, patiently, atomically, clock, newId });
  await bulk.queue.sendBodies(Array.from({ length: count }, (_, nth) => `m${nth}`));
  const bodies = () =>
    database
      .prepare('SELECT body FROM messages')
      .all()
      .map(({ body }) => body);
  return { queue: bulk.queue, bodies };
}

it.each([
  [5, [5, 5, 5, 5, 3]],
  [17, [17, 6]],
  [100, [23]],
])(
  "a laptop's event source hands the worker batches of %d, and deletes all but what failed",
  async (batchSize, batches) => {
    const { queue, bodies } = await queueOf(23);
    const stopping = new AbortController();
    const seen: number[] = [];
    let handled = 0;
    await runEventSource({
      queue,
      clock,
      timeoutMs: 1_000,
      batchSize: async () => batchSize,
      signal: stopping.signal,
      handler: async ({ Records }) => {
        seen.push(Records.length);
        handled += Records.length;
        if (handled === 23) stopping.abort();
        const failed = Records.filter(({ body }) => body === 'm22');
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
    });
    expect(seen).toEqual(batches);
    expect(bodies()).toEqual(['m22']);
  },
);
