import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lane } from '#shared/crm';
import { systemIds as newId, systemClock } from '#shared/kernel/adapters';
import { type LaneQueues, MAX_RECEIVES, type ServedQueue, type WorkMessage } from '#shared/work-queue';
import { createSqsQueue, openSqliteQueues } from '#shared/work-queue/adapters';
import { startEmbeddedQueues } from '../../harness/embedded-queues.ts';
import { openSqliteFile } from '../store/engines.ts';

interface OpenQueues {
  /** Each call is another process's view of the same queues. */
  connect(): LaneQueues;
  close(): Promise<void>;
}

async function openFile(): Promise<OpenQueues> {
  const file = await openSqliteFile();
  return {
    connect: () => {
      const { database, patiently, atomically } = file.connect();
      return openSqliteQueues({ database, patiently, atomically, clock: systemClock, newId });
    },
    close: file.close,
  };
}

async function openSqs(): Promise<OpenQueues> {
  const { sqs: client, queueUrls, close } = await startEmbeddedQueues();
  const pair = (lane: Lane) => ({
    queue: createSqsQueue({ client, queueUrl: queueUrls[lane] }),
    dead: createSqsQueue({ client, queueUrl: `${queueUrls[lane]}-dead` }),
  });
  const queues = { urgent: pair('urgent'), live: pair('live'), bulk: pair('bulk') };
  return { connect: () => queues, close };
}

const message = (id: number): WorkMessage => ({
  objectType: 'contacts',
  id: String(id),
  purpose: 'live',
  eventKeys: [],
});

describe.each([
  { name: 'a SQLite file', open: openFile },
  { name: 'SQS', open: openSqs },
])('a queue over $name', ({ open }) => {
  let opened: OpenQueues;
  let queues: LaneQueues;
  beforeAll(async () => {
    opened = await open();
    queues = opened.connect();
  });
  afterAll(() => opened.close());

  const drained = async (queue: ServedQueue) => {
    const bodies: string[] = [];
    for (;;) {
      const some = await queue.receive({ most: 10 });
      if (some.length === 0) return bodies;
      bodies.push(...some.map(({ body }) => body));
      await queue.remove(some);
    }
  };

  it('gives each message once, with the time of its sending, and to nobody after its removal', async () => {
    const { queue } = queues.urgent;
    await queue.sendBodies(['a', 'b', 'c']);
    expect(await queue.waiting()).toBe(3);
    const received = await queue.receive({ most: 10 });
    expect(received.map(({ body }) => body).sort()).toEqual(['a', 'b', 'c']);
    expect(Number(received[0]?.attributes?.SentTimestamp)).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(await queue.levels()).toEqual({ waiting: 0, inHand: 3, delayed: 0 });
    expect(await opened.connect().urgent.queue.receive({ most: 10 })).toEqual([]);
    await queue.remove(received);
    expect(await queue.levels()).toEqual({ waiting: 0, inHand: 0, delayed: 0 });
  });

  it('sends and counts messages of any number', async () => {
    const { queue } = queues.bulk;
    await queue.send(Array.from({ length: 23 }, (_, nth) => message(nth)));
    expect(await queue.waiting()).toBe(23);
    expect(await queue.receive({ most: 4 })).toHaveLength(4);
    expect(await drained(queue)).toHaveLength(19);
  });

  it('delivers again what was not removed in time, with another receipt, and an old receipt removes nothing', async () => {
    const { queue } = queues.live;
    await queue.sendBodies(['late']);
    const [first] = await queue.receive({ most: 1, hiddenMs: 0 });
    const [second] = await queue.receive({ most: 1, hiddenMs: 0 });
    expect(second).toMatchObject({ messageId: first?.messageId, body: 'late' });
    expect(second?.receipt).not.toBe(first?.receipt);
    if (second) await queue.remove([second]);
    expect(await queue.receive({ most: 1 })).toEqual([]);
  });

  it('moves what was received too often to the dead letters, from where it can be sent again', async () => {
    const { queue, dead } = queues.live;
    await queue.sendBodies(['poison']);
    for (let nth = 0; nth < MAX_RECEIVES; nth += 1)
      expect(await queue.receive({ most: 1, hiddenMs: 0 })).toHaveLength(1);
    expect(await queue.receive({ most: 1, hiddenMs: 0 })).toEqual([]);
    expect((await dead.levels()).waiting).toBe(1);
    const letters = await dead.receive({ most: 10 });
    expect(letters.map(({ body }) => body)).toEqual(['poison']);
    await queue.sendBodies(letters.map(({ body }) => body));
    await dead.remove(letters);
    expect(await drained(queue)).toEqual(['poison']);
  });

  it('waits for a message, and ends the wait when it is told to', async () => {
    const { queue } = queues.urgent;
    const waiting = queue.receive({ most: 1, waitMs: 5_000 });
    await opened.connect().urgent.queue.sendBodies(['at last']);
    const received = await waiting;
    expect(received.map(({ body }) => body)).toEqual(['at last']);
    await queue.remove(received);
    const stopping = new AbortController();
    const stopped = queue.receive({ most: 1, waitMs: 20_000, signal: stopping.signal });
    stopping.abort(new Error('stop'));
    await expect(stopped).rejects.toThrow(Error);
  });
});
