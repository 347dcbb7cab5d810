import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS } from '#inside/kernel/clock.ts';
import type { Properties } from '../builders/hubspot-portal.ts';
import { someCompany } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

const AGE_MS = 90 * DAY_MS;

const company = (world: World, index: number, more: Properties = {}) =>
  world.portal.create('companies', { domain: someCompany(world, index).domains[0], ...more });

async function grow(world: World, ms: number): Promise<void> {
  await world.clock.sleep(ms);
  world.wire.forget();
}

/** The day that is so many days after now: `2026-11-21`. */
const dayIn = (world: World, days: number) =>
  new Date(world.clock.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('the refresh by worth', () => {
  it('asks about customers first, as the policy weighs them when the record is read', async () => {
    // One company: its search, and the profile that may follow.
    const budgets = { perDay: 1_000, purposes: { refresh: { perDay: 2 } } };
    const world = await createWorld({ policy: { budgets } });
    const [ordinary, customer, rejected] = [
      await company(world, 0),
      await company(world, 1, { lifecyclestage: 'customer' }),
      await company(world, 2),
    ];
    await settleDown(world);
    expect((await world.state(customer))?.worth).toEqual({ w: 10, g: 0, because: 'customer' });
    expect((await world.state(ordinary))?.worth).toBeUndefined();
    await grow(world, AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect(world.wire.questions()).toEqual([expect.stringContaining(someCompany(world, 1).domains[0] ?? '')]);
    expect((await world.state(rejected))?.runsOpened).toBe(1);
  });

  it('learns how often a record changes from what its answers say, but not from what a person wrote', async () => {
    const world = await createWorld();
    const records = [await company(world, 0), await company(world, 1), await company(world, 2)];
    const [grown, same, theirs] = records as [RecordOf, RecordOf, RecordOf];
    await settleDown(world);
    const first = await world.portal.properties(same);
    // At 0.3 changes a year it is still true with 80% after 304 days.
    expect(first['enrichment_trust_until']).toBe(dayIn(world, 304));
    const changed = [someCompany(world, 0), someCompany(world, 2)];
    const before = changed.map(({ employeeCount, sizeLabel }) => ({ employeeCount, sizeLabel }));
    // All worlds of a process are made of the same companies.
    onTestFinished(() => {
      for (const [index, each] of changed.entries()) Object.assign(each, before[index]);
    });
    for (const each of changed)
      Object.assign(each, { employeeCount: 123_456, sizeLabel: '100001 to 200000' });
    const ours = Object.keys(await world.portal.properties(theirs));
    const typed = ours.filter((name) => !name.startsWith('enrichment_') && name !== 'domain');
    for (const name of typed)
      if (/^(description|phone|hs_logo_url|hs_employee_range|hs_industry_group)$/.test(name))
        await world.portal.edit(theirs, { [name]: 'typed by somebody' });
    await world.portal.edit(theirs, { numberofemployees: '7' });
    await settleDown(world);
    await grow(world, AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    const [a, b, c] = await Promise.all(records.map((record) => world.state(record)));
    expect(a?.changeRate?.a).toBeGreaterThan(2);
    expect(b?.changeRate).toEqual({ a: 1, b: expect.closeTo(365.25 / 0.3 + 90, 0) });
    // What is left of ours says the same; that somebody else's differs says nothing.
    expect(c?.changeRate?.a ?? 1).toBe(1);
    const [ofGrown, ofSame] = await Promise.all([grown, same].map((one) => world.portal.properties(one)));
    expect(ofSame?.['enrichment_trust_until']).toBe(dayIn(world, 327));
    expect(String(ofGrown?.['enrichment_trust_until'])).toMatch(dayIn(world, 154).slice(0, 7));
  });

  it('writes until when to trust a record with its answer, and never by itself', async () => {
    const world = await createWorld();
    const record = await company(world, 0);
    await settleDown(world);
    const { enrichment_trust_until: until } = await world.portal.properties(record);
    await grow(world, 30 * DAY_MS);
    await world.portal.edit(record, { city: 'Ghent' });
    await settleDown(world);
    await world.processes.reconcile();
    expect(world.wire.writes()).toEqual([]);
    expect((await world.portal.properties(record))['enrichment_trust_until']).toBe(until);
  });
});

type RecordOf = Awaited<ReturnType<typeof company>>;
