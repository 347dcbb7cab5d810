import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { somePerson } from '../builders/people.ts';
import { type ContactRule, ruledWorld } from '../builders/ruled-world.ts';
import { isDrained, liveUntilDrained } from '../builders/steps.ts';

const THE_REST: ContactRule = { name: 'the rest', enrich: false };
const CUSTOMERS: ContactRule = { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] };

it('an import of 1,000 contacts under five rules is counted by rule, and only admitted contacts are charged', async () => {
  const rules: ContactRule[] = [
    { name: 'competitors', when: [{ property: 'city', is: 'Ulm' }], enrich: false },
    { ...CUSTOMERS, wantEmail: false },
    { name: 'leads', when: [{ property: 'lifecyclestage', is: 'lead' }], maxCredits: 1 },
    { name: 'opportunities', when: [{ property: 'lifecyclestage', is: 'opportunity' }], wantEmail: true },
    THE_REST,
  ];
  const world = await ruledWorld(
    { contacts: rules },
    {
      policy: { budgets: { perDay: 10_000 } },
      dataService: { rateLimitPerMinute: 10_000, creditBalance: 10_000 },
    },
  );
  const kinds = [
    { city: 'Ulm', lifecyclestage: 'customer' },
    { lifecyclestage: 'customer' },
    { lifecyclestage: 'lead' },
    { lifecyclestage: 'opportunity' },
    { lifecyclestage: 'other' },
  ];
  const EACH = 200;
  for (let index = 0; index < EACH * kinds.length; index += 1) {
    const properties = { ...kinds[index % kinds.length] };
    const hs_linkedin_url = `https://www.linkedin.com/in/${somePerson(world, index).networkSlug}`;
    await world.portal.create('contacts', { hs_linkedin_url, ...properties }, [], { source: 'IMPORT' });
  }
  await liveUntilDrained(world, { mostMs: 3 * HOUR_MS, everyMs: MINUTE_MS });
  expect(await isDrained(world)).toBe(true);
  const charged = new Map<string, number>();
  for (const { kind, rule = 'none', amountCredits } of await world.ledger())
    if (kind === 'posted') charged.set(rule, (charged.get(rule) ?? 0) + amountCredits);
  expect(Object.fromEntries(charged)).toEqual({
    'contacts: customers': EACH,
    'contacts: leads': EACH,
    'contacts: opportunities': 3 * EACH,
  });
  const decided = Map.groupBy(await world.states(), ({ rule, outcome }) => `${rule}: ${outcome?.kind}`);
  expect(Object.fromEntries([...decided].map(([name, states]) => [name, states.length]))).toEqual({
    'competitors: skipped': EACH,
    'customers: enriched': EACH,
    'leads: enriched': EACH,
    'opportunities: enriched': EACH,
    'the rest: skipped': EACH,
  });
});
