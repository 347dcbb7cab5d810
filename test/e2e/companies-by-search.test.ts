import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { someCompany } from '../builders/people.ts';
import { isDrained, liveOn } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

const COMPANIES_AGE_MS = 90 * DAY_MS;
const policy = { budgets: { perDay: 5_000 } };

async function companies(world: World, count: number) {
  const made = [];
  for (let index = 0; index < count; index += 1)
    made.push(await world.portal.create('companies', { domain: someCompany(world, index).domains[0] }));
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
  await world.clock.sleep(COMPANIES_AGE_MS + HOUR_MS);
  world.wire.forget();
  return made;
}

describe('a refresh of companies', () => {
  it('asks about many in one search, and writes what changed of each', async () => {
    const world = await createWorld({ policy });
    const made = await companies(world, 30);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 30 });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    console.log(world.wire.questions());
    console.log(
      world.logs.slice(-10),
      (await world.ledger())
        .slice(-4)
        .map(({ kind, amountCredits, operation }) => [kind, amountCredits, operation]),
    );
    console.log(await world.state(made[0]!));
    expect(await isDrained(world)).toBe(true);
  });
});
