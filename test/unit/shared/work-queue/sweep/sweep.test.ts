import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { pickWaiting } from '#inside/records/passes.ts';
import type { StoredStatus } from '#inside/records/schemas.ts';
import type { Lane } from '#shared/crm';
import { HOUR_MS, MINUTE_MS, SECOND_MS, seededRandom } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';
import {
  changeRecord,
  newRecordState,
  openWaiting,
  putBack,
  type RecordState,
  recordPlace,
  type WaitingReason,
} from '#shared/records';
import {
  admitWaiting,
  readBacklog,
  requeueDue,
  resumeWaiting,
  type SweepServices,
  type WorkMessage,
} from '#shared/work-queue';
import { createSqsQueues } from '#shared/work-queue/adapters';
import { createMemoryItems } from '../../../../harness/memory-items.ts';

const MINUTES = 200;
/** More wait from the beginning than get their turn. */
const OLD = 300;

/**
 * Imports that have waited, and each minute as many new ones as are served in it; whoever is let in and not served
 * waits again.
 * @returns of each hundred served, how many had waited from the beginning.
 */
async function oldOfHundred({ served, room }: { readonly served: number; readonly room: number }) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const sent: WorkMessage[] = [];
  const services = servicesOver(records, sent);
  for (let id = 0; id < OLD; id += 1) await waiting(services, `old-${id}`, id);
  let old = 0;
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    for (let each = 0; each < served; each += 1)
      await waiting(services, `new-${minute}-${each}`, OLD + minute);
    services.clock.pass(MINUTE_MS);
    const places = new Map<Lane, number>([['bulk', room]]);
    await admitWaiting(services, { room: places, bound: places });
    for (const [index, { id }] of sent.splice(0).entries()) {
      if (index < served && id.startsWith('old')) old += 1;
      await changeRecord(services, contact(id), (state) => ({
        state: index < served ? newRecordState('contacts', id) : putBack(state, minute),
      }));
    }
  }
  return (100 * old) / (served * MINUTES);
}

function contact(id: string) {
  return { objectType: 'contacts', id } as const;
}

function waiting(services: SweepServices, id: string, nowMs: number) {
  const opening = { runId: id, purpose: 'import', nowMs, untilMs: nowMs, reason: 'queued' } as const;
  return changeRecord(services, contact(id), (state) => ({ state: openWaiting(state, opening) }));
}

/** No limit but the room. */
function servicesOver(records: SweepServices['records'], sent: WorkMessage[]) {
  let nowMs = 0;
  const queue = {
    send: async (messages: readonly WorkMessage[]) => void sent.push(...messages),
    waiting: async () => 0,
  };
  return {
    records,
    cheapestCredits: 1,
    random: seededRandom(1),
    questions: { ledger: { now: async () => ({ left: () => 1_000 }) } },
    queues: { urgent: queue, live: queue, bulk: queue },
    crm: { pausedUntil: async () => undefined },
    status: createMemoryItems<StoredStatus>(),
    clock: {
      now: () => nowMs,
      sleep: async () => undefined,
      pass: (ms: number) => {
        nowMs += ms;
      },
    },
  } as unknown as SweepServices & { readonly clock: { pass(ms: number): void } };
}

it('one in ten whose turn it is has waited longest, although only the first of twenty is served', async () => {
  const old = await oldOfHundred({ served: 1, room: 20 });
  expect(old).toBeGreaterThan(7);
  expect(old).toBeLessThan(13);
});

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

interface Waits {
  readonly reason?: WaitingReason;
  readonly leftCredits?: number;
  /** A person admitted them, so that they wait for credits outside the reserve. */
  readonly isAdmitted?: boolean;
  readonly keyRefused?: BreakerState['keyRefused'];
}

/** Records that wait, each until its time; unless told otherwise for a key that works again. */
async function waitingUntil(
  times: readonly number[],
  { reason = 'key-refused', leftCredits = 1_000, keyRefused, isAdmitted = false }: Waits = {},
) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const status = createMemoryItems<StoredStatus>();
  const clock = { now: () => NOW_MS, sleep: async () => undefined };
  const reads = { ledger: 0, budgets: 0 };
  const refusal = () => {
    reads.budgets += 1;
    return undefined;
  };
  const budgetsNow = { refusal, left: () => leftCredits };
  const ledger = {
    now: async () => {
      reads.ledger += 1;
      return budgetsNow;
    },
  };
  const services = {
    records,
    clock,
    dearestCredits: 3,
    cheapestCredits: 1,
    questions: { ledger },
    breakers: { read: async () => ({ doubtsInRow: 0, keyRefused }) },
    writeBreakers: { open: async () => ({ what: 'refused' }) },
    rounds: {
      waiting: (isPicked: (state: RecordState) => boolean) =>
        pickWaiting({ records, status, clock }, isPicked),
    },
  } as unknown as SweepServices;
  for (const [id, untilMs] of times.entries()) {
    const opening = {
      runId: `run-${id}`,
      purpose: 'live',
      nowMs: 0,
      untilMs,
      reason,
    } as const;
    const record = { objectType: 'contacts', id: String(id) } as const;
    await changeRecord(services, record, (state) => ({ state: openWaiting(state, opening) }));
    if (!isAdmitted) continue;
    await changeRecord(services, record, (state) => ({
      state: state?.run && { ...state, run: { ...state.run, overrulesReserve: true } },
    }));
  }
  return {
    reads,
    untried: async () =>
      (await resumeWaiting(services, { hubSpotAnswers: true, dueInSweep: 300 })).untried.length,
    sweep: async (hubSpotAnswers = true) =>
      (await resumeWaiting(services, { hubSpotAnswers, dueInSweep: 300 })).due,
    untilMs: async (id: number) => (await records.read(`contacts#${id}`))?.value.waiting?.untilMs,
  };
}

describe('records whose cause of waiting has ended', () => {
  it('become due as many in a sweep as the rate is worth, and the next sweep makes the others due', async () => {
    const { sweep } = await waitingUntil(
      Array.from({ length: 501 }, (_, id) => NOW_MS + (2 + id) * MINUTE_MS),
    );
    expect([await sweep(), await sweep(), await sweep()]).toEqual([300, 201, 0]);
  });

  it('keep their time where it comes within a minute or is over', async () => {
    const times = [NOW_MS - SECOND_MS, NOW_MS + MINUTE_MS, NOW_MS + MINUTE_MS + 1];
    const { sweep, untilMs } = await waitingUntil(times);
    expect(await sweep()).toBe(1);
    expect(await Promise.all([0, 1, 2].map(untilMs))).toEqual([times[0], times[1], NOW_MS]);
  });
});

describe('records that wait for credits', () => {
  it('cost a sweep one read of the ledger and one look at the budgets', async () => {
    const times = Array.from({ length: 10 }, (_, id) => NOW_MS + (2 + id) * MINUTE_MS);
    const { sweep, reads } = await waitingUntil(times, { reason: 'budget', isAdmitted: true });
    expect(await sweep()).toBe(10);
    expect(reads).toEqual({ ledger: 1, budgets: 1 });
  });

  it('are looked up 100 a sweep, in case their answer is stored', async () => {
    const times = Array.from({ length: 101 }, (_, id) => NOW_MS + id);
    expect(await (await waitingUntil(times, { reason: 'queued', leftCredits: 0 })).untried()).toBe(100);
    expect(await (await waitingUntil(times, { reason: 'queued' })).untried()).toBe(0);
  });
});

describe('records that wait for a refused key', () => {
  const refusedUntil = (probeAtMs: number) => ({ sinceMs: 0, keyHash: 'a', probeAtMs });
  const times = [NOW_MS + HOUR_MS, NOW_MS + HOUR_MS, NOW_MS + HOUR_MS];

  it('keep their time, but one that tries the key when that is due', async () => {
    const early = await waitingUntil(times, { keyRefused: refusedUntil(NOW_MS + 1) });
    expect(await early.sweep()).toBe(0);
    const due = await waitingUntil(times, { keyRefused: refusedUntil(NOW_MS) });
    expect(await due.sweep()).toBe(1);
  });
});

describe('records whose cause of waiting goes on', () => {
  it.each(['worker-gone', 'HUBSPOT_DAILY_LIMIT', 'HUBSPOT_REFUSES', 'HUBSPOT_NOT_FOUND'] as const)(
    'keep their time, although HubSpot answers and the key works: %s',
    async (reason) => {
      const { sweep, untilMs } = await waitingUntil([NOW_MS + HOUR_MS], { reason });
      expect(await sweep()).toBe(0);
      expect(await untilMs(0)).toBe(NOW_MS + HOUR_MS);
    },
  );

  it('keep their time until HubSpot answers', async () => {
    const { sweep } = await waitingUntil([NOW_MS + HOUR_MS], { reason: 'HTTP_TIMEOUT' });
    expect(await sweep(false)).toBe(0);
    expect(await sweep(true)).toBe(1);
  });
});
