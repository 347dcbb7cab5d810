import { describe, expect, it } from 'vitest';
import { type PolicyInput, parsePolicy, STATUS_LABELS } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { readTimedWaits, WITHOUT_RULE, waitingRows } from '#shared/spend';
import { cardOf, verb } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { aged, minutes, operator } from '../harness/old-portal.ts';
import { contact, createCompany, profileUrlOf, somePerson } from '../harness/people.ts';
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
  settledRecord,
  verify,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const CUSTOMERS: ContactRule = {
  name: 'customers',
  when: [{ property: 'lifecyclestage', in: ['customer'] }],
};

const THE_REST: ContactRule = { name: 'the rest', enrich: false };

describe('a contact that no rule admits', () => {
  it('is skipped with the name of the rule and costs nothing', async () => {
    const world = await ruledWorld({ contacts: [CUSTOMERS, THE_REST] });
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
    const world = await ruledWorld({ contacts: [CUSTOMERS, THE_REST] });
    const record = await settledContact(world);
    await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
    expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
    const paid = world.charged();
    await settled(world, world.portal.edit(record, { lifecyclestage: 'evangelist' }));
    await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
    expect(world.charged()).toBe(paid);
  });

  it('is skipped after it was enriched, in HubSpot as at the card, and is enriched again without a charge', async () => {
    const world = await ruledWorld({ contacts: [CUSTOMERS, THE_REST] });
    const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
    const before = await world.portal.properties(record);
    const card = async () => (await cardOf(world, record).show()).view;
    const due = (await card()).nextCheckAtMs ?? 0;
    await settled(world, world.portal.edit(record, { lifecyclestage: 'evangelist' }));
    const { enrichment_next_check_at: nextCheck = '', ...now } = await world.portal.properties(record);
    expect(now).toMatchObject({
      jobtitle: before['jobtitle'],
      enrichment_status: 'skipped',
      enrichment_reason: explanationText(because('rule-excludes', { rule: 'the rest' })),
    });
    expect(nextCheck).toBe('');
    const excluded = await card();
    expect(excluded.standing.label).toBe(STATUS_LABELS.skipped);
    expect(excluded.nextCheckAtMs).toBeUndefined();
    await settled(world, world.portal.edit(record, { lifecyclestage: 'customer' }));
    expect(await world.portal.properties(record)).toMatchObject({
      enrichment_status: 'unchanged',
      enrichment_next_check_at: utcDay(due),
    });
    const again = await card();
    expect([again.standing.label, again.nextCheckAtMs]).toEqual([STATUS_LABELS.unchanged, due]);
    expect(world.charged()).toBe(3);
  });

  it('is not looked up for a person either, unless the rule says so', async () => {
    const world = await ruledWorld({ contacts: [THE_REST] });
    const record = await settledContact(world, 0, { enrichment_requested: 'true' });
    expect(world.charged()).toBe(0);
    const other = await ruledWorld({ contacts: [{ ...THE_REST, onRequest: true }] });
    await contact(other, 0);
    const wanted = await contact(other, 1);
    await other.portal.edit(wanted, { enrichment_requested: 'true' });
    await settleDown(other);
    expect((await other.state(wanted))?.outcome?.kind).toBe('enriched');
    expect(other.charged()).toBe(3);
    expect((await world.state(record))?.outcome?.kind).toBe('skipped');
  });
});

describe('a rule that waits for free sources', () => {
  const rules: ContactRule[] = [{ name: 'leads', waitMinutes: 10 }];

  it('leaves a new contact alone for so long, and then buys only what is still blank', async () => {
    const world = await ruledWorld({ contacts: rules }, { policy: { questions: { wantEmail: true } } });
    const record = await settledContact(world);
    expect(await world.state(record)).toMatchObject({ waiting: { reason: 'free-sources-first' } });
    await world.portal.edit(record, { email: 'filled.for.nothing@example.com' });
    await minutes(world, 9);
    expect(world.charged()).toBe(0);
    await minutes(world, 3);
    // Without the address, which has come from elsewhere.
    expect(world.charged()).toBe(1);
    expect((await world.state(record))?.outcome?.kind).not.toBe('skipped');
  });
});

it('the credits of a rule stand in the ledger, and in spend --by rule beside what they brought', async () => {
  const world = await ruledWorld({ contacts: [{ ...CUSTOMERS, wantEmail: false }, THE_REST] });
  for (const index of [0, 1]) await contact(world, index, { lifecyclestage: 'customer' });
  await settledContact(world, 2);
  const charges = (await world.ledger()).filter(({ kind }) => kind === 'posted');
  expect(charges.map(({ rule, amountCredits }) => [rule, amountCredits])).toEqual([
    ['contacts: customers', 1],
    ['contacts: customers', 1],
  ]);
  expect(await operator(world)('spend', '--by', 'rule')).toMatchObject([
    { name: 'contacts: customers', charges: 2, credits: 2, matchRate: 1 },
    { name: 'contacts: the rest', charges: 0, credits: 0, filledFields: 0 },
  ]);
});

describe('spend --by rule', () => {
  const byRule = (world: World) => operator(world)('spend', '--by', 'rule');

  it('shows a rule for contacts and a rule for companies of one name apart', async () => {
    const rules = [{ name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] }];
    const world = await createWorld({ policy: { whom: { contacts: rules, companies: rules } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    await settled(world, createCompany(world, 5, { lifecyclestage: 'customer' }));
    const rows: { name: string; credits: number }[] = await byRule(world);
    expect(rows.map(({ name, credits }) => [name, credits])).toEqual([
      ['contacts: customers', 3],
      ['companies: customers', 1],
    ]);
  });

  it('has one row for all records under a policy without rules, as the page of the rules', async () => {
    const world = await createWorld();
    await settledContact(world);
    const [row, ...others] = await byRule(world);
    expect([row, others]).toMatchObject([
      { charges: 1, credits: world.charged(), filledFields: expect.any(Number) },
      [],
    ]);
  });

  it('counts an answer that needs review as that, and not as no match', async () => {
    const world = await ruledWorld({ contacts: [{ name: 'all' }] });
    await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    await settledContact(world, 1, { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-has-this-at-all' });
    expect(await byRule(world)).toMatchObject([
      { name: 'contacts: all', charges: 2, filledFields: 0, matchRate: 0.5 },
    ]);
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
  return { world, customer, lead, other, told, json: operator(world) };
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
      const timed = await readTimedWaits(world.services.records, undefined);
      expect(timed[0]).toMatchObject({ reason: why.code, records: 1 });
      const moment = { nowMs: world.clock.now(), timeZone: 'UTC' };
      const [row] = waitingRows({ inTurn: [], timed, timedCredits: 0 }, moment);
      expect(row?.title).toContain(explanationText(why));
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

  it('is told by explain before a first lookup, and to the card with the price', async () => {
    const world = await createWorld({ policy: { whom: WHOM } });
    const record = await contact(world, 0, { lifecyclestage: 'lead' });
    let refusal = '';
    await openConsole(world, {}, ({ message }) => (refusal = message))('explain', nameOf(record));
    expect(refusal).toContain('leads');
    const { progress } = await cardOf(world, record).ask({ id: 'card-quote-1', kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { rule: 'leads' } });
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

it.each([
  ['options', { wantEmail: false }, 1],
  ['highest price', { maxCredits: 2 }, 1],
  ['refresh: false', { refresh: false }, undefined],
])('the price of a refresh in explain follows the %s of the rule', async (_, settings, credits) => {
  const contacts = [{ ...CUSTOMERS, ...settings }, THE_REST];
  const { world, record: customer } = await worldWithContact(
    { policy: { whom: { contacts } } },
    { lifecyclestage: 'customer' },
  );
  const run = openConsole(world);
  const json = JSON.parse((await run('explain', nameOf(customer), '--json')) ?? '');
  expect(json.refresh?.credits).toBe(credits);
});

it('a quote without any record to look up says so, with the number of records by cause', async () => {
  const world = await createWorld({ agedMs: DAY_MS, policy: { whom: { contacts: [LEADS, THE_REST] } } });
  for (const index of [0, 1, 2]) await contact(world, index);
  await contact(world, 3, { lifecyclestage: 'lead', hs_linkedin_url: '' });
  const quote = operator(await aged(world));
  expect(await quote('backfill', 'quote', '--objects', 'contacts')).toMatchObject({
    seen: 4,
    records: 0,
    strata: [],
    leftOut: { [NOT_BY_THE_REST]: 3, [explanationText(because('no-identifier'))]: 1 },
  });
  const quoted = await openConsole(world)('backfill', 'quote', '--objects', 'contacts');
  expect(quoted).not.toContain('backfill run');
  expect(await quote('backfill', 'quote', '--objects', 'companies')).toMatchObject({ records: 0 });
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
    for (const email of ADDRESSES) records.push(await settledRecord(world, 'contacts', { email }));
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

const BY_THE_REST = because('rule-excludes', { rule: 'the rest' });

const OF_CUSTOMERS: ContactRule = {
  name: 'people of customers',
  when: [{ companyProperty: 'lifecyclestage', is: 'customer' }],
};

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
  const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somePerson(world)) }, [
    company,
  ]);
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
  const company = await createCompany(world, 5, { lifecyclestage: 'customer' });
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
    const hs_linkedin_url = (index: number) => profileUrlOf(somePerson(world, index));
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

it.each(['waits for HubSpot', 'is under way'])(
  'an answer that %s is not written while the property is gone that a rule reads, and is once it is back',
  async (how) => {
    const tier = { objectType: 'contacts', name: 'tier_of_ours' } as const;
    const barred: ContactRule = { name: 'barred', when: [{ property: tier.name, is: 'no' }], enrich: false };
    const remove = () => changeProperties(world, 'DELETE', tier);
    const isUnderWay = how === 'is under way';
    const world: World = await ruledWorld(
      { contacts: [barred, { name: 'others' }] },
      isUnderWay ? { through: whileAsked(remove) } : {},
    );
    await changeProperties(world, 'POST', tier);
    const faults = [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }] as const;
    if (!isUnderWay) await world.portal.change({ faults });
    const record = await settledContact(world, 0, { [tier.name]: 'yes' });
    if (!isUnderWay) await remove();
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(await world.state(record)).toMatchObject({ waiting: { reason: 'rule-unreadable' } });
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await changeProperties(world, 'POST', tier);
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 20 * MINUTE_MS });
    expect((await world.portal.properties(record))['jobtitle']).toBe(somePerson(world).job.title);
    expect(world.charged()).toBe(3);
  },
);

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
  await liveOn(world, { forMs: DAY_MS, everyMs: 6 * HOUR_MS });
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 6 * HOUR_MS });
  await world.portal.change({ faults: [] });
  const before = (await world.ledger()).length;
  await liveOn(world, { forMs: DAY_MS, everyMs: 6 * HOUR_MS });
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
    { contacts: [CUSTOMERS, THE_REST] },
    { policy: { freshness: { contactsDays: 10 } } },
  );
  const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
  const paid = world.charged();
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await refreshAfter(world, 30 * DAY_MS);
  await refreshAfter(world, DAY_MS);
  expect((await world.processes.refresh()).chosen).toBe(0);
  expect(world.charged()).toBe(paid);
  expect(await world.portal.properties(record)).toMatchObject({
    enrichment_status: 'skipped',
    jobtitle: somePerson(world).job.title,
  });
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
    const record = await settled(world, createCompany(world, index, { lifecyclestage: 'customer' }));
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

const DEAR_CUSTOMERS: ContactRule = { ...CUSTOMERS, maxCredits: 3 };

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
  const { world, record } = await worldWithContact();
  world.changePolicy({ whom: { contacts: [{ name: 'everybody' }] } });
  const told = (await openConsole(world)('explain', `contacts/${record.id}`, '--json')) ?? '';
  expect(JSON.parse(told)).toMatchObject({ rule: WITHOUT_RULE, ruleNow: 'everybody' });
});

it('explain says of a record whose rule was edited under its name that the rule has changed since', async () => {
  const rules = (refresh: boolean) => ({ whom: { contacts: [{ name: 'all', refresh }] } });
  const world = await createWorld({ policy: rules(true) });
  await world.processes.reconcile();
  const record = await settledContact(world);
  const explained = () => operator(world)('explain', `contacts/${record.id}`);
  await world.clock.sleep(MINUTE_MS);
  expect(await explained()).not.toHaveProperty('isRuleChanged');
  world.changePolicy(rules(false));
  await world.processes.reconcile();
  expect(await explained()).toMatchObject({ rule: 'all', ruleNow: 'all', isRuleChanged: true });
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  expect(await explained()).not.toHaveProperty('isRuleChanged');
});

it('a paid answer whose write failed is written at once, although its record now falls under a rule that waits', async () => {
  const world = await ruledWorld({ contacts: [CUSTOMERS, { name: 'late', waitMinutes: 600 }] });
  const faults = [{ kind: 'status', status: 500, rate: 1, path: 'batch/update' }] as const;
  await world.portal.change({ faults });
  const record = await contact(world, 0, { lifecyclestage: 'customer' });
  await minutes(world, 5);
  expect(world.charged()).toBe(3);
  await world.portal.edit(record, { lifecyclestage: 'other' });
  await world.portal.change({ faults: [] });
  await minutes(world, 90);
  expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched' });
  expect(world.charged()).toBe(3);
});
