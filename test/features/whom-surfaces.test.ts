import { describe, expect, it } from 'vitest';
import type { PolicyInput } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { readTimedWaits, timedSentence } from '#shared/spend';
import { cardOf } from '../harness/at-the-screen.ts';
import { aged, operator } from '../harness/old-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { compared } from '../harness/policy-change.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

const CUSTOMERS = { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] };
const LEADS = { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], waitMinutes: 10 };
const THE_REST = { name: 'the rest', enrich: false };
const NOT_BY_THE_REST = explanationText(because('rule-excludes', { rule: 'the rest' }));
const WHOM: NonNullable<PolicyInput['whom']> = { contacts: [CUSTOMERS, LEADS, THE_REST] };

/** A customer that was enriched, a lead that waits, and a contact that no rule admits. */
async function ruledWorld() {
  const world = await createWorld({ policy: { whom: WHOM } });
  const customer = await contact(world, 0, { lifecyclestage: 'customer' });
  const lead = await contact(world, 1, { lifecyclestage: 'lead' });
  const other = await contact(world, 2);
  await settleDown(world);
  const run = openConsole(world);
  const told = async (...words: readonly string[]) => (await run(...words)) ?? '';
  const json = async (...words: readonly string[]) => JSON.parse(await told(...words, '--json'));
  return { world, customer, lead, other, told, json };
}

const nameOf = ({ objectType, id }: { objectType: string; id: string }) => `${objectType}/${id}`;

describe('the name of the rule', () => {
  it('stands in explain, with the reason of a wait', async () => {
    const { customer, lead, other, told, json } = await ruledWorld();
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
    const { world, customer, lead, told, json } = await ruledWorld();
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
    const { world: waiting } = await ruledWorld();
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
    const { world, lead, customer, told, json } = await ruledWorld();
    const until = new Date(world.clock.now() + 10 * MINUTE_MS).toISOString().slice(0, 15);
    const dryRun = async (record = lead) => json('enrich', nameOf(record), '--dry-run');
    expect(await told('enrich', nameOf(lead), '--dry-run')).toMatch(new RegExp(`leads.*${until}`));
    expect(await dryRun()).toMatchObject({ rule: 'leads', waitsUntil: expect.stringContaining(until) });
    expect(await dryRun(customer)).toMatchObject({ waitsUntil: null });
    await world.clock.sleep(11 * MINUTE_MS);
    expect(await dryRun()).toMatchObject({ rule: 'leads', waitsUntil: null });
  });

  it('is told to the card', async () => {
    const { world, customer } = await ruledWorld();
    expect((await cardOf(world, customer).show()).view.rule).toBe('customers');
  });

  it('stands in a quote, for the records that it admits and for those that it leaves out', async () => {
    const { world, told, json } = await ruledWorld();
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
    const customer = await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    const run = openConsole(world);
    const json = JSON.parse((await run('explain', nameOf(customer), '--json')) ?? '');
    expect(json.refresh?.credits).toBe(credits);
  });

  it('is also the price in a dry run of refresh', async () => {
    const contacts = [
      { ...CUSTOMERS, wantEmail: false },
      { name: 'dear', wantPhone: true },
    ];
    const world = await createWorld({ policy: { whom: { contacts } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    await world.clock.sleep(200 * DAY_MS);
    const planned = JSON.parse((await openConsole(world)('refresh', '--dry-run', '--json')) ?? '');
    expect(planned).toMatchObject({ due: 1, credits: 1 });
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

  it('counts no more for a record than the highest price of its rule', async () => {
    const leads = { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], maxCredits: 2 };
    const world = await createWorld({
      agedMs: DAY_MS,
      policy: {
        questions: { fallThrough: true, wantEmail: false },
        whom: { contacts: [leads, { name: 'others' }] },
      },
    });
    for (const [index, lifecyclestage] of ['lead', 'lead', 'other'].entries()) {
      const person = somePerson(world, index);
      await contact(world, index, {
        lifecyclestage,
        firstname: person.firstName,
        lastname: person.lastName,
        website: person.job.company.domains[0] ?? '',
        email: person.job.email ?? '',
      });
    }
    await settleDown(world);
    const installed = await aged(world);
    const quote = await openConsole(installed)('backfill', 'quote', '--objects', 'contacts', '--json');
    const { strata, quote: range } = JSON.parse(quote ?? '');
    expect(
      strata.map((each: { maxCredits: number; records: number }) => [each.records, each.maxCredits]),
    ).toEqual(
      expect.arrayContaining([
        [2, 2],
        [1, 3],
      ]),
    );
    expect(range.atMost).toBe(7);
  });
});

describe('policy compare', () => {
  it('counts the records of each rule before and after', async () => {
    const { world } = await ruledWorld();
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
    const { world } = await ruledWorld();
    const { rules } = await compared(world, {});
    expect(rules.find(({ rule }) => rule === undefined)).toMatchObject({ before: 0, after: 3 });
  });
});
