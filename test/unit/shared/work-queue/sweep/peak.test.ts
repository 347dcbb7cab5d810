import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import type { StoredStatus } from '#inside/records/schemas.ts';
import { MINUTE_MS, seededRandom } from '#shared/kernel';
import { changeRecord, newRecordState, openWaiting, type RecordState, recordPlace } from '#shared/records';
import { admitWaiting, readBacklog, requeueDue, type SweepServices } from '#shared/work-queue';
import { createSqsQueues } from '#shared/work-queue/adapters';
import { createMemoryItems } from '../../../../harness/memory-items.ts';

const WAITING = 10_000;
/** The vendor of this test takes 10,000 requests in the 20 minutes of work that the bulk queue holds. */
const RATE_PER_MINUTE = 1_000;
const NOW_MS = Date.UTC(2026, 10, 21, 12);

interface Gauge {
  calls: number;
  inFlight: number;
  peak: number;
}

/** Counts calls of a port that are not answered yet. Each takes one turn of the event loop. */
function counting<T extends object>(gauge: Gauge, port: T): T {
  return new Proxy(port, {
    get:
      (target, name) =>
      async (...given: unknown[]) => {
        gauge.calls += 1;
        gauge.inFlight += 1;
        gauge.peak = Math.max(gauge.peak, gauge.inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        gauge.inFlight -= 1;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? Reflect.apply(member, target, given) : member;
      },
  });
}

interface Wish {
  readonly count?: number;
  /** Workers in a row that died at the record. */
  readonly lapses?: number;
}

/** A sweep over 10,000 records of an import, with the real queue client. */
async function openSweep(reason: 'queued' | 'HTTP_TIMEOUT', { count = WAITING, lapses = 0 }: Wish = {}) {
  const stores: Gauge = { calls: 0, inFlight: 0, peak: 0 };
  const windows: Gauge = { calls: 0, inFlight: 0, peak: 0 };
  const queues: Gauge = { calls: 0, inFlight: 0, peak: 0 };
  const sent: string[] = [];
  let isBroken = false;
  const client = counting(queues, {
    send: ({ input }: { input: { Entries?: readonly { MessageBody: string }[] } }) => {
      if (!input.Entries) return { Attributes: { ApproximateNumberOfMessages: '0' } };
      if (isBroken) throw new Error('cut off');
      sent.push(...input.Entries.map(({ MessageBody }) => JSON.parse(MessageBody).id));
      return {};
    },
  }) as unknown as SQSClient;
  const items = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  let nowMs = NOW_MS;
  const clock = { now: () => nowMs, sleep: async () => undefined };
  for (let id = 1; id <= count; id += 1) {
    const opening = { runId: `run-${id}`, purpose: 'import', nowMs: 0, untilMs: id, reason } as const;
    await changeRecord({ records: items, clock }, { objectType: 'contacts', id: String(id) }, () => {
      const state = openWaiting(newRecordState('contacts', String(id)), opening);
      return { state: state.run && { ...state, run: { ...state.run, lapses } } };
    });
  }
  const window = createMemoryItems<StoredStatus>();
  const services = {
    records: counting(stores, items),
    status: counting(windows, window),
    queues: createSqsQueues(client, { urgent: 'urgent', live: 'live', bulk: 'bulk' }),
    ratePerMinute: async () => RATE_PER_MINUTE,
    cheapestCredits: 1,
    questions: { ledger: { now: async () => ({ left: () => 1_000_000 }) } },
    crm: { pausedUntil: async () => undefined },
    clock,
    random: seededRandom(1),
    newId: () => 'id',
  } as unknown as SweepServices;
  return {
    services,
    backlog: await readBacklog(services),
    stores,
    windows,
    queues,
    sent,
    records: items,
    /** The sweep stands still for a minute when it has taken its places. */
    stall: () => {
      const { write } = window;
      Object.assign(window, {
        write: async (...given: Parameters<typeof write>) => {
          const result = await write(...given);
          nowMs += MINUTE_MS;
          return result;
        },
      });
    },
    breakQueue: () => {
      isBroken = true;
    },
    /** Whose message should be on its way. */
    admitted: () => items.list({ partition: 'waiting-bulk' }),
  };
}

describe('a sweep over 10,000 waiting records', () => {
  it('makes at most 25 requests to the tables and 3 to the queue at the same time', async () => {
    const { services, backlog, stores, queues, sent } = await openSweep('queued');
    expect(await admitWaiting(services, backlog)).toBe(5_000);
    expect(new Set(sent).size).toBe(5_000);
    expect([stores.peak, queues.peak]).toEqual([25, 3]);
  });

  it('makes no more of them when all are due again', async () => {
    const { services, backlog, stores, queues, sent } = await openSweep('HTTP_TIMEOUT');
    expect(await requeueDue(services, 'waiting', backlog)).toBe(2_000);
    expect(new Set(sent).size).toBe(2_000);
    expect([stores.peak, queues.peak]).toEqual([25, 3]);
  });

  it('ends when the minute has no place left', async () => {
    const { services, backlog, windows, sent } = await openSweep('queued', { count: 100 });
    const bound = new Map([['bulk', 30] as const]);
    expect(await admitWaiting(services, { ...backlog, bound })).toBe(30);
    expect(sent).toHaveLength(30);
    // One read and one write for each of two chunks.
    expect(windows.calls).toBe(4);
  });

  it('leaves at most 25 admitted records without a message when it is cut off', async () => {
    const { services, backlog, sent, admitted } = await openSweep('queued', { count: 500 });
    const send = services.queues.bulk.send;
    let sends = 0;
    const isCutOff = Promise.withResolvers<void>();
    Object.assign(services.queues.bulk, {
      send: (messages: Parameters<typeof send>[0]) => {
        sends += 1;
        if (sends < 4) return send(messages);
        isCutOff.resolve();
        return new Promise(() => undefined);
      },
    });
    void admitWaiting(services, backlog);
    await isCutOff.promise;
    expect(sent).toHaveLength(75);
    expect(await admitted()).toHaveLength(100);
  });

  it('puts back the records of a chunk whose minute is over', async () => {
    const { services, backlog, sent, records, stall } = await openSweep('queued', { count: 20 });
    stall();
    expect(await admitWaiting(services, backlog)).toBe(0);
    expect(sent).toEqual([]);
    expect(await records.count('in-turn-import')).toBe(20);
  });

  it('sends the messages of 500 due records in a minute, with all sweeps that overlap', async () => {
    const { services, backlog: full, sent } = await openSweep('HTTP_TIMEOUT', { count: 2_000 });
    const backlog = { ...full, dueInSweep: 500 };
    await Promise.all([1, 2, 3].map(() => requeueDue(services, 'waiting', backlog)));
    await requeueDue(services, 'waiting', backlog);
    expect(sent.length).toBeLessThanOrEqual(500);
  });

  it('makes due records due again when the queue refuses them', async () => {
    const { services, backlog, breakQueue, records } = await openSweep('HTTP_TIMEOUT', { count: 3 });
    breakQueue();
    await expect(requeueDue(services, 'waiting', backlog)).rejects.toThrow('cut off');
    expect(await records.list({ partition: 'waiting-bulk', upTo: NOW_MS })).toHaveLength(3);
  });

  it('puts back the records of the chunk that the queue refuses', async () => {
    const { services, backlog, breakQueue, admitted } = await openSweep('queued', { count: 100 });
    breakQueue();
    await expect(admitWaiting(services, backlog)).rejects.toThrow('cut off');
    expect(await admitted()).toEqual([]);
  });
});
