import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { liveOn, settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const RULES = [
  { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] },
  { name: 'the rest', enrich: false },
];
const POLICY = { whom: { contacts: RULES, companies: RULES } };

const AUTHORS = [
  { source: 'AUTOMATION_PLATFORM', sourceId: '42' },
  { source: 'INTEGRATION', sourceId: '4711' },
  { source: 'IMPORT', sourceId: '9' },
  { source: 'CRM_UI', sourceId: 'userId:7' },
];

/** Each record ends a request without a lookup. */
const RECORDS = {
  'an excluded contact': (world: World) => contact(world),
  'an excluded company': (world: World) =>
    world.portal.create('companies', { domain: someCompany(world, 5).domains[0] }),
  'a contact that was enriched before a rule excluded it': async (world: World) => {
    const record = await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    await world.portal.edit(record, { lifecyclestage: 'lead' });
    return record;
  },
  'a contact without anything to look it up by': (world: World) =>
    world.portal.create('contacts', { lifecyclestage: 'customer' }),
  'a contact that opted out': (world: World) =>
    contact(world, 0, { lifecyclestage: 'customer', hs_contact_enrichment_opt_out: 'true' }),
  'a contact into which another was merged': async (world: World) => {
    const [record, other] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    return world.portal.merge(record, other);
  },
  'a contact that was deleted and restored': async (world: World) => {
    const record = await contact(world);
    await settleDown(world);
    await world.portal.archive(record);
    await settleDown(world);
    await world.portal.restore(record);
    return record;
  },
};

describe.each(Object.entries(RECORDS))('a request for %s', (_, recordIn) => {
  it.each(AUTHORS)('is set back when it ends, so that the next one counts: $source', async (author) => {
    const world = await createWorld({ policy: POLICY });
    const record = await recordIn(world);
    await settleDown(world);
    const charged = world.charged();
    await world.portal.edit(record, { enrichment_requested: 'true' }, author);
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_requested: 'false' });
    expect(world.charged()).toBe(charged);
  });
});

const REQUESTED = { enrichment_requested: 'true' };
const isSetBack = async (world: World, record: RecordName) =>
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_requested: 'false' });

describe('a request that comes with other work', () => {
  it.each(['the record that stays', 'the record that goes'])(
    'is set back after a merge: %s',
    async (which) => {
      const world = await createWorld({ policy: POLICY });
      const [record, other] = [await contact(world), await contact(world, 1)];
      await settleDown(world);
      await world.portal.edit(which === 'the record that stays' ? record : other, REQUESTED, AUTHORS[0]);
      const merged = await world.portal.merge(record, other);
      await liveOn(world, { forMs: 20 * MINUTE_MS });
      await isSetBack(world, merged);
    },
  );

  it('is set back when its backfill stops', async () => {
    const world = await oldPortal(3, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    const [record] = world.people;
    if (!record) throw new Error('no record');
    await world.portal.edit(record, REQUESTED, AUTHORS[0]);
    await command('backfill', 'stop', id, '--yes');
    await liveOn(world, { forMs: 60 * MINUTE_MS });
    await isSetBack(world, record);
  });

  it('is set back where the record is undone meanwhile', async () => {
    const world = await createWorld();
    const record = await contact(world);
    await settleDown(world);
    await world.portal.edit(record, REQUESTED, AUTHORS[0]);
    await undo(world, record);
    await liveOn(world, { forMs: 60 * MINUTE_MS });
    await isSetBack(world, record);
  });
});
