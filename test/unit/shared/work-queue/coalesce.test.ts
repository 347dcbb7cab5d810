import { describe, expect, it } from 'vitest';
import { coalesce, join } from '../../../../shared/work-queue/coalesce.ts';
import { encodeMessage, type WorkMessage } from '../../../../shared/work-queue/message.ts';
import { failedMessages } from '../../../../shared/work-queue/settle-batch.ts';

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
  it('joins the messages of one record and keeps all their ids', () => {
    const { jobs, malformed } = coalesce(
      batch(message(), message({ id: '2' }), message({ eventKeys: ['b', 'a'] })),
    );
    expect(jobs).toEqual([
      { message: message({ eventKeys: ['a', 'b'] }), messageIds: ['m1', 'm3'] },
      { message: message({ id: '2' }), messageIds: ['m2'] },
    ]);
    expect(malformed).toEqual([]);
  });

  it('keeps a contact and a company of one id apart', () => {
    expect(coalesce(batch(message(), message({ objectType: 'companies' }))).jobs.length).toBe(2);
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
});

it('failedMessages names each message once', () => {
  expect(failedMessages(['m1', 'm2', 'm1'])).toEqual({
    batchItemFailures: [{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }],
  });
});
