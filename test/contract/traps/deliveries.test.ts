import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseWebhookEvent } from '#shared/hubspot';
import { sortEvents } from '../../../functions/receive-webhook/sort-events.ts';
import { bundleAll } from '../../harness/bundle.ts';
import { oneQueue } from '../../harness/one-queue.ts';
import { createDesk, delivery, event } from '../../unit/functions/receive-webhook/deliveries.ts';
import { openPortal } from './portal.ts';

const change = (more: object = {}) =>
  event({
    subscriptionType: 'object.propertyChange',
    propertyName: 'email',
    propertyValue: 'a@b.example',
    ...more,
  });

it('trap 08: a body is a list of up to a hundred events of every kind', async () => {
  const { receive, queued } = createDesk();
  const kinds = [
    (objectId: number) => event({ objectId }),
    (objectId: number) => event({ objectId, subscriptionType: 'company.creation' }),
    (objectId: number) => change({ objectId }),
    (objectId: number) => event({ objectId, subscriptionType: 'object.deletion' }),
  ];
  const events = Array.from({ length: 100 }, (_, index) => kinds[index % kinds.length]?.(index + 1));
  expect((await receive(delivery({ body: JSON.stringify(events) }))).statusCode).toBe(200);
  expect(queued().length).toBe(100);
  const single = await receive(delivery({ body: JSON.stringify(event()) }));
  expect(single.statusCode).toBe(400);
});

it('trap 09: the receiver sends ids to a queue, once, and can neither ask nor write', async () => {
  const sends: unknown[] = [];
  const { receive } = createDesk({
    queues: oneQueue({ send: async (messages: unknown) => void sends.push(messages) }),
  });
  const events = Array.from({ length: 100 }, (_, index) => event({ objectId: index + 1 }));
  await receive(delivery({ body: JSON.stringify(events) }));
  expect(sends.length).toBe(1);
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const { handler } = await bundleAll({
    entries: { handler: 'functions/receive-webhook/handler.ts' },
    folder,
  });
  rmSync(folder, { recursive: true });
  expect(handler.modules).toContain('functions/receive-webhook/handler.ts');
  expect(
    handler.modules.filter((path) => /shared\/(?:data-service|questions|enrichment|http)\//.test(path)),
  ).toEqual([]);
});

it('trap 10: what is not for us is answered 200, because HubSpot repeats a 4xx ten times', async () => {
  const { receive, queued } = createDesk({ portalId: '62515' });
  const useless = [
    event({ subscriptionType: 'deal.creation' }),
    event({ objectTypeId: '0-3' }),
    event({ portalId: 1 }),
    change({ propertyName: 'hs_analytics_source' }),
    { objectId: 'odd' },
    null,
  ];
  expect((await receive(delivery({ body: JSON.stringify(useless) }))).statusCode).toBe(200);
  expect(queued()).toEqual([]);
});

it('trap 11: a repeated event is known by what it says, not by its id or attempt alone', () => {
  const one = event({ eventId: 7, objectId: 1 });
  const again = { ...one, attemptNumber: 4 };
  const sameId = event({ eventId: 7, objectId: 2 });
  const { messages, counts } = sortEvents([one, again, sameId], {});
  expect(messages.map(({ id }) => id)).toEqual(['1', '2']);
  expect(counts).toEqual({ queued: 2, 'ignored-duplicate': 1 });
});

it('trap 12: neither order nor value of an event is trusted: a message says only which record to read', () => {
  const events = [
    change({ occurredAt: 2_000, propertyValue: 'new@b.example' }),
    change({ occurredAt: 1_000 }),
  ];
  const [forwards] = sortEvents(events, {}).messages;
  const [backwards] = sortEvents(events.toReversed(), {}).messages;
  expect(forwards).toMatchObject({ id: '101', purpose: 'live' });
  expect(JSON.stringify([forwards, backwards])).not.toContain('b.example');
  expect([...(forwards?.eventKeys ?? [])].sort()).toEqual([...(backwards?.eventKeys ?? [])].sort());
});

it('trap 15: the number of an event and the text of an answer are one id', async () => {
  const portal = openPortal();
  const id = await portal.person('create', { objectType: 'contact', properties: { jobtitle: 'Potter' } });
  const parsed = parseWebhookEvent(event({ objectId: Number(id) }));
  const told = parsed.kind === 'event' ? parsed.event.objectId : '';
  expect(Number(id)).toBeGreaterThan(2 ** 32);
  const ask = { objectType: 'contacts', ids: [told], properties: ['jobtitle'] } as const;
  expect((await portal.client().readBatch(ask)).byAskedId.get(told)?.id).toBe(id);
});

it.each([
  ['a new id', 900, ['101', '102']],
  ['the primary’s id kept', 101, ['102']],
])(
  'trap 30: a merge with %s queues the record that remains, and nothing for the losers',
  (_, winner, losers) => {
    const merge = event({
      subscriptionType: 'object.merge',
      objectId: winner,
      primaryObjectId: 101,
      mergedObjectIds: [102],
      newObjectId: winner,
    });
    const late = event({ subscriptionType: 'object.deletion', objectId: 102 });
    const { messages } = sortEvents([change({ objectId: 102 }), late, merge], {});
    expect(messages).toMatchObject([{ id: String(winner), mergedIds: losers }]);
    expect(messages[0]).not.toHaveProperty('gone');
    const [restored] = sortEvents([event({ subscriptionType: 'object.restore' })], {}).messages;
    expect(restored).toMatchObject({ id: '101', purpose: 'live' });
  },
);

it('trap 31: a privacy deletion always gets through, and outlasts whatever comes with it', () => {
  const wish = event({
    subscriptionType: 'contact.privacyDeletion',
    changeSource: 'INTEGRATION',
    sourceId: '7001',
  });
  const others = [event(), event({ subscriptionType: 'contact.deletion' }), change()];
  for (const events of [
    [wish, ...others],
    [...others, wish],
  ]) {
    const { messages } = sortEvents(events, { ownAppId: '7001' });
    expect(messages).toMatchObject([{ id: '101', gone: 'forgotten' }]);
  }
});
