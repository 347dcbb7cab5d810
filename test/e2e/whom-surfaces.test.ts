import { describe, expect, it } from 'vitest';
import type { PolicyInput } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { readTimedWaits, timedSentence } from '#shared/spend';
import { cardOf } from '../builders/at-the-screen.ts';
import { aged } from '../builders/old-portal.ts';
import { contact, somePerson } from '../builders/people.ts';
import { compared } from '../builders/policy-change.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld } from '../builders/world.ts';
import { openConsole } from '../simulation/console.ts';

const CUSTOMERS = { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] };
const LEADS = { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], waitMinutes: 10 };
const THE_REST = { name: 'the rest', enrich: false };
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
  return { world, customer, lead, other, told };
}

const nameOf = ({ objectType, id }: { objectType: string; id: string }) => `${objectType}/${id}`;

describe('the name of the rule', () => {
  it('stands in explain, with the reason of a wait', async () => {
    const { customer, lead, other, told } = await ruledWorld();
    expect(await told('explain', nameOf(customer))).toContain('Rule: customers.');
    expect(await told('explain', nameOf(other))).toContain('Rule: the rest.');
    const waiting = await told('explain', nameOf(lead));
    expect(waiting).toContain('Rule: leads.');
    expect(waiting).toContain('The rule "leads" leaves it to free sources first.');
    expect(JSON.parse(await told('explain', nameOf(lead), '--json'))).toMatchObject({ rule: 'leads' });
  });

  it('stands in explain twice where the present values lead to another rule', async () => {
    const { world, customer, lead, told } = await ruledWorld();
    await world.portal.edit(customer, { lifecyclestage: 'lead' });
    await world.portal.edit(lead, { lifecyclestage: '' });
    const explained = await told('explain', nameOf(customer));
    expect(explained).toContain(
      'Rule: customers, when the record was last read. By its present values, it is now: "leads".',
    );
    expect(await told('enrich', nameOf(customer), '--dry-run')).toContain('Rule: leads.');
    expect(JSON.parse(await told('explain', nameOf(customer), '--json'))).toMatchObject({
      rule: 'customers',
      ruleNow: 'leads',
    });
    expect(await told('explain', nameOf(lead))).toContain('it is now: "the rest"');
  });

  it('stands in the sentences about waiting records, with the property that a rule lacks', async () => {
    const contacts = [
      { name: 'gold', when: [{ property: 'no_such_tier', is: 'gold' }] },
      { name: 'late', waitMinutes: 5 },
    ];
    const lacking = await createWorld({ policy: { whom: { contacts } } });
    await contact(lacking);
    const { world: waiting } = await ruledWorld();
    const sentences = [waiting, lacking].map(async (world) => {
      await settleDown(world);
      const [wait] = await readTimedWaits(world.services.records, undefined);
      return wait && timedSentence(wait, world.clock.now(), 'UTC');
    });
    expect(await Promise.all(sentences)).toEqual([
      expect.stringContaining('1 record waits. The rule "leads" leaves it to free sources first. Retried'),
      expect.stringContaining(
        'The rule "gold" of the policy reads no_such_tier, which HubSpot does not have',
      ),
    ]);
  });

  it('stands in a dry run of enrich', async () => {
    const { lead, told } = await ruledWorld();
    expect(await told('enrich', nameOf(lead), '--dry-run')).toContain('Rule: leads.');
    expect(JSON.parse(await told('enrich', nameOf(lead), '--dry-run', '--json'))).toMatchObject({
      rule: 'leads',
    });
  });

  it('stands in a dry run with the end of its wait for free sources, until that is over', async () => {
    const { world, lead, customer, told } = await ruledWorld();
    const until = new Date(world.clock.now() + 10 * MINUTE_MS).toISOString().slice(0, 15);
    const dryRun = async (record = lead) => told('enrich', nameOf(record), '--dry-run');
    expect(await dryRun()).toMatch(
      new RegExp(`By the rule "leads", the record waits until ${until}.*Z for values from free sources\\.`),
    );
    expect(await dryRun(customer)).not.toContain('free sources');
    expect(JSON.parse(await told('enrich', nameOf(lead), '--dry-run', '--json'))).toMatchObject({
      waitsUntil: expect.stringContaining(until),
    });
    await world.clock.sleep(11 * MINUTE_MS);
    expect(await dryRun()).not.toContain('free sources');
  });

  it('is told to the card', async () => {
    const { world, customer } = await ruledWorld();
    expect((await cardOf(world, customer).show()).view.rule).toBe('customers');
  });

  it('stands in a quote, for the records that it admits and for those that it leaves out', async () => {
    const { world, told } = await ruledWorld();
    await contact(world, 3, { lifecyclestage: 'customer' });
    await contact(world, 4, { lifecyclestage: 'customer' });
    const quoted = await told('backfill', 'quote', '--objects', 'contacts');
    expect(quoted).toMatch(/By rule of the policy:\n +2 {2}customers\n/);
    expect(quoted).toMatch(/1 {2}The rule "the rest" of the policy does not look it up\./);
    const json = JSON.parse(await told('backfill', 'quote', '--objects', 'contacts', '--json'));
    expect(json).toMatchObject({ byRule: { customers: 2 } });
  });
});

describe('the price of a refresh in explain', () => {
  it.each([
    ['options', { wantEmail: false }, 'at most 1 credit', 1],
    ['highest price', { maxCredits: 2 }, 'at most 1 credit', 1],
    ['refresh: false', { refresh: false }, 'Not refreshed by the rule "customers"', undefined],
  ])('follows the %s of the rule', async (_, settings, words, credits) => {
    const contacts = [{ ...CUSTOMERS, ...settings }, THE_REST];
    const world = await createWorld({ policy: { whom: { contacts } } });
    const customer = await contact(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    const run = openConsole(world);
    expect(await run('explain', nameOf(customer))).toContain(words);
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
    const told = (await openConsole(world)('refresh', '--dry-run')) ?? '';
    expect(told).toContain('1 stale record: at most 1 credit.');
  });
});

describe('a quote', () => {
  it('without any record to look up says so, with the number of records by cause', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { whom: { contacts: [LEADS, THE_REST] } } });
    for (const index of [0, 1, 2]) await contact(world, index);
    await contact(world, 3, { lifecyclestage: 'lead', hs_linkedin_url: '' });
    const quoted = await openConsole(await aged(world))('backfill', 'quote', '--objects', 'contacts');
    expect(quoted).toContain('0 would be looked up.');
    expect(quoted).toContain('4 are left out:');
    expect(quoted).toMatch(/ 3 {2}The rule "the rest" of the policy does not look it up\./);
    expect(quoted).toMatch(/ 1 {2}Nothing to look it up by/);
    expect(quoted).toContain('Time: none, because no record would be looked up.');
    expect(quoted).toContain('Nothing to run: no record would be looked up.');
    expect(quoted).not.toContain('backfill run');
    const companies = await openConsole(world)('backfill', 'quote', '--objects', 'companies');
    expect(companies).toContain('Time: none, because no record would be looked up.');
  });

  it('says that every answer is stored only where it is', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { whom: { contacts: [CUSTOMERS] } } });
    await contact(world, 0, { lifecyclestage: 'customer' });
    const record = await contact(world, 0, { lifecyclestage: 'customer' });
    const installed = await aged(world);
    await cardOf(installed, record).ask({ id: 'card-request-1', kind: 'enrich', maxCredits: 9 });
    const quoted = await openConsole(installed)('backfill', 'quote', '--objects', 'contacts');
    expect(quoted).toContain('0 would be looked up.\n1 would use an answer for free:\n');
    expect(quoted).toContain('Time: none, because every answer is stored.');
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
