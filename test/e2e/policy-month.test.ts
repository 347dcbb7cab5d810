import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel/clock.ts';
import { seededRandom } from '#shared/kernel/random.ts';
import { profileUrlOf, somebody, someCompany } from '../builders/people.ts';
import { compared, type PolicyChange, policyOf } from '../builders/policy-change.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

const MONTH_DAYS = 30;
/** Contacts that come in a day; every third day a company does. */
const MOST_A_DAY = 3;

const NOW: PolicyChange = {
  version: 'now',
  questions: { wantEmail: false },
  freshness: { contactsDays: 25, companiesDays: 20 },
};

/** Lives through 30 days: who comes is drawn, what is stale is refreshed each day. @returns credits. */
async function month(world: World, { seed, from }: { seed: number; from: number }): Promise<number> {
  const charged = world.charged();
  const random = seededRandom(seed);
  let nth = from;
  for (let day = 0; day < MONTH_DAYS; day += 1) {
    const coming = Math.floor(random() * (MOST_A_DAY + 1));
    for (let one = 0; one < coming; one += 1) {
      await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somebody(world, nth)) });
      nth += 1;
    }
    if (day % 3 === 0)
      await world.portal.create('companies', { domain: someCompany(world, from + day).domains[0] });
    await settleDown(world);
    await world.processes.refresh();
    await settleDown(world);
    await world.clock.sleep(DAY_MS);
    await world.processes.reconcile();
  }
  return world.charged() - charged;
}

const CHANGES: Readonly<Record<string, PolicyChange>> = {
  'a field added that has to be bought': { questions: { wantEmail: true } },
  'a freshness shortened': { freshness: { contactsDays: 10, companiesDays: 10 } },
};

describe('a month that is lived through after a change', () => {
  it.each(Object.entries(CHANGES))('stays within the range: %s', async (_, change) => {
    const world = await createWorld({ policy: NOW });
    await month(world, { seed: 5, from: 0 });
    const next = { ...NOW, ...change, version: 'next' };
    const { credits } = await compared(world, next);
    // The deployment: every process has the new policy from now on.
    Object.assign(world.policy, policyOf(next));
    const spent = await month(world, { seed: 6, from: 120 });
    const { low, high } = credits.after.credits;
    expect(spent).toBeGreaterThanOrEqual(low);
    expect(spent).toBeLessThanOrEqual(high);
    // A range that holds everything would say nothing.
    expect(high).toBeLessThan(1.6 * low);
  });
});
