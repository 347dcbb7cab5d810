import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import { TOKEN } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const RULE = {
  objectType: 'contact',
  requires: 'fax',
  when: { property: 'lifecyclestage', values: ['lead'] },
} as const;

const OTHER = { label: 'Other', value: 'other', displayOrder: 0, hidden: false };

/** What the account's administrator does to an enumeration. */
async function setOptions(world: World, property: string, options: readonly object[]): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const init = { method: 'PATCH', headers, body: JSON.stringify({ options }) };
  const path = `/crm/properties/2026-09/contacts/${property}`;
  const changed = await world.portal.sandbox.handle(new Request(`${HUBSPOT_URL}${path}`, init));
  expect(changed.status).toBe(200);
}

async function leads(world: World, count: number, from = 0) {
  const made = [];
  for (let index = from; index < from + count; index += 1)
    made.push(await contact(world, index, { lifecyclestage: 'lead' }));
  return made;
}

async function ruledWorld() {
  const world = await createWorld();
  await world.portal.change({ writeRules: [RULE] });
  return world;
}

const waitingReasons = async (world: World) =>
  (await world.states()).flatMap(({ waiting }) => waiting?.reason ?? []);

describe('what HubSpot does not take', () => {
  it('waits with the reason, and is written without paying again when the rule is lifted', async () => {
    const world = await ruledWorld();
    const [record] = await leads(world, 1);
    if (!record) throw new Error('no record');
    await settleDown(world);
    const charged = world.charged();
    expect(charged).toBeGreaterThan(0);
    expect((await world.state(record))?.waiting).toMatchObject({
      reason: 'HUBSPOT_REFUSES',
      detail: expect.stringContaining('MISSING_CONDITIONAL_REQUIRED_PROPERTY (fax)'),
    });
    await liveOn(world, { forMs: DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await waitingReasons(world)).toEqual(['HUBSPOT_REFUSES']);
    await world.portal.change({ writeRules: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await world.portal.properties(record)).toMatchObject({
      firstname: somePerson(world).firstName,
      enrichment_status: 'enriched',
    });
    expect(world.charged()).toBe(charged);
    expect(world.wire.questions().length).toBe(1);
    expect(await isDrained(world)).toBe(true);
  });

  it('does not keep a run open for what an earlier attempt had, and somebody has typed meanwhile', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    await world.portal.create('contacts', { email: job.email ?? '' }, [], { source: 'IMPORT' });
    await world.portal.change({ faults: [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }] });
    const record = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
    });
    await settleDown(world);
    await world.portal.edit(record, { jobtitle: 'by hand' });
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await isDrained(world)).toBe(true);
  });

  it('is tried more and more seldom, and given up when the answer is too old', async () => {
    const world = await ruledWorld();
    const [record] = await leads(world, 1);
    if (!record) throw new Error('no record');
    await settleDown(world);
    const writes = () => world.wire.writes().length;
    await liveOn(world, { forMs: DAY_MS, everyMs: 2 * HOUR_MS });
    expect(writes()).toBeLessThan(12);
    await liveOn(world, { forMs: 185 * DAY_MS, everyMs: 2 * DAY_MS });
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'failed' });
    expect(world.wire.questions().length).toBe(1);
  });

  it('after three bought records lets one an hour be bought, until a write succeeds', async () => {
    const world = await ruledWorld();
    for (let index = 0; index < 6; index += 1) {
      await leads(world, 1, index);
      await settleDown(world);
    }
    expect(world.wire.questions().length).toBe(3);
    await liveOn(world, { forMs: 50 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    expect(world.wire.questions().length).toBe(3);
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(world.wire.questions().length).toBe(4);
    await world.portal.change({ writeRules: [] });
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await isDrained(world)).toBe(true);
    expect((await world.states()).map(({ outcome }) => outcome?.kind)).toEqual(Array(6).fill('enriched'));
    expect(world.wire.questions().length).toBe(6);
  });

  it('of one record alone, however often it is tried, keeps no other from being bought', async () => {
    const world = await ruledWorld();
    await leads(world, 1);
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await waitingReasons(world)).toEqual(['HUBSPOT_REFUSES']);
    const fresh = await contact(world, 1);
    await settleDown(world);
    expect((await world.state(fresh))?.outcome).toMatchObject({ kind: 'enriched' });
  });

  it('for a rule of some records holds the others until one of them is written', async () => {
    const world = await ruledWorld();
    await leads(world, 3);
    await settleDown(world);
    const customer = await contact(world, 6, { lifecyclestage: 'customer' });
    const other = await contact(world, 7, { lifecyclestage: 'customer' });
    const company = await world.portal.create('companies', { domain: someCompany(world, 8).domains[0] });
    await liveOn(world, { forMs: 2 * MINUTE_MS });
    const outcomes = async () => {
      const states = await Promise.all([customer, other].map((record) => world.state(record)));
      return states.map((state) => state?.outcome?.kind ?? state?.waiting?.reason);
    };
    expect(await outcomes()).toEqual(['HUBSPOT_REFUSES', 'HUBSPOT_REFUSES']);
    expect((await world.state(company))?.outcome?.kind).toBe('enriched');
    expect((await world.state(customer))?.waiting?.detail).toContain(
      'MISSING_CONDITIONAL_REQUIRED_PROPERTY (fax)',
    );
    await liveOn(world, { forMs: 2 * HOUR_MS + 10 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    expect(await outcomes()).toEqual(['enriched', 'enriched']);
  });

  it('as for a scope that is missing', async () => {
    const world = await createWorld();
    await world.portal.change({ scopes: ['crm.objects.contacts.read', 'crm.objects.companies.read'] });
    for (let index = 0; index < 5; index += 1) {
      await contact(world, index);
      await settleDown(world);
    }
    expect(world.wire.questions().length).toBe(3);
    expect(new Set(await waitingReasons(world))).toEqual(new Set(['HUBSPOT_FORBIDDEN', 'HUBSPOT_REFUSES']));
  });

  it('of one value keeps the others from nothing, and is written when it can be', async () => {
    const world = await createWorld();
    const options = (await world.services.crm.definitions('contacts')).get('hs_seniority')?.options ?? [];
    const kept = options.map((each, displayOrder) => ({ ...each, displayOrder, hidden: false }));
    const record = await contact(world, 0);
    const whileAsking = world.clock
      .sleep(2 * SECOND_MS)
      .then(() => setOptions(world, 'hs_seniority', [OTHER]));
    await settleDown(world);
    await whileAsking;
    const charged = world.charged();
    expect(await world.portal.properties(record)).toMatchObject({ firstname: somePerson(world).firstName });
    expect((await world.state(record))?.waiting?.detail).toContain('hs_seniority: INVALID_OPTION');
    await setOptions(world, 'hs_seniority', kept);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.portal.properties(record)).toHaveProperty('hs_seniority');
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched' });
    expect(world.charged()).toBe(charged);
  });

  it('is no reason to leave out a value where it is only the status', async () => {
    const world = await createWorld();
    const [record] = [await contact(world)];
    await setOptions(world, 'enrichment_status', [OTHER]);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ firstname: somePerson(world).firstName });
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched' });
  });
});

describe('what somebody had filled and then emptied', () => {
  it('stays empty at later looks, although we never wrote it, until somebody asks', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { jobtitle: 'My own title' });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'My own title' });
    await world.portal.edit(record, { jobtitle: '' });
    await liveOn(world, { forMs: 200 * DAY_MS, everyMs: 20 * DAY_MS });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect(world.wire.questions().length).toBe(2);
    expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
  });

  it('while we ask, also where somebody asked for the record', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { jobtitle: 'My own title', enrichment_requested: 'true' });
    const emptied = world.clock.sleep(2 * SECOND_MS).then(() => world.portal.edit(record, { jobtitle: '' }));
    await settleDown(world);
    await emptied;
    const { jobtitle = '', firstname } = await world.portal.properties(record);
    expect([jobtitle, firstname]).toEqual(['', somePerson(world).firstName]);
  });
});
