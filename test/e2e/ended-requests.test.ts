import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { contact, someCompany } from '../builders/people.ts';
import { liveOn, settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

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
