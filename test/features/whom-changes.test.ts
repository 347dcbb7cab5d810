import { expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { WITHOUT_RULE } from '#shared/spend';
import { cardOf, verb } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, someCompany, somePerson } from '../harness/people.ts';
import { applied, compared } from '../harness/policy-change.ts';
import { type ContactRule, changeProperties, ruledWorld, whileAsked } from '../harness/ruled-world.ts';
import {
  isDrained,
  liveOn,
  liveUntilDrained,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  verify,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const THE_REST: ContactRule = { name: 'the rest', enrich: false };

const BY_THE_REST = because('rule-excludes', { rule: 'the rest' });

const NOT_BY_THE_REST = explanationText(BY_THE_REST);

const CUSTOMERS: ContactRule = { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] };

const OF_CUSTOMERS: ContactRule = {
  name: 'people of customers',
  when: [{ companyProperty: 'lifecyclestage', is: 'customer' }],
};

const minutes = (world: World, count: number) =>
  liveOn(world, { forMs: count * MINUTE_MS, everyMs: MINUTE_MS });

it('an answer that arrives after consent was withdrawn is written for free once consent is back', async () => {
  let record: RecordName | undefined;
  const world: World = await ruledWorld(
    { contacts: [CUSTOMERS, THE_REST] },
    {
      through: whileAsked(async () => {
        if (record) await world.portal.edit(record, { lifecyclestage: 'other' });
      }),
    },
  );
  record = await contact(world, 0, { lifecyclestage: 'customer' });
  await minutes(world, 10);
  expect(world.charged()).toBe(3);
  expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', reason: BY_THE_REST });
  const without = await world.portal.properties(record);
  expect(without).toMatchObject({ enrichment_status: 'skipped', enrichment_reason: NOT_BY_THE_REST });
  expect(without['jobtitle']).toBeUndefined();
  await world.portal.edit(record, { lifecyclestage: 'customer' });
  await minutes(world, 10);
  expect(await world.portal.properties(record)).toMatchObject({
    enrichment_status: 'enriched',
    jobtitle: somePerson(world).job.title,
  });
  expect(world.charged()).toBe(3);
});

it('nothing is written to a contact whose company stops being admitted while the question is asked', async () => {
  let company: RecordName | undefined;
  const world: World = await ruledWorld(
    { contacts: [OF_CUSTOMERS, THE_REST], companies: [] },
    {
      through: whileAsked(async () => {
        if (company) await world.portal.edit(company, { lifecyclestage: 'other' });
      }),
    },
  );
  company = await world.portal.create('companies', { name: 'Ours', lifecyclestage: 'customer' });
  const record = await world.portal.create(
    'contacts',
    { hs_linkedin_url: `https://www.linkedin.com/in/${somePerson(world).networkSlug}` },
    [company],
  );
  await minutes(world, 10);
  expect(world.charged()).toBe(3);
  expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', reason: BY_THE_REST });
  expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
});

it('a workflow that sets the lifecycle stage in the second of the creation admits the contact once', async () => {
  const world = await ruledWorld({ contacts: [CUSTOMERS, THE_REST] });
  const record = await contact(world);
  await world.portal.edit(record, { lifecyclestage: 'customer' }, { source: 'AUTOMATION_PLATFORM' });
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  // The same, set by a workflow while the creation is worked on.
  const late = await contact(world, 1);
  await Promise.all([
    settleDown(world),
    world.portal.edit(late, { lifecyclestage: 'customer' }, { source: 'AUTOMATION_PLATFORM' }),
  ]);
  await minutes(world, 10);
  expect((await world.portal.properties(late))['enrichment_status']).toBe('enriched');
  expect(world.charged()).toBe(6);
  await verify(world);
});

it('a contact is looked up when it is associated with a company that a rule admits', async () => {
  const world = await ruledWorld({ contacts: [OF_CUSTOMERS, THE_REST], companies: [] });
  const domain = someCompany(world, 5).domains[0] ?? '';
  const company = await world.portal.create('companies', { domain, lifecyclestage: 'customer' });
  const record = await settledContact(world);
  expect((await world.state(record))?.outcome?.kind).toBe('skipped');
  await world.portal.associate(record, company);
  await minutes(world, 10);
  expect(world.charged()).toBe(3);
  expect((await world.state(record))?.rule).toBe(OF_CUSTOMERS.name);
});

it('a property that a rule reads may be deleted and restored: records wait, nothing is bought or lost', async () => {
  const tier = { objectType: 'contacts', name: 'tier_of_ours' } as const;
  const rules = [{ name: 'gold', when: [{ property: tier.name, is: 'gold' }] }, THE_REST];
  const world = await ruledWorld({ contacts: rules });
  await changeProperties(world, 'POST', tier);
  const early = await settledContact(world, 0, { [tier.name]: 'gold' });
  expect(world.charged()).toBe(3);
  await changeProperties(world, 'DELETE', tier);
  await world.clock.sleep(HOUR_MS);
  const records = [await contact(world, 1), await contact(world, 2)];
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  for (const record of records)
    expect(await world.state(record)).toMatchObject({ waiting: { reason: 'rule-unreadable' } });
  expect(world.charged()).toBe(3);
  await changeProperties(world, 'POST', tier);
  await world.portal.edit(records[0] as RecordName, { [tier.name]: 'gold' });
  await liveOn(world, { forMs: 4 * HOUR_MS, everyMs: 20 * MINUTE_MS });
  const outcomes = await Promise.all([early, ...records].map((record) => world.state(record)));
  expect(outcomes.map((state) => state?.outcome?.kind)).toEqual(['enriched', 'enriched', 'skipped']);
  expect(world.charged()).toBe(6);
  expect(await isDrained(world)).toBe(true);
});

it.each(['contacts', 'companies'] as const)(
  'a property of %s that was deleted a moment ago lets no record in that a rule keeps out by it',
  async (objectType) => {
    const tier = { objectType, name: 'tier_of_ours' } as const;
    const subject = objectType === 'contacts' ? { property: tier.name } : { companyProperty: tier.name };
    const barred: ContactRule = { name: 'barred', when: [{ ...subject, is: 'no' }], enrich: false };
    const world = await ruledWorld({ contacts: [barred, { name: 'others' }], companies: [] });
    await changeProperties(world, 'POST', tier);
    const company = await world.portal.create('companies', {
      name: 'Ours',
      ...(objectType === 'companies' && { [tier.name]: 'no' }),
    });
    const given = objectType === 'contacts' ? { [tier.name]: 'no' } : {};
    const hs_linkedin_url = (index: number) =>
      `https://www.linkedin.com/in/${somePerson(world, index).networkSlug}`;
    const create = (index: number) =>
      world.portal.create('contacts', { hs_linkedin_url: hs_linkedin_url(index), ...given }, [company]);
    const early = await create(0);
    const next = await create(1);
    await settleDown(world);
    expect((await world.state(early))?.rule).toBe('barred');
    await changeProperties(world, 'DELETE', tier);
    await world.portal.edit(next, { lastname: 'Renamed' });
    await settled(world, world.portal.edit(next, { enrichment_requested: 'true' }));
    expect(world.charged()).toBe(0);
    expect(await world.state(next)).toMatchObject({ waiting: { reason: 'rule-unreadable' } });
    await changeProperties(world, 'POST', tier);
    if (objectType === 'contacts') await world.portal.edit(next, { [tier.name]: 'yes' });
    else await world.portal.edit(company, { [tier.name]: 'yes' });
    await liveOn(world, { forMs: 2 * HOUR_MS, everyMs: 20 * MINUTE_MS });
    expect((await world.state(next))?.rule).toBe('others');
  },
);

it('an answer that waits for HubSpot is not written while the rule cannot be read, and is afterwards', async () => {
  const tier = { objectType: 'contacts', name: 'tier_of_ours' } as const;
  const barred: ContactRule = { name: 'barred', when: [{ property: tier.name, is: 'no' }], enrich: false };
  const world = await ruledWorld({ contacts: [barred, { name: 'others' }] });
  await changeProperties(world, 'POST', tier);
  await world.portal.change({ faults: [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }] });
  const record = await settledContact(world, 0, { [tier.name]: 'yes' });
  await changeProperties(world, 'DELETE', tier);
  await world.portal.change({ faults: [] });
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  expect(await world.state(record)).toMatchObject({ waiting: { reason: 'rule-unreadable' } });
  expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  await changeProperties(world, 'POST', tier);
  await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 20 * MINUTE_MS });
  expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
  expect(world.charged()).toBe(3);
});

it('an answer is not written while the property is gone that a rule reads, and is once it is back', async () => {
  const tier = { objectType: 'contacts', name: 'tier_of_ours' } as const;
  const barred: ContactRule = { name: 'barred', when: [{ property: tier.name, is: 'no' }], enrich: false };
  const world: World = await ruledWorld(
    { contacts: [barred, { name: 'others' }] },
    { through: whileAsked(() => changeProperties(world, 'DELETE', tier)) },
  );
  await changeProperties(world, 'POST', tier);
  const record = await contact(world, 0, { [tier.name]: 'yes' });
  await minutes(world, 10);
  expect(world.charged()).toBe(3);
  expect(await world.state(record)).toMatchObject({ waiting: { reason: 'rule-unreadable' } });
  expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  await changeProperties(world, 'POST', tier);
  await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 20 * MINUTE_MS });
  expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
  expect(world.charged()).toBe(3);
});

it('another policy writes and forecasts nothing for a record whose rule reads a property that is not there', async () => {
  const world = await ruledWorld({ contacts: [{ name: 'others' }] });
  const record = await settledContact(world);
  await world.portal.edit(record, { jobtitle: '' });
  const barred: ContactRule = { name: 'barred', when: [{ property: 'no_such', is: 'no' }], enrich: false };
  const added = { job_function: { from: 'title', convert: 'text', write: 'always' } } as const;
  const change = (contacts: readonly ContactRule[]) => ({
    fields: { contacts: added },
    whom: { contacts: [...contacts] },
  });
  const unread = change([barred, { name: 'others' }]);
  const { nextCycle, writes } = await compared(world, unread);
  expect([nextCycle.after, writes.apply.values]).toEqual([0, 0]);
  expect(await applied(world, unread)).toMatchObject({ written: { values: 0 } });
  expect((await world.state(record))?.rule).toBe('others');
  const read = change([{ name: 'others' }]);
  expect((await compared(world, read)).nextCycle.after).toBeGreaterThan(0);
  expect(await applied(world, read, 'apply-2')).toMatchObject({ written: { values: 1 } });
});

it('a run whose answer grew old while HubSpot refused writes ends once no rule admits its contact', async () => {
  const world = await ruledWorld(
    { contacts: [CUSTOMERS, THE_REST] },
    { policy: { freshness: { contactsDays: 2 } } },
  );
  await world.portal.change({ faults: [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }] });
  const record = await contact(world, 0, { lifecyclestage: 'customer' });
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await liveOn(world, { forMs: 2 * DAY_MS, everyMs: HOUR_MS });
  await world.portal.change({ faults: [] });
  const before = (await world.ledger()).length;
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', reason: BY_THE_REST });
  expect(world.charged()).toBe(3);
  expect(await isDrained(world)).toBe(true);
  expect((await world.ledger()).length - before).toBeLessThan(4);
});

it('a workflow action for a contact that no rule admits completes as skipped with the reason', async () => {
  const world = await ruledWorld({ contacts: [THE_REST] }, { agedMs: DAY_MS });
  const record = await settledContact(world);
  await verb(world, 'enrol', { objectType: 'contacts', ids: [record.id] });
  await minutes(world, 10);
  const { executions } = await verb<{ executions: readonly object[] }>(world, 'executions');
  expect(executions).toEqual([
    expect.objectContaining({
      state: 'completed',
      outputs: expect.objectContaining({ outcome: 'skipped', credits: '0', reason: NOT_BY_THE_REST }),
    }),
  ]);
  expect(world.charged()).toBe(0);
});

it("the card's quote of a contact that no rule admits names the rule, and its request costs nothing", async () => {
  const world = await ruledWorld({ contacts: [THE_REST] }, { agedMs: DAY_MS });
  const record = await settledContact(world);
  const card = cardOf(world, record);
  const quoted = await card.ask({ id: 'card-request-quote', kind: 'quote' });
  expect(quoted.progress).toMatchObject({
    reply: { kind: 'quoted', quote: { credits: 0, code: 'rule-excludes', reason: NOT_BY_THE_REST } },
  });
  const { view } = await card.ask({ id: 'card-request-enrich', kind: 'enrich', maxCredits: 9 });
  expect(view.standing).toMatchObject({
    kind: 'ended',
    outcome: { kind: 'skipped', reason: { code: 'rule-excludes' } },
  });
  expect(world.charged()).toBe(0);
});

it('a stale contact that no rule admits any more is chosen for a refresh once, not each day', async () => {
  const world = await ruledWorld(
    { contacts: [{ name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] }, THE_REST] },
    { policy: { freshness: { contactsDays: 10 } } },
  );
  const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
  const paid = world.charged();
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await refreshAfter(world, 30 * DAY_MS);
  await refreshAfter(world, DAY_MS);
  expect((await world.processes.refresh()).chosen).toBe(0);
  expect(world.charged()).toBe(paid);
  // Once it is admitted again, it is looked up without a refresh.
  await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
  expect(world.charged()).toBeGreaterThan(paid);
});

it('a refresh charges no company that no rule admits', async () => {
  const EACH = 3;
  const stages = ['customer', 'lead', 'other'] as const;
  const world = await ruledWorld(
    {
      companies: [
        { name: 'competitors', when: [{ property: 'lifecyclestage', is: 'other' }], enrich: false },
        { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] },
        { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }] },
      ],
    },
    { policy: { budgets: { perDay: 5_000 } } },
  );
  for (let index = 0; index < EACH * stages.length; index += 1) {
    const domain = someCompany(world, index).domains[0] ?? '';
    const record = await world.portal.create('companies', { domain, lifecyclestage: 'customer' });
    await settleDown(world);
    await world.portal.edit(record, { lifecyclestage: stages[index % stages.length] ?? '' });
  }
  await liveUntilDrained(world, { mostMs: HOUR_MS, everyMs: MINUTE_MS });
  await world.clock.sleep(91 * DAY_MS);
  const paid = world.charged();
  await world.processes.refresh();
  await liveUntilDrained(world, { mostMs: HOUR_MS, everyMs: MINUTE_MS });
  expect(world.charged() - paid).toBe(2 * EACH);
});

const CARD = { id: 'card-request-enrich', kind: 'enrich' } as const;

const DEAR_CUSTOMERS: ContactRule = {
  name: 'customers',
  when: [{ property: 'lifecyclestage', is: 'customer' }],
  maxCredits: 3,
};

it('an enriched record stays enriched after a request whose price no longer covers a lookup', async () => {
  const world = await ruledWorld({
    contacts: [
      { ...DEAR_CUSTOMERS, waitMinutes: 43_200 },
      { name: 'cheap', maxCredits: 1 },
    ],
  });
  const record = await settledContact(world);
  await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
  await cardOf(world, record).ask({ ...CARD, maxCredits: 1 });
  expect((await world.state(record))?.outcome).toMatchObject({
    kind: 'unchanged',
    reason: { code: 'price-risen', params: { price: 3 } },
  });
  expect((await world.portal.properties(record))['enrichment_status']).toBe('enriched');
  expect(world.charged()).toBe(1);
});

it('an enriched record stays enriched when only options are missing that its rule does not pay for', async () => {
  const { fields } = parsePolicy({ budgets: { perDay: 1 } });
  const others = fields.contacts.filter(({ property }) => property !== 'email');
  const never = Object.fromEntries(others.map(({ property }) => [property, { write: 'never' as const }]));
  const world = await ruledWorld(
    { contacts: [DEAR_CUSTOMERS, { name: 'cheap', maxCredits: 1 }] },
    { policy: { fields: { contacts: never } } },
  );
  const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
  await world.clock.sleep(300 * DAY_MS);
  await settled(world, world.portal.edit(record, { lifecyclestage: 'lead', email: '' }));
  const paid = world.charged();
  await cardOf(world, record).ask({ ...CARD, maxCredits: 9 });
  expect(world.charged()).toBe(paid);
  expect((await world.state(record))?.outcome).toMatchObject({
    kind: 'unchanged',
    reason: { code: 'above-maximum' },
  });
});

it('explain says of a record that was read without rules that it had none then', async () => {
  const world = await createWorld();
  const record = await settledContact(world);
  world.changePolicy({ whom: { contacts: [{ name: 'everybody' }] } });
  const told = (await openConsole(world)('explain', `contacts/${record.id}`, '--json')) ?? '';
  expect(JSON.parse(told)).toMatchObject({ rule: WITHOUT_RULE, ruleNow: 'everybody' });
});

it('explain says of a record whose rule was edited under its name that the rule has changed since', async () => {
  const rules = (refresh: boolean) => ({ whom: { contacts: [{ name: 'all', refresh }] } });
  const world = await createWorld({ policy: rules(true) });
  await world.processes.reconcile();
  const record = await settledContact(world);
  const explained = async () =>
    JSON.parse((await openConsole(world)('explain', `contacts/${record.id}`, '--json')) ?? '');
  await world.clock.sleep(MINUTE_MS);
  expect(await explained()).not.toHaveProperty('isRuleChanged');
  world.changePolicy(rules(false));
  await world.processes.reconcile();
  expect(await explained()).toMatchObject({ rule: 'all', ruleNow: 'all', isRuleChanged: true });
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  expect(await explained()).not.toHaveProperty('isRuleChanged');
});
