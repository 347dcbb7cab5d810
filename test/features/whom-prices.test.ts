import { expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { cardOf } from '../harness/at-the-screen.ts';
import { contact, someCompany, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { type ContactRule, ruledWorld } from '../harness/ruled-world.ts';
import { liveOn, liveUntilDrained, refreshAfter, settleDown } from '../harness/steps.ts';

const THE_REST: ContactRule = { name: 'the rest', enrich: false };
const NOT_BY_THE_REST = explanationText(because('rule-excludes', { rule: 'the rest' }));

/** Two questions may be asked of it, and neither has an answer: a profile that nobody has, and a strange address. */
const UNKNOWN = {
  hs_linkedin_url: 'https://www.linkedin.com/in/nobody-has-this-profile-at-all',
  email: 'nobody.at.all@an-unknown-firm.example',
};

it('several questions, repeats and kills never cost more than the highest price of the rule', async () => {
  for (let at = 1; ; at += STRIDE) {
    const world = await ruledWorld(
      { contacts: [{ name: 'cheap', maxCredits: 2, wantEmail: false }] },
      {
        policy: {
          questions: { fallThrough: true, contacts: ['personProfile', 'reverseEmail', 'lookUpPerson'] },
        },
      },
    );
    const { company, firstName, lastName } = {
      company: someCompany(world, 3).domains[0] ?? '',
      firstName: 'Nobody',
      lastName: 'Whatsoever',
    };
    const record = await world.portal.create('contacts', {
      ...UNKNOWN,
      website: company,
      firstname: firstName,
      lastname: lastName,
    });
    world.processes.planForNext({ at, effect: at % 2 ? 'done' : 'none', kind: 'death' });
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
    expect([at, world.charged() <= 2]).toEqual([at, true]);
    expect([at, (await world.state(record))?.run]).toEqual([at, undefined]);
    if ((world.processes.fuses[0]?.calls() ?? 0) < at) {
      expect(world.charged()).toBe(2);
      expect((await world.state(record))?.outcome?.reason).toEqual(
        because('above-price-of-rule', { rule: 'cheap', limit: 2, used: 2 }),
      );
      return;
    }
  }
});

it('the card quotes no more than the highest price of the rule', async () => {
  const world = await ruledWorld(
    { contacts: [{ name: 'cheap', maxCredits: 2, wantEmail: false }] },
    { agedMs: DAY_MS, policy: { questions: { fallThrough: true } } },
  );
  const person = somePerson(world);
  const record = await contact(world, 0, {
    email: person.job.email ?? '',
    firstname: person.firstName,
    lastname: person.lastName,
    website: person.job.company.domains[0] ?? '',
  });
  await settleDown(world);
  const { progress } = await cardOf(world, record).ask({ id: 'card-request-quote', kind: 'quote' });
  expect(progress).toMatchObject({ reply: { kind: 'quoted', quote: { credits: 2 } } });
});

it("the card's quote of a contact that no rule admits names the rule, and its request costs nothing", async () => {
  const world = await ruledWorld({ contacts: [THE_REST] }, { agedMs: DAY_MS });
  const record = await contact(world);
  await settleDown(world);
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
  const record = await contact(world, 0, { lifecyclestage: 'customer' });
  await settleDown(world);
  const paid = world.charged();
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await refreshAfter(world, 30 * DAY_MS);
  await refreshAfter(world, DAY_MS);
  expect((await world.processes.refresh()).chosen).toBe(0);
  expect(world.charged()).toBe(paid);
  // Once it is admitted again, it is looked up without a refresh.
  await world.portal.edit(record, { lifecyclestage: 'customer' });
  await settleDown(world);
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
const CUSTOMERS: ContactRule = {
  name: 'customers',
  when: [{ property: 'lifecyclestage', is: 'customer' }],
  maxCredits: 3,
};

it('an enriched record stays enriched after a request whose price no longer covers a lookup', async () => {
  const world = await ruledWorld({
    contacts: [
      { ...CUSTOMERS, waitMinutes: 43_200 },
      { name: 'cheap', maxCredits: 1 },
    ],
  });
  const record = await contact(world);
  await settleDown(world);
  await world.portal.edit(record, { lifecyclestage: 'customer' });
  await settleDown(world);
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
    { contacts: [CUSTOMERS, { name: 'cheap', maxCredits: 1 }] },
    { policy: { fields: { contacts: never } } },
  );
  const record = await contact(world, 0, { lifecyclestage: 'customer' });
  await settleDown(world);
  await world.clock.sleep(300 * DAY_MS);
  await world.portal.edit(record, { lifecyclestage: 'lead', email: '' });
  await settleDown(world);
  const paid = world.charged();
  await cardOf(world, record).ask({ ...CARD, maxCredits: 9 });
  expect(world.charged()).toBe(paid);
  expect((await world.state(record))?.outcome).toMatchObject({
    kind: 'unchanged',
    reason: { code: 'above-maximum' },
  });
});
