import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { aged, operator, untilEnded } from '../harness/old-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { compared } from '../harness/policy-change.ts';
import { repeated } from '../harness/repeated.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const options = fc.record({
  wantEmail: fc.boolean(),
  wantPhone: fc.boolean(),
  funding: fc.boolean(),
  technology: fc.boolean(),
});
const scenario = fc.record({
  options,
  maxCredits: fc.integer({ min: 1, max: 5 }),
  objectType: fc.constantFrom('contacts' as const, 'companies' as const),
  index: fc.nat(20),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** What each option costs beside the credit of the lookup, in the order in which options are chosen. */
const PRICES = { wantEmail: 2, wantPhone: 3, funding: 2, technology: 1 } as const;

const OPTIONS = {
  contacts: ['wantEmail', 'wantPhone'],
  companies: ['funding', 'technology'],
} as const;

/** The options of one lookup: each that still fits beside those before it. */
function bought({ options: wanted, maxCredits, objectType }: Scenario) {
  let price = 1;
  return OPTIONS[objectType].filter((name) => {
    const fits = wanted[name] && price + PRICES[name] <= maxCredits;
    if (fits) price += PRICES[name];
    return fits;
  });
}

const priceOf = (names: readonly (keyof typeof PRICES)[]) =>
  names.reduce((sum, name) => sum + PRICES[name], 1);

function tooDear(given: Scenario) {
  const within = bought(given);
  return OPTIONS[given.objectType].filter((name) => given.options[name] && !within.includes(name));
}

/** Whether a later lookup can buy an option that did not fit beside the others. */
const leavesOptions = (given: Scenario) => tooDear(given).some((name) => priceOf([name]) <= given.maxCredits);

/** A world with one old record, for which a rule allows so many credits. */
async function oldRecord({ options: wanted, maxCredits, objectType, index }: Scenario) {
  const { wantEmail, wantPhone, funding, technology } = wanted;
  const own = objectType === 'contacts' ? { wantEmail, wantPhone } : { funding, technology };
  const rule = { name: 'cheap', maxCredits, ...own };
  const policy = { whom: { [objectType]: [rule] } };
  const world = await createWorld({ agedMs: DAY_MS, policy });
  const domain = someCompany(world, index).domains[0] ?? '';
  const record =
    objectType === 'contacts'
      ? await contact(world, index)
      : await world.portal.create('companies', { domain });
  return { world: await aged(world), record, policy };
}

const dryRun = (world: World, { objectType, id }: RecordName) =>
  operator(world)('enrich', `${objectType}/${id}`, '--dry-run');

it('card, dry run, backfill, comparison and request agree on the price that a rule allows', async () => {
  let trimmed = 0;
  const law = fc.asyncProperty(scenario, async (given) => {
    const { world, record, policy } = await oldRecord(given);
    const price = priceOf(bought(given));
    const command = operator(world);
    const { credits, questions } = await dryRun(world, record);
    expect([credits, questions.map((one: { credits: number }) => one.credits)]).toEqual([price, [price]]);
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: 'card-quote-1', kind: 'quote' });
    expect(quoted.progress).toMatchObject({ reply: { quote: { credits: price } } });
    const { id, quote } = await command('backfill', 'quote', '--objects', given.objectType);
    expect(quote.atMost).toBe(price);
    await command('backfill', 'run', id, '--yes');
    await untilEnded(world, id);
    expect(world.charged()).toBe(price);

    // What is bought now is stored. More is only bought of options that did not fit beside it.
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    const next = await dryRun(world, record);
    expect(next.questions.map((one: { credits: number }) => one.credits)).toEqual([next.credits]);
    if (!leavesOptions(given)) expect(next.credits).toBe(0);
    const { nextCycle } = await compared(world, policy);
    expect(nextCycle.after).toBeGreaterThan(0);
    expect(nextCycle.after).toBeLessThanOrEqual(given.maxCredits);
    const again = await card.ask({ id: 'card-quote-2', kind: 'quote' });
    expect(again.progress).toMatchObject({ reply: { quote: { credits: next.credits } } });
    const explained = await command('explain', `${record.objectType}/${record.id}`);
    expect(explained.refresh.credits).toBeGreaterThanOrEqual(Math.max(price, next.credits));
    expect(explained.refresh.credits).toBeLessThanOrEqual(given.maxCredits);
    await card.ask({ id: 'card-enrich-1', kind: 'enrich', maxCredits: next.credits });
    await settleDown(world);
    expect(['enriched', 'unchanged']).toContain((await world.state(record))?.outcome?.kind);
    expect(world.charged()).toBe(price + next.credits);
    if (tooDear(given).length > 0) trimmed += 1;
  });
  await fc.assert(law, { seed: 20_261_124, numRuns: repeated(30) });
  expect(trimmed).toBeGreaterThan(repeated(10));
});
