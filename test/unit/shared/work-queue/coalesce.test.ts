import { describe, expect, it } from 'vitest';
import { join } from '#inside/work-queue/coalesce.ts';
import { coalesce, encodeMessage, inRounds, type WorkMessage } from '#shared/work-queue';

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
