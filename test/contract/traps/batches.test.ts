import { expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { coalesce, encodeMessage } from '#shared/work-queue';
import type { PortalState } from '../../../infra/sandbox/hubspot/state.ts';
import { contact } from '../../harness/people.ts';
import { liveOn, settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { contactsIn, openPortal } from './portal.ts';
import { filesIn } from './sources.ts';

const contacts = { objectType: 'contacts' } as const;

it('trap 16: no batch names a record twice', async () => {
  const portal = openPortal();
  const [id = ''] = await contactsIn(portal, 1);
  const { found } = await portal.client().readBatch({ ...contacts, ids: [id, id, id], properties: [] });
  expect(found.length).toBe(1);
  const update = { id, properties: { city: 'Ulm' } };
  const twice = portal.client().updateBatch({ ...contacts, updates: [update, update] });
  await expect(twice).rejects.toThrow();
  const message = { objectType: 'contacts', id, purpose: 'live', eventKeys: [] } as const;
  const bodies = [message, message].map((one) => encodeMessage(one));
  expect(coalesce(bodies.map((body, index) => ({ messageId: `m${index}`, body }))).jobs.length).toBe(1);
});

it.each([
  ['is named in a 207', ['create', 'update'] as const],
  ['fails the whole batch', [] as const],
])('trap 17: a bad value that %s costs its own record only', async (_, partialBatches) => {
  const rule = { objectType: 'contact', requires: 'fax' } as const;
  const when = { property: 'lifecyclestage', values: ['customer'] };
  const world = await createWorld({ hubSpot: { partialBatches, writeRules: [{ ...rule, when }] } });
  const free = [
    await contact(world, 0),
    await contact(world, 1),
    await contact(world, 2),
    await contact(world, 3),
  ];
  const ruled = await contact(world, 4, { lifecyclestage: 'customer', fax: '+1 415 555 0100' });
  await world.portal.edit(ruled, { fax: '' });
  await settleDown(world);
  const outcomes = await Promise.all(free.map(async (each) => (await world.state(each))?.outcome?.kind));
  expect(outcomes).toEqual(free.map(() => 'enriched'));
  expect((await world.state(ruled))?.waiting?.params?.['why']).toContain(
    'MISSING_CONDITIONAL_REQUIRED_PROPERTY',
  );
});

it('trap 18: history is asked for fifty records at a time', async () => {
  const portal = openPortal();
  const ids = await contactsIn(portal, 120);
  const ask = { ...contacts, ids, properties: ['jobtitle'] };
  const { byAskedId } = await portal.client().readHistory(ask);
  expect(byAskedId.size).toBe(120);
  expect(byAskedId.get(ids[0] ?? '')?.['jobtitle']?.[0]).toMatchObject({
    value: 'Potter',
    sourceType: 'CRM_UI',
    sourceId: 'userId:1001',
  });
  expect(portal.bodies('batch/read').map(({ inputs }) => inputs.length)).toEqual([50, 50, 20]);
});

it('trap 25: an admin rule about another property keeps that record alone waiting, with the reason, and nothing is paid twice', async () => {
  const rule = { objectType: 'contact', requires: 'fax' } as const;
  const when = { property: 'lifecyclestage', values: ['customer'] };
  const world = await createWorld({ hubSpot: { writeRules: [{ ...rule, when }] } });
  const ruled = await contact(world, 0, { lifecyclestage: 'customer', fax: '+1 415 555 0100' });
  const free = await contact(world, 1);
  await world.portal.edit(ruled, { fax: '' });
  await settleDown(world);
  const waits = {
    reason: 'HUBSPOT_REFUSES',
    detail: 'HubSpot refuses the bought values: MISSING_CONDITIONAL_REQUIRED_PROPERTY (fax).',
  };
  expect((await world.state(ruled))?.waiting).toMatchObject(waits);
  expect((await world.state(free))?.outcome?.kind).toBe('enriched');
  // Nothing is filled in to please the rule.
  expect(await world.portal.properties(ruled)).not.toHaveProperty('fax');
  const charged = world.charged();
  await liveOn(world, { forMs: HOUR_MS });
  expect(world.charged()).toBe(charged);
  expect((await world.state(ruled))?.waiting).toMatchObject(waits);
});

it('trap 27: only companies are ever created, in one place, and of workers side by side by one', async () => {
  const world = await createWorld({ policy: { associate: 'create' }, hubSpot: { searchDelayMs: HOUR_MS } });
  const [first, ...others] = world.dataService.world.people.filter(({ job }) => job.email !== undefined);
  const domain = first?.job.company.domains[0];
  const team = [first, ...others.filter(({ job }) => job.company.domains[0] === domain).slice(0, 5)];
  for (const each of team) await world.portal.create('contacts', { email: each?.job.email ?? '' });
  await settleDown(world, { workers: 2 });
  await liveOn(world, { forMs: HOUR_MS });
  const { records, associations } = world.portal.sandbox.state() as PortalState;
  const companies = Object.values(records['0-2']);
  expect(team.length).toBeGreaterThan(2);
  expect(companies.map(({ values }) => values['domain'])).toEqual([domain]);
  expect(associations.length).toBe(team.length);
  const creating = ['functions', 'shared']
    .flatMap((folder) => filesIn(folder))
    .filter(({ text }) => /BatchApiRequestFactory\([^)]*\)\s*\.(?:create|upsert|archive)\b/.test(text));
  expect(creating.map(({ path }) => path)).toEqual(['shared/hubspot/create-record.ts']);
});

it('trap 28: records are read and written by their ids alone, never by a domain or an address', async () => {
  const portal = openPortal();
  const [id = ''] = await contactsIn(portal, 1);
  const client = portal.client();
  await client.readBatch({ ...contacts, ids: [id], properties: ['email'] });
  await client.updateBatch({ ...contacts, updates: [{ id, properties: { city: 'Ulm' } }] });
  expect(portal.requests.length).toBe(2);
  for (const { url, body } of portal.requests) expect(`${url} ${body}`).not.toContain('idProperty');
});

it.each([true, false])(
  'trap 29: a record that was merged away is read under its old id and never written under it, primary id kept: %j',
  async (mergeKeepsPrimaryId) => {
    const portal = openPortal({ mergeKeepsPrimaryId });
    const [primary = '', other = '', third = ''] = await contactsIn(portal, 3);
    const merge = { objectType: 'contact', primaryObjectId: primary, objectIdToMerge: other };
    const winner = await portal.person('merge', merge);
    expect(winner === primary).toBe(mergeKeepsPrimaryId);
    const client = portal.client();
    const { byAskedId, missing } = await client.readBatch({
      ...contacts,
      ids: [primary, other, third],
      properties: [],
    });
    expect([primary, other, third].map((id) => byAskedId.get(id)?.id)).toEqual([winner, winner, third]);
    expect(missing).toEqual([]);
    const updates = [other, third].map((id) => ({ id, properties: { city: 'Ulm' } }));
    const attempt = await client.updateBatch({ ...contacts, updates });
    if (attempt.kind === 'failed') throw attempt.error;
    const { updated, failed } = attempt;
    expect(updated.map(({ id }) => id)).toEqual([third]);
    expect(failed).toMatchObject([{ id: other, category: 'OBJECT_NOT_FOUND', retryable: false }]);
  },
);
