import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { join } from '#inside/work-queue/coalesce.ts';
import {
  coalesce,
  decodeMessage,
  encodeMessage,
  inRounds,
  type Job,
  type Pace,
  sortJobs,
  type WorkMessage,
  workerLanes,
  workPaceFor,
} from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';

const MESSAGE: WorkMessage = {
  objectType: 'companies',
  id: '546500000001',
  purpose: 'refresh',
  eventKeys: ['62515:object.creation@companies:1:2:3'],
  portalId: '62515',
};

function changed(more: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(encodeMessage(MESSAGE)), ...more });
}

describe('a message', () => {
  it('comes back as it went in', () => {
    expect(decodeMessage(encodeMessage(MESSAGE))).toEqual(MESSAGE);
    expect(decodeMessage(encodeMessage({ ...MESSAGE, eventKeys: [] }))).toEqual({
      ...MESSAGE,
      eventKeys: [],
    });
  });

  it('carries nothing but ids', () => {
    expect(decodeMessage(changed({ email: 'jane@acme.example' }))).toEqual(MESSAGE);
  });

  it('carries its asker, and no more of one in an unknown form', () => {
    const asked = { ...MESSAGE, askedBy: 'user:42' };
    expect(decodeMessage(encodeMessage(asked))).toEqual(asked);
    expect(decodeMessage(changed({ askedBy: 'user:jane@acme.example' }))).toEqual({
      ...MESSAGE,
      askedBy: 'user',
    });
    for (const askedBy of [7, null, 'jane@acme.example', ['user:42']])
      expect(decodeMessage(changed({ askedBy }))).toEqual(MESSAGE);
  });

  it.each([
    '',
    'text',
    '7',
    'null',
    '[]',
    '"a"',
    '{}',
    changed({ version: 2 }),
    changed({ version: '1' }),
    changed({ objectType: 'deals' }),
    changed({ objectType: 'constructor' }),
    changed({ id: 7 }),
    changed({ id: '' }),
    changed({ id: '7#8' }),
    changed({ id: '7'.repeat(21) }),
    changed({ purpose: 'fun' }),
    changed({ purpose: null }),
    changed({ eventKeys: 'a' }),
    changed({ eventKeys: [1] }),
    changed({ eventKeys: undefined }),
    changed({ portalId: 62_515 }),
    changed({ portalId: 'x' }),
    changed({ portalId: null }),
  ])('%j is none of ours', (body) => {
    expect(decodeMessage(body)).toBeUndefined();
  });
});

function message(more: Partial<WorkMessage> = {}): WorkMessage {
  return { objectType: 'contacts', id: '1', purpose: 'live', eventKeys: ['a'], ...more };
}

function batch(...bodies: (WorkMessage | string)[]) {
  return bodies.map((body, index) => ({
    messageId: `m${index + 1}`,
    body: typeof body === 'string' ? body : encodeMessage(body),
  }));
}

describe('coalesce', () => {
  it('keeps records of two portals with one id apart', () => {
    const [ours, theirs] = [message({ portalId: '1' }), message({ portalId: '2', gone: 'forgotten' })];
    expect(coalesce(batch(ours, theirs, ours)).jobs).toEqual([
      { message: ours, messageIds: ['m1', 'm3'] },
      { message: theirs, messageIds: ['m2'] },
    ]);
  });

  it('keeps requests with different prices apart', () => {
    const priced = (maxCredits: number, key: string) =>
      message({ purpose: 'manual', asked: { maxCredits }, eventKeys: [key] });
    const { jobs } = coalesce(batch(message(), priced(2, 'b'), priced(3, 'c'), priced(2, 'd')));
    expect(jobs.map(({ message: { asked, eventKeys } }) => [asked?.maxCredits, eventKeys])).toEqual([
      [undefined, ['a']],
      [2, ['b', 'd']],
      [3, ['c']],
    ]);
    const erased = { message: message({ gone: 'forgotten' }), messageIds: ['m5'] };
    const rounds = inRounds([...jobs.slice(1), erased]);
    expect(
      rounds.map((round) => round.map(({ message: { gone, asked } }) => gone ?? asked?.maxCredits)),
    ).toEqual([['forgotten'], [2], [3]]);
  });

  it('names the messages that cannot be read, and no other', () => {
    const { jobs, malformed } = coalesce(batch('{', message(), 'null'));
    expect(malformed).toEqual(['m1', 'm3']);
    expect(jobs.map(({ messageIds }) => messageIds)).toEqual([['m2']]);
  });

  it.each([
    ['manual', 'live', 'manual'],
    ['live', 'refresh', 'live'],
    ['refresh', 'backfill', 'refresh'],
    ['backfill', 'manual', 'manual'],
    ['live', 'live', 'live'],
  ] as const)('%s and %s together are %s', (one, other, joined) => {
    expect(join(message({ purpose: one }), message({ purpose: other })).purpose).toBe(joined);
    expect(join(message({ purpose: other }), message({ purpose: one })).purpose).toBe(joined);
  });

  it.each([
    [undefined, 'deleted', 'deleted'],
    ['deleted', 'forgotten', 'forgotten'],
    [undefined, 'forgotten', 'forgotten'],
    [undefined, undefined, undefined],
  ] as const)('%s and %s together are %s, in any order', (one, other, joined) => {
    expect(join(message({ gone: one }), message({ gone: other })).gone).toBe(joined);
    expect(join(message({ gone: other }), message({ gone: one })).gone).toBe(joined);
  });

  it('keeps a message far below the queue’s size, and lets no new event look like a known one', () => {
    const keys = Array.from(
      { length: 5_000 },
      (_, index) => `62515:object.propertyChange:1:${index}:2:email`,
    );
    const [whole, less] = [keys, keys.slice(0, -1)].map((eventKeys) =>
      join(message({ eventKeys }), message({ eventKeys })),
    );
    expect(encodeMessage(whole ?? message()).length).toBeLessThan(20_000);
    expect(whole?.eventKeys.length).toBe(100);
    expect(whole?.eventKeys).not.toEqual(less?.eventKeys);
    expect(join(message({ eventKeys: keys }), message()).eventKeys).toEqual(
      join(message({ eventKeys: keys }), message()).eventKeys,
    );
  });
});

describe('merges', () => {
  const merge = message({ id: '9', mergedIds: ['1', '2'], eventKeys: ['m'] });

  it.each([
    ['after', [merge, message({ gone: 'deleted' }), message({ id: '2', eventKeys: ['b'] })]],
    ['before', [message({ gone: 'deleted' }), message({ id: '2', eventKeys: ['b'] }), merge]],
  ])('take over the work of the losers that came %s them', (_, messages) => {
    const { jobs } = coalesce(batch(...messages));
    expect(jobs.length).toBe(1);
    expect(jobs[0]?.message).toMatchObject({ id: '9', mergedIds: ['1', '2'] });
    expect(jobs[0]?.message.gone).toBeUndefined();
    expect(jobs[0]?.messageIds.length).toBe(3);
    expect([...(jobs[0]?.message.eventKeys ?? [])].sort()).toEqual(['a', 'b', 'm']);
  });

  it('of merges end at the record that remains', () => {
    const later = message({ id: '20', mergedIds: ['9', '10'] });
    const { jobs } = coalesce(batch(merge, message(), later));
    expect(jobs.map((job) => job.message.id)).toEqual(['20']);
    expect([...(jobs[0]?.message.mergedIds ?? [])].sort()).toEqual(['1', '10', '2', '9']);
  });

  it('leave the wish to be forgotten with the id it was made for', () => {
    const { jobs } = coalesce(batch(message({ gone: 'forgotten' }), merge));
    expect(jobs.map(({ message: { id, gone } }) => [id, gone])).toEqual([
      ['1', 'forgotten'],
      ['9', undefined],
    ]);
  });

  it('do not touch records of the other type, and survive a circle', () => {
    expect(coalesce(batch(merge, message({ objectType: 'companies' }))).jobs.length).toBe(2);
    const circle = [message({ mergedIds: ['2'] }), message({ id: '2', mergedIds: ['1'] })];
    expect(coalesce(batch(...circle)).jobs.length).toBe(2);
  });
});

function job(messageId: string, more: Partial<WorkMessage> = {}): Job {
  const message = {
    objectType: 'contacts',
    id: '1',
    purpose: 'live',
    eventKeys: [messageId],
    ...more,
  } as const;
  return { message, messageIds: [messageId] };
}

const TOLD = [job('a', { portalId: '1' }), job('b', { portalId: '2', gone: 'forgotten' })];

describe('sortJobs', () => {
  it('joins a wish of ours to what our portal told, and nothing to what another one told', () => {
    const { own, foreign, undecided } = sortJobs([...TOLD, job('c', { purpose: 'manual' })], '1');
    expect(own).toEqual([
      {
        message: { objectType: 'contacts', id: '1', purpose: 'manual', eventKeys: ['a', 'c'] },
        messageIds: ['a', 'c'],
      },
    ]);
    expect(foreign).toEqual([TOLD[1]]);
    expect(undecided).toEqual([]);
  });

  it('decides nothing about what some portal told while ours is not known', () => {
    const wish = job('c');
    expect(sortJobs([...TOLD, wish], undefined)).toEqual({ own: [wish], foreign: [], undecided: TOLD });
  });
});

/** Seconds that an invocation has no use for slots: the data service's answer and the write to HubSpot. */
const OVERHEAD_S = 5;

describe('sizes that follow the rate of the data service', () => {
  it.each([
    [20, { batches: [5, 5, 5], workers: 6, queued: [40, 40, 400], dueInSweep: 500 }],
    [100, { batches: [10, 10, 17], workers: 6, queued: [200, 200, 500], dueInSweep: 500 }],
    [300, { batches: [10, 10, 50], workers: 6, queued: [600, 600, 1_500], dueInSweep: 600 }],
    [600, { batches: [10, 10, 100], workers: 6, queued: [1_200, 1_200, 3_000], dueInSweep: 1_200 }],
    [1_000, { batches: [10, 10, 100], workers: 8, queued: [2_000, 2_000, 5_000], dueInSweep: 2_000 }],
  ])('at %d requests a minute', (rate, expected) => {
    expect(shown(workPaceFor(rate))).toEqual(expected);
  });

  it('name a lane for each worker, the urgent one first', () => {
    expect(workerLanes(workPaceFor(20))).toEqual(['urgent', 'urgent', 'live', 'live', 'bulk', 'bulk']);
  });

  it('keep all but one bulk invocation busy while one waits, keep within HubSpot and SQS, and never shrink with the rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (rate) => {
        const { sources, queued, dueInSweep } = workPaceFor(rate);
        const { batchSize, concurrency } = sources.bulk;
        expect((batchSize * (concurrency - 1)) / (rate / 60)).toBeGreaterThanOrEqual(OVERHEAD_S);
        expect(batchSize).toBeLessThanOrEqual(100);
        expect(Math.max(sources.live.batchSize, sources.urgent.batchSize)).toBeLessThanOrEqual(10);
        expect(Math.min(...Object.values(sources).map((source) => source.concurrency))).toBeGreaterThan(1);
        const faster = workPaceFor(rate + 1);
        expect(faster.queued.bulk).toBeGreaterThanOrEqual(queued.bulk);
        expect(faster.dueInSweep).toBeGreaterThanOrEqual(dueInSweep);
        // A sweep comes every minute, and what it admits must last until the next one.
        expect(Math.min(queued.live, queued.bulk, dueInSweep)).toBeGreaterThan(rate);
      }),
    );
  });
});

function shown({ sources, queued, dueInSweep }: Pace) {
  const lanes = [sources.urgent, sources.live, sources.bulk];
  return {
    batches: lanes.map(({ batchSize }) => batchSize),
    workers: workerLanes({ sources, queued, dueInSweep }).length,
    queued: [queued.urgent, queued.live, queued.bulk],
    dueInSweep,
  };
}

const QUEUE_URL = 'https://sqs.example/live';

function messages(count: number): WorkMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    objectType: 'contacts',
    id: String(index + 1),
    purpose: 'live',
    eventKeys: [],
  }));
}

/** Takes batches as SQS does; refuses the records named. */
function fakeSqs(refusedIds: readonly string[] = []) {
  const batches: string[][] = [];
  const client: Pick<SQSClient, 'send'> = {
    send: async ({ input }: SendMessageBatchCommand) => {
      const entries = input.Entries ?? [];
      expect(input.QueueUrl).toBe(QUEUE_URL);
      expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
      const ids = entries.map(({ MessageBody = '' }) => decodeMessage(MessageBody)?.id ?? '');
      batches.push(ids);
      const Failed = ids.flatMap((id, index) =>
        refusedIds.includes(id)
          ? [{ Id: entries[index]?.Id, Code: 'InternalError', SenderFault: false }]
          : [],
      );
      return { Failed };
    },
  };
  return { batches, queue: createSqsQueue({ client: client as SQSClient, queueUrl: QUEUE_URL }) };
}

describe('the SQS queue', () => {
  it('fails when any message is refused', async () => {
    const { queue } = fakeSqs(['14']);
    await expect(queue.send(messages(23))).rejects.toMatchObject({ code: 'QUEUE_REFUSED', retryable: true });
  });

  it('leaves no batch unsent or under way when another one fails', async () => {
    const { queue, batches } = fakeSqs(['1']);
    await expect(queue.send(messages(100))).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
    expect(batches.flat().length).toBe(100);
  });
});
