import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import type { Properties } from '../harness/hubspot-portal.ts';
import { someCompany } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

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

describe('the order of refreshes', () => {
  it('asks about customers first, as the policy weighs them when the record is read', async () => {
    const budgets = { perDay: 1_000, purposes: { refresh: { perDay: 1 } } };
    const world = await createWorld({ policy: { budgets } });
    const [ordinary, customer, rejected] = [
      await company(world, 0),
      await company(world, 1, { lifecyclestage: 'customer' }),
      await company(world, 2),
    ];
    await settleDown(world);
    expect((await world.state(customer))?.weight).toBe(10);
    expect((await world.state(ordinary))?.weight).toBeUndefined();
    await grow(world, AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect(world.wire.questions()).toEqual([expect.stringContaining(someCompany(world, 1).domains[0] ?? '')]);
    expect((await world.state(rejected))?.runsOpened).toBe(1);
  });

  it('forgets the weight of a record that no row names any more', async () => {
    const world = await createWorld();
    const record = await company(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    await world.portal.edit(record, {
      lifecyclestage: 'lead',
      domain: someCompany(world, 1).domains[0] ?? '',
    });
    await settleDown(world);
    expect((await world.state(record))?.weight).toBeUndefined();
  });

  it('writes the next check with an answer: its age and the freshness of the policy, and never by itself', async () => {
    const world = await createWorld();
    const record = await company(world, 0);
    await settleDown(world);
    const { enrichment_next_check_at: next } = await world.portal.properties(record);
    expect(next).toBe(dayIn(world, 90));
    await grow(world, 30 * DAY_MS);
    await world.portal.edit(record, { city: 'Ghent' });
    await settleDown(world);
    await world.processes.reconcile();
    expect(world.wire.writes()).toEqual([]);
    await grow(world, 60 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect((await world.portal.properties(record))['enrichment_next_check_at']).toBe(dayIn(world, 90));
  });

  it('writes when a record without a match is looked up again', async () => {
    const world = await createWorld();
    const record = await world.portal.create('companies', { domain: 'not-in-the-world.example' });
    await settleDown(world);
    const { enrichment_status, enrichment_next_check_at } = await world.portal.properties(record);
    expect([enrichment_status, enrichment_next_check_at]).toEqual(['unmatched', dayIn(world, 30)]);
  });

  it('shows no next check of a record that its rule does not refresh, or refreshes no more', async () => {
    const rule = (value: string) => ({
      name: value,
      when: [{ property: 'city', is: value }],
      refresh: false,
    });
    const rules = [rule('Ghent'), { name: 'all' }];
    const world = await createWorld({ policy: { whom: { companies: rules } } });
    const [never, later] = [await company(world, 0, { city: 'Ghent' }), await company(world, 1)];
    await settleDown(world);
    const next = async (record: typeof later) =>
      (await world.portal.properties(record))['enrichment_next_check_at'] ?? '';
    expect([await next(never), await next(later)]).toEqual(['', dayIn(world, 90)]);
    await world.portal.edit(later, { city: 'Ghent', enrichment_requested: 'true' });
    await settleDown(world);
    expect(await next(later)).toBe('');
  });
});
