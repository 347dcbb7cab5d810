import { describe, expect, it } from 'vitest';
import { type PolicyInput, parsePolicy } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { readTimedWaits, timedSentence } from '#shared/spend';
import { cardOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { aged, operator } from '../harness/old-portal.ts';
import { contact, someCompany, somePerson } from '../harness/people.ts';
import { compared } from '../harness/policy-change.ts';
import { liveOn, refreshAfter, settleDown, settled, settledContact } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

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
    const record = await settledContact(world);
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
    const record = await settledContact(world);
    await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
    expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
    const paid = world.charged();
    await settled(world, world.portal.edit(record, { lifecyclestage: 'evangelist' }));
    await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
    expect(world.charged()).toBe(paid);
  });

  it('is not looked up for a person either, unless the rule says so', async () => {
    const world = await ruledWorld([THE_REST]);
    const record = await settledContact(world, 0, { enrichment_requested: 'true' });
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
    const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
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

it.each([
  [{ property: 'city', is: 'Ulm' }, { city: ' ulm ' }, { city: 'Bonn' }],
  [{ property: 'city', not: ['Ulm'], orBlank: true as const }, { city: '' }, { city: 'Ulm' }],
  [{ property: 'zip', below: 5 }, { zip: '4' }, { zip: 'x' }],
  [{ property: 'website', domain: ['.edu'] }, { website: 'cs.stanford.edu' }, { website: 'edu.example' }],
  [{ email: 'role' as const }, { email: 'info@rival.example' }, { email: 'jo@rival.example' }],
])('a rule admits whom its condition fits: %j', async (condition, fitting, other) => {
  const world = await ruledWorld([{ name: 'fitting', when: [condition] }]);
  await settledContact(world, 0, fitting);
  expect(world.charged()).toBeGreaterThan(0);
  const spent = world.charged();
  await settledContact(world, 1, other);
  expect(world.charged()).toBe(spent);
});

describe('a rule that waits for free sources', () => {
  const rules: ContactRules = [{ name: 'leads', waitMinutes: 10 }];

  it('leaves a new contact alone for so long, and then buys only what is still blank', async () => {
    const world = await ruledWorld(rules, { policy: { questions: { wantEmail: true } } });
    const record = await settledContact(world);
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
    const record = await settledContact(world);
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  });
});

describe('a rule with a highest price', () => {
  it('buys no more options than it pays for', async () => {
    const world = await ruledWorld([{ name: 'cheap', maxCredits: 1 }]);
    const record = await settledContact(world);
    expect(world.charged()).toBe(1);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched', credits: 1 });
  });

  it('buys what its own options say', async () => {
    const world = await ruledWorld([{ ...CUSTOMERS, wantEmail: false }, { name: 'others' }]);
    await settledContact(world, 0, { lifecyclestage: 'customer' });
    expect(world.charged()).toBe(1);
    await settledContact(world, 1);
    expect(world.charged()).toBe(4);
  });
});

it('the credits of a rule stand in the ledger, and in spend --by rule beside what they brought', async () => {
  const world = await ruledWorld([{ ...CUSTOMERS, wantEmail: false }, THE_REST]);
  for (const index of [0, 1]) await contact(world, index, { lifecyclestage: 'customer' });
  await settledContact(world, 2);
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

describe('spend --by rule', () => {
  const byRule = async (world: World) =>
    JSON.parse((await openConsole(world)('spend', '--by', 'rule', '--json')) ?? '');

  it('shows a rule for contacts and a rule for companies of one name apart', async () => {
    const rules = [{ name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] }];
    const world = await createWorld({ policy: { whom: { contacts: rules, companies: rules } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    const domain = someCompany(world, 5).domains[0] ?? '';
    await settled(world, world.portal.create('companies', { domain, lifecyclestage: 'customer' }));
    const rows: { rule: string; credits: number }[] = await byRule(world);
    expect(rows.map(({ rule, credits }) => [rule, credits])).toEqual([
      ['contacts: customers', 3],
      ['companies: customers', 1],
    ]);
  });

  it('counts an answer that needs review as that, and not as no match', async () => {
    const world = await ruledWorld([{ name: 'all' }]);
    await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    await settledContact(world, 1, { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-has-this-at-all' });
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

const LEADS = { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], waitMinutes: 10 };

const NOT_BY_THE_REST = explanationText(because('rule-excludes', { rule: 'the rest' }));

const WHOM: NonNullable<PolicyInput['whom']> = { contacts: [CUSTOMERS, LEADS, THE_REST] };

/** A customer that was enriched, a lead that waits, and a contact that no rule admits. */
async function ruledThree() {
  const world = await createWorld({ policy: { whom: WHOM } });
  const customer = await contact(world, 0, { lifecyclestage: 'customer' });
  const lead = await contact(world, 1, { lifecyclestage: 'lead' });
  const other = await settledContact(world, 2);
  const run = openConsole(world);
  const told = async (...words: readonly string[]) => (await run(...words)) ?? '';
  const json = async (...words: readonly string[]) => JSON.parse(await told(...words, '--json'));
  return { world, customer, lead, other, told, json };
}

const nameOf = ({ objectType, id }: { objectType: string; id: string }) => `${objectType}/${id}`;

describe('the name of the rule', () => {
  it('stands in explain, with the reason of a wait', async () => {
    const { customer, lead, other, told, json } = await ruledThree();
    for (const [record, rule] of [
      [customer, 'customers'],
      [other, 'the rest'],
      [lead, 'leads'],
    ] as const) {
      expect(await told('explain', nameOf(record))).toContain(rule);
      expect(await json('explain', nameOf(record))).toMatchObject({ rule });
    }
    const why = explanationText(because('free-sources-first', { rule: 'leads' }));
    expect(await told('explain', nameOf(lead))).toContain(why);
  });

  it('stands in explain twice where the present values lead to another rule', async () => {
    const { world, customer, lead, told, json } = await ruledThree();
    await world.portal.edit(customer, { lifecyclestage: 'lead' });
    await world.portal.edit(lead, { lifecyclestage: '' });
    expect(await told('explain', nameOf(customer))).toMatch(/customers.*leads/);
    expect(await json('enrich', nameOf(customer), '--dry-run')).toMatchObject({ rule: 'leads' });
    expect(await json('explain', nameOf(customer))).toMatchObject({ rule: 'customers', ruleNow: 'leads' });
    expect(await json('explain', nameOf(lead))).toMatchObject({ rule: 'leads', ruleNow: 'the rest' });
  });

  it('stands in the sentences about waiting records, with the property that a rule lacks', async () => {
    const contacts = [
      { name: 'gold', when: [{ property: 'no_such_tier', is: 'gold' }] },
      { name: 'late', waitMinutes: 5 },
    ];
    const lacking = await createWorld({ policy: { whom: { contacts } } });
    await contact(lacking);
    const { world: waiting } = await ruledThree();
    const leaves = because('free-sources-first', { rule: 'leads' });
    const lacks = because('rule-unreadable', { rule: 'gold', property: 'no_such_tier' });
    for (const [world, why] of [
      [waiting, leaves],
      [lacking, lacks],
    ] as const) {
      await settleDown(world);
      const [wait] = await readTimedWaits(world.services.records, undefined);
      expect(wait).toMatchObject({ reason: why.code, records: 1 });
      expect(wait && timedSentence(wait, world.clock.now(), 'UTC')).toContain(explanationText(why));
    }
  });

  it('stands in a dry run with the end of its wait for free sources, until that is over', async () => {
    const { world, lead, customer, told, json } = await ruledThree();
    const until = new Date(world.clock.now() + 10 * MINUTE_MS).toISOString().slice(0, 15);
    const dryRun = async (record = lead) => json('enrich', nameOf(record), '--dry-run');
    expect(await told('enrich', nameOf(lead), '--dry-run')).toMatch(new RegExp(`leads.*${until}`));
    expect(await dryRun()).toMatchObject({ rule: 'leads', waitsUntil: expect.stringContaining(until) });
    expect(await dryRun(customer)).toMatchObject({ waitsUntil: null });
    await world.clock.sleep(11 * MINUTE_MS);
    expect(await dryRun()).toMatchObject({ rule: 'leads', waitsUntil: null });
  });

  it('is told to the card', async () => {
    const { world, customer } = await ruledThree();
    expect((await cardOf(world, customer).show()).view.rule).toBe('customers');
  });

  it('stands in a quote, for the records that it admits and for those that it leaves out', async () => {
    const { world, told, json } = await ruledThree();
    await contact(world, 3, { lifecyclestage: 'customer' });
    await contact(world, 4, { lifecyclestage: 'customer' });
    const quoted = await told('backfill', 'quote', '--objects', 'contacts');
    expect(quoted).toMatch(/^ +2 {2}customers$/m);
    expect(quoted).toContain(`  1  ${NOT_BY_THE_REST}`);
    expect(await json('backfill', 'quote', '--objects', 'contacts')).toMatchObject({
      byRule: { customers: 2 },
    });
  });
});

describe('the price of a refresh in explain', () => {
  it.each([
    ['options', { wantEmail: false }, 1],
    ['highest price', { maxCredits: 2 }, 1],
    ['refresh: false', { refresh: false }, undefined],
  ])('follows the %s of the rule', async (_, settings, credits) => {
    const contacts = [{ ...CUSTOMERS, ...settings }, THE_REST];
    const world = await createWorld({ policy: { whom: { contacts } } });
    const customer = await settledContact(world, 0, { lifecyclestage: 'customer' });
    const run = openConsole(world);
    const json = JSON.parse((await run('explain', nameOf(customer), '--json')) ?? '');
    expect(json.refresh?.credits).toBe(credits);
  });
});

describe('a quote', () => {
  it('without any record to look up says so, with the number of records by cause', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { whom: { contacts: [LEADS, THE_REST] } } });
    for (const index of [0, 1, 2]) await contact(world, index);
    await contact(world, 3, { lifecyclestage: 'lead', hs_linkedin_url: '' });
    const quote = operator(await aged(world));
    expect(await quote('backfill', 'quote', '--objects', 'contacts')).toMatchObject({
      ...{ seen: 4, records: 0, strata: [] },
      leftOut: { [NOT_BY_THE_REST]: 3, [explanationText(because('no-identifier'))]: 1 },
    });
    const quoted = await openConsole(world)('backfill', 'quote', '--objects', 'contacts');
    expect(quoted).not.toContain('backfill run');
    expect(await quote('backfill', 'quote', '--objects', 'companies')).toMatchObject({ records: 0 });
  });

  it('says that every answer is stored only where it is', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { whom: { contacts: [CUSTOMERS] } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    const record = await contact(world, 0, { lifecyclestage: 'customer' });
    const installed = await aged(world);
    await cardOf(installed, record).ask({ id: 'card-request-1', kind: 'enrich', maxCredits: 9 });
    expect(await operator(installed)('backfill', 'quote', '--objects', 'contacts')).toMatchObject({
      ...{ records: 1, strata: [{ records: 1, maxCredits: 0 }], quote: { atMost: 0 } },
    });
  });
});

describe('policy compare', () => {
  it('counts the records of each rule before and after', async () => {
    const { world } = await ruledThree();
    const { rules, writes } = await compared(world, {
      whom: {
        contacts: [
          { ...CUSTOMERS, enrich: false },
          { ...THE_REST, enrich: true },
        ],
      },
    });
    expect(rules.map(({ rule, before, after }) => [rule, before, after]).sort()).toEqual([
      ['customers', 1, 1],
      ['leads', 1, 0],
      ['the rest', 1, 2],
    ]);
    expect(writes.records).toBe(1);
  });

  it('counts every record under a policy without rules', async () => {
    const { world } = await ruledThree();
    const { rules } = await compared(world, {});
    expect(rules.find(({ rule }) => rule === undefined)).toMatchObject({ before: 0, after: 3 });
  });
});

describe('the lists of mail providers and role mailboxes', () => {
  const ADDRESSES = ['lee@regional-mail.com', 'hausmeister@unknown-firm.com'];
  const reasonsIn = async (addresses?: { mailProviders?: string[]; roleMailboxes?: string[] }) => {
    const world = await createWorld({ policy: { addresses } });
    const records: RecordName[] = [];
    for (const email of ADDRESSES)
      records.push(await settled(world, world.portal.create('contacts', { email })));
    const states = await Promise.all(records.map((record) => world.state(record)));
    return [world.charged() > 0, ...states.map((state) => state?.outcome?.reason.code)];
  };

  it('take the additions of the policy, which hold for no other installation', async () => {
    const own = { mailProviders: ['regional-mail.com'], roleMailboxes: ['hausmeister'] };
    expect(await reasonsIn(own)).toEqual([false, 'free-mail-only', 'role-mailbox']);
    expect(await reasonsIn()).toEqual([true, 'no-match', 'no-match']);
  });

  it.each([{ mailProviders: ['Regional Mail'] }, { roleMailboxes: ['office@acme.example'] }])(
    'refuse what is no domain or no name before the @: %j',
    (addresses) => {
      expect(() => parsePolicy({ budgets: { perDay: 1 }, addresses })).toThrow('addresses.');
    },
  );
});
