import { describe, expect, it } from 'vitest';
import type { PolicyInput } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import type { Properties } from '../harness/hubspot-portal.ts';
import { contact, someCompany, somePerson } from '../harness/people.ts';
import { liveOn, refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

type ContactRules = NonNullable<NonNullable<PolicyInput['whom']>['contacts']>;

/** A world whose policy has these rules for contacts. */
const ruledWorld = (contacts: ContactRules, more: WorldOptions = {}) =>
  createWorld({ ...more, policy: { ...more.policy, whom: { contacts } } });

const CUSTOMERS: ContactRules[number] = {
  name: 'customers',
  when: [{ property: 'lifecyclestage', in: ['customer'] }],
};
const THE_REST: ContactRules[number] = { name: 'the rest', enrich: false };

describe('a contact that no rule admits', () => {
  it('is skipped with the name of the rule and costs nothing', async () => {
    const world = await ruledWorld([CUSTOMERS, THE_REST]);
    const record = await contact(world);
    await settleDown(world);
    const reason = because('rule-excludes', { rule: 'the rest' });
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped', reason, credits: 0 });
    expect(await world.portal.properties(record)).toMatchObject({
      enrichment_status: 'skipped',
      enrichment_reason: explanationText(reason),
    });
    expect(world.charged()).toBe(0);
  });

  it('is looked up once when a property changes that a rule reads', async () => {
    const world = await ruledWorld([CUSTOMERS, THE_REST]);
    const record = await contact(world);
    await settleDown(world);
    await world.portal.edit(record, { lifecyclestage: 'customer' });
    await settleDown(world);
    expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
    const paid = world.charged();
    await world.portal.edit(record, { lifecyclestage: 'evangelist' });
    await settleDown(world);
    await world.portal.edit(record, { lifecyclestage: 'customer' });
    await settleDown(world);
    expect(world.charged()).toBe(paid);
  });

  it('is not looked up for a person either, unless the rule says so', async () => {
    const world = await ruledWorld([THE_REST]);
    const record = await contact(world, 0, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(world.charged()).toBe(0);
    const other = await ruledWorld([{ ...THE_REST, onRequest: true }]);
    await contact(other, 0);
    const wanted = await contact(other, 1);
    await other.portal.edit(wanted, { enrichment_requested: 'true' });
    await settleDown(other);
    expect((await other.state(wanted))?.outcome?.kind).toBe('enriched');
    expect(other.charged()).toBe(3);
    expect((await world.state(record))?.outcome?.kind).toBe('skipped');
  });

  it('is not refreshed any more, and keeps what it has', async () => {
    const world = await ruledWorld([CUSTOMERS, THE_REST], { policy: { freshness: { contactsDays: 10 } } });
    const record = await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    const paid = world.charged();
    await world.portal.edit(record, { lifecyclestage: 'evangelist' });
    await refreshAfter(world, 30 * DAY_MS);
    expect(world.charged()).toBe(paid);
    expect(await world.portal.properties(record)).toMatchObject({
      enrichment_status: 'enriched',
      jobtitle: somePerson(world).job.title,
    });
  });
});

describe('each condition of a rule', () => {
  const fits = async (
    condition: NonNullable<ContactRules[number]['when']>[number],
    properties: Properties,
  ) => {
    const world = await ruledWorld([{ name: 'fitting', when: [condition] }]);
    await contact(world, 0, properties);
    await settleDown(world);
    return world.charged() > 0;
  };

  it.each([
    [{ property: 'city', is: 'Ulm' }, { city: ' ulm ' }, { city: 'Bonn' }],
    [{ property: 'city', in: ['Ulm', 'Bonn'] }, { city: 'Bonn' }, { city: '' }],
    [{ property: 'city', not: 'Ulm' }, { city: 'Bonn' }, { city: 'ULM' }],
    [{ property: 'city', not: 'Ulm' }, { city: 'Bonn' }, { city: '' }],
    [{ property: 'city', not: ['Ulm'], orBlank: true as const }, { city: '' }, { city: 'Ulm' }],
    [{ property: 'zip', above: 5 }, { zip: '6' }, { zip: '5' }],
    [{ property: 'zip', below: 5 }, { zip: '4' }, { zip: 'x' }],
    [{ property: 'city', blank: true as const }, {}, { city: 'Ulm' }],
    [{ property: 'city', filled: true as const }, { city: 'Ulm' }, {}],
    [
      { property: 'website', domain: ['rival.example'] },
      { website: 'https://eu.rival.example/x' },
      { website: 'arrival.example' },
    ],
    [
      { property: 'website', domain: ['ac.uk'] },
      { website: 'https://www.cam.ac.uk' },
      { website: 'https://www.ac-uk.example' },
    ],
    [{ property: 'website', domain: ['.edu'] }, { website: 'cs.stanford.edu' }, { website: 'edu.example' }],
    [{ email: 'none' as const }, {}, { email: 'somebody@gmail.com' }],
    [{ email: 'free-mail' as const }, { email: 'somebody@gmail.com' }, {}],
    [{ email: 'role' as const }, { email: 'info@rival.example' }, { email: 'jo@rival.example' }],
  ])('%j', async (condition, fitting, other) => {
    expect(await fits(condition, fitting)).toBe(true);
    expect(await fits(condition, other)).toBe(false);
  });
});

describe('a rule that waits for free sources', () => {
  const rules: ContactRules = [{ name: 'leads', waitMinutes: 10 }];

  it('leaves a new contact alone for so long, and then buys only what is still blank', async () => {
    const world = await ruledWorld(rules, { policy: { questions: { wantEmail: true } } });
    const record = await contact(world);
    await settleDown(world);
    expect(await world.state(record)).toMatchObject({ waiting: { reason: 'free-sources-first' } });
    await world.portal.edit(record, { email: 'filled.for.nothing@example.com' });
    await liveOn(world, { forMs: 9 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(0);
    await liveOn(world, { forMs: 3 * MINUTE_MS, everyMs: MINUTE_MS });
    // Without the address, which has come from elsewhere.
    expect(world.charged()).toBe(1);
    expect((await world.state(record))?.outcome?.kind).not.toBe('skipped');
  });

  it('does not keep a person waiting', async () => {
    const world = await ruledWorld(rules);
    const record = await contact(world);
    await settleDown(world);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  });
});

describe('a rule with a highest price', () => {
  it('buys no more options than it pays for', async () => {
    const world = await ruledWorld([{ name: 'cheap', maxCredits: 1 }]);
    const record = await contact(world);
    await settleDown(world);
    expect(world.charged()).toBe(1);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched', credits: 1 });
  });

  it('buys what its own options say', async () => {
    const world = await ruledWorld([{ ...CUSTOMERS, wantEmail: false }, { name: 'others' }]);
    await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    expect(world.charged()).toBe(1);
    await contact(world, 1);
    await settleDown(world);
    expect(world.charged()).toBe(4);
  });
});

describe('the credits of a rule', () => {
  it('stand in the ledger, and in spend --by rule beside what they brought', async () => {
    const world = await ruledWorld([{ ...CUSTOMERS, wantEmail: false }, THE_REST]);
    for (const index of [0, 1]) await contact(world, index, { lifecyclestage: 'customer' });
    await contact(world, 2);
    await settleDown(world);
    const charges = (await world.ledger()).filter(({ kind }) => kind === 'posted');
    expect(charges.map(({ rule, amountCredits }) => [rule, amountCredits])).toEqual([
      ['contacts: customers', 1],
      ['contacts: customers', 1],
    ]);
    const run = openConsole(world);
    expect(JSON.parse((await run('spend', '--by', 'rule', '--json')) ?? '')).toMatchObject([
      { rule: 'contacts: customers', charges: 2, credits: 2, filledRecords: 2, unmatched: 0, skipped: 0 },
      { rule: 'contacts: the rest', charges: 0, credits: 0, filledRecords: 0, unmatched: 0, skipped: 1 },
    ]);
  });
});

describe('spend --by rule', () => {
  const byRule = async (world: World) =>
    JSON.parse((await openConsole(world)('spend', '--by', 'rule', '--json')) ?? '');

  it('shows a rule for contacts and a rule for companies of one name apart', async () => {
    const rules = [{ name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] }];
    const world = await createWorld({ policy: { whom: { contacts: rules, companies: rules } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    const domain = someCompany(world, 5).domains[0] ?? '';
    await world.portal.create('companies', { domain, lifecyclestage: 'customer' });
    await settleDown(world);
    const rows: { rule: string; credits: number }[] = await byRule(world);
    expect(rows.map(({ rule, credits }) => [rule, credits])).toEqual([
      ['contacts: customers', 3],
      ['companies: customers', 1],
    ]);
  });

  it('counts an answer that needs review as that, and not as no match', async () => {
    const world = await ruledWorld([{ name: 'all' }]);
    await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    await contact(world, 1, { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-has-this-at-all' });
    await settleDown(world);
    expect(await byRule(world)).toMatchObject([
      { rule: 'contacts: all', charges: 2, filledRecords: 0, unmatched: 1, review: 1, skipped: 0 },
    ]);
  });
});

it('nothing is bought by a rule whose property HubSpot does not have, and nothing is lost', async () => {
  const world = await ruledWorld([
    CUSTOMERS,
    { name: 'gold', when: [{ property: 'tier_of_ours', is: 'gold' }] },
    { name: 'others' },
  ]);
  const [first, second] = [await contact(world, 0, { lifecyclestage: 'customer' }), await contact(world, 1)];
  await settleDown(world);
  expect((await world.state(first))?.outcome?.kind).toBe('enriched');
  expect(world.charged()).toBe(3);
  expect(await world.state(second)).toMatchObject({
    waiting: {
      reason: 'rule-unreadable',
      detail: explanationText(because('rule-unreadable', { rule: 'gold', property: 'tier_of_ours' })),
    },
  });
});
