import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { FusePlan } from '../harness/fuse.ts';
import { someCompany } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

const FIELDS = [
  { property: 'description', from: 'description', convert: 'text', write: 'fill-blank' },
  { property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' },
] as const;

const COMPANIES = 4;

/** Companies from before the installation. */
async function oldCompanies(dataService: NonNullable<WorldOptions['dataService']> = {}) {
  const policy = { budgets: { perDay: 10_000 }, fields: { companies: [...FIELDS] } };
  const world = await createWorld({ agedMs: DAY_MS, policy, dataService });
  await createCompanies(world);
  await world.clock.sleep(DAY_MS + HOUR_MS);
  await minutes(world, 5);
  expect(world.charged()).toBe(0);
  return world;
}

async function createCompanies(world: World): Promise<void> {
  for (let index = 0; index < COMPANIES; index += 1)
    await world.portal.create('companies', { domain: someCompany(world, index).domains[0] ?? '' });
}

async function command(world: World, ...argv: readonly string[]) {
  return JSON.parse((await openConsole(world)(...argv, '--json')) ?? '');
}

const minutes = (world: World, count: number) =>
  liveOn(world, { forMs: count * MINUTE_MS, everyMs: MINUTE_MS });

async function quoted(world: World): Promise<{ id: string; quote: { atMost: number } }> {
  return command(world, 'backfill', 'quote', '--objects', 'companies');
}

describe('the quote of a backfill of companies', () => {
  it('is kept when a lookup is in doubt', async () => {
    const world = await oldCompanies({
      faults: [{ kind: 'reset-after', operation: 'company-profile', times: 1 }],
    });
    const { id, quote } = await quoted(world);
    expect(quote.atMost).toBe(COMPANIES);
    await command(world, 'backfill', 'run', id, '--yes');
    await liveOn(world, { forMs: 3 * DAY_MS, everyMs: 4 * HOUR_MS });
    expect(world.charged()).toBeLessThanOrEqual(quote.atMost);
    expect(await command(world, 'backfill', 'status', id)).toMatchObject({ state: 'done' });
  });

  it.each([
    { kind: 'death', effect: 'done' },
    { kind: 'error', effect: 'none' },
  ] as const)('is kept by workers that are cut off at any one of their calls: %j', async (fate) => {
    for (let at = 1; ; at += 6 * STRIDE) {
      const course = await cutOff({ ...fate, at });
      if (!course.struck) break;
      const { charged, atMost, state } = course;
      expect({ at, state, isKept: charged <= atMost }).toEqual({ at, state: 'done', isKept: true });
    }
  });

  it('is kept when stored answers expire between quote and run', async () => {
    const world = await oldCompanies();
    // The same companies once more, as leads: what is bought for them serves the old records too.
    await createCompanies(world);
    await minutes(world, 5);
    const charged = world.charged();
    // A quote is valid for 30 days, and an answer for 90.
    await world.clock.sleep(70 * DAY_MS);
    const { id, quote } = await quoted(world);
    expect([charged, quote.atMost]).toEqual([COMPANIES, 0]);
    await world.clock.sleep(25 * DAY_MS);
    await command(world, 'backfill', 'run', id, '--yes');
    await minutes(world, 10);
    expect(await command(world, 'backfill', 'status', id)).toMatchObject({ state: 'done', spent: 0 });
    expect(world.charged()).toBe(charged);
  });
});

async function cutOff(plan: FusePlan) {
  const world = await oldCompanies();
  const { id, quote } = await quoted(world);
  await command(world, 'backfill', 'run', id, '--yes');
  const began = world.processes.fuses.length;
  world.processes.planForNext(plan);
  await liveOn(world, { forMs: 3 * DAY_MS, everyMs: 6 * HOUR_MS });
  const struck = (world.processes.fuses[began]?.calls() ?? 0) >= plan.at;
  const { state } = await command(world, 'backfill', 'status', id);
  return { struck, charged: world.charged(), atMost: quote.atMost, state };
}
