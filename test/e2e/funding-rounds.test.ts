import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm/crm-record.ts';
import type { PolicyInput } from '#shared/field-policy/policy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { readRoundsFacts } from '#shared/questions/companies/rounds-facts.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { isDrained, liveOn } from '../builders/steps.ts';
import { createWorld, type World, type WorldOptions } from '../builders/world.ts';

type Whims = NonNullable<WorldOptions['dataService']>;

const RAISED = { from: 'funding/total_funding', convert: 'number', write: 'ours' } as const;

const POLICY: PolicyInput = {
  budgets: { perDay: 10_000 },
  questions: { companies: { funding: true } },
  fields: {
    companies: { total_money_raised: RAISED },
  },
  refresh: { onlyChanged: true },
};

/** A portal of companies that were bought with their funding: of some of them it is known whom a search has to name. */
async function portal(count: number, whims: Whims = {}, policy: Partial<PolicyInput> = {}) {
  const world = await createWorld({
    policy: { ...POLICY, ...policy },
    dataService: { rateLimitPerMinute: 1_000, creditBalance: 1_000_000, roundsAYear: 0.3, ...whims },
  });
  const companies: RecordName[] = [];
  for (const { domains } of world.dataService.world.companies.slice(0, count))
    companies.push(await world.portal.create('companies', { domain: domains[0] }));
  await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
  return { world, companies };
}

/** All of them become stale, and are refreshed. */
async function refresh(world: World) {
  await world.clock.sleep(90 * DAY_MS + HOUR_MS);
  world.wire.forget();
  const before = world.charged();
  const { chosen } = await world.processes.refresh();
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  const questions = world.wire.questions();
  const searches = questions.filter((path) => path.includes('/company/search')).length;
  const profiles = questions.filter((path) => path.includes('/company/profile')).length;
  expect(await isDrained(world)).toBe(true);
  return { chosen, searches, profiles, credits: world.charged() - before };
}

function facts(world: World) {
  return readRoundsFacts(world.services.forgetting);
}

async function versionOf(world: World, record: RecordName): Promise<number> {
  return (await world.stores.records.read(recordKey(record)))?.version ?? 0;
}

function otherRules({ funding }: RecordState): RecordState['funding'] {
  return funding && { ...funding, rules: 'of another policy' };
}

/** Searches for rounds so far: each is charged for the company that it has to name. */
async function looksAt(world: World): Promise<number> {
  const response = await world.dataService.handle(new Request('https://sandbox.test/_sandbox/requests'));
  const { requests } = (await response.json()) as { requests: { body?: unknown }[] };
  return requests.filter(({ body }) => JSON.stringify(body ?? '').includes('organization_funding_date'))
    .length;
}

/** What HubSpot and the vendor say that each company has raised. */
async function raised(world: World, companies: readonly RecordName[]) {
  const url = `https://sandbox.test/_sandbox/records?kind=company&limit=${companies.length}`;
  const response = await world.dataService.handle(new Request(url));
  const { records } = (await response.json()) as { records: { funding?: { total_funding: number } }[] };
  const told = await Promise.all(companies.map((record) => world.portal.properties(record)));
  return {
    inHubSpot: told.map(({ total_money_raised: value }) => Number(value ?? 0)),
    atVendor: records.map(({ funding }) => funding?.total_funding ?? 0),
  };
}

describe('a refresh that buys funding only after a round', () => {
  it('brings all that changed for about half of the credits, cycle after cycle', async () => {
    const { world, companies } = await portal(100);
    const cycles = [await refresh(world), await refresh(world), await refresh(world)];
    for (const { chosen, profiles, credits } of cycles) {
      expect(chosen).toBe(100);
      expect(profiles).toBeLessThan(30);
      expect(credits).toBeLessThan(160);
    }
    const { inHubSpot, atVendor } = await raised(world, companies);
    expect(inHubSpot).toEqual(atVendor);
    const { looked, named, changed, audited } = await facts(world);
    // One in fifty of those that were not named.
    expect(audited).toBeGreaterThan(0);
    expect(audited).toBeLessThan(looked / 10);
    expect({ looked: looked > 250, isRight: named > 0 && named === changed }).toEqual({
      looked: true,
      isRight: true,
    });
  });

  it.each([
    ['ignored', 'controls', 8],
    ['with-missing', 'controls', 30],
    ['nobody', 'controls', 8],
    ['in-days', 'controls', 8],
  ] as const)('finds out a filter that is %s at once, and buys in full', async (roundFilter, why, lost) => {
    const { world, companies } = await portal(100);
    await world.changeService({ roundFilter });
    const { profiles, credits } = await refresh(world);
    expect((await facts(world)).stopped).toMatchObject({ why });
    expect(profiles).toBe(100);
    expect(credits).toBeLessThanOrEqual(300 + lost);
    const { inHubSpot, atVendor } = await raised(world, companies);
    expect(inHubSpot).toEqual(atVendor);
  });

  it('finds out a filter that hides some of the rounds', async () => {
    const { world } = await portal(100, { roundsAYear: 2 });
    await world.changeService({ roundFilter: 'some' });
    for (let cycle = 0; cycle < 4 && !(await facts(world)).stopped; cycle += 1) await refresh(world);
    expect(['controls', 'missed']).toContain((await facts(world)).stopped?.why);
  });

  it.each(['several', 'fuzzy'] as const)('believes no search with %s results', async (companyMatching) => {
    const { world, companies } = await portal(60, { companyMatching });
    const { profiles, credits } = await refresh(world);
    expect(profiles).toBe(60);
    expect(credits).toBeLessThanOrEqual(180 + 30);
    const { inHubSpot, atVendor } = await raised(world, companies);
    expect(inHubSpot).toEqual(atVendor);
  });

  it('looks once, though HubSpot takes nothing for an hour', async () => {
    const { world, companies } = await portal(40);
    await world.clock.sleep(90 * DAY_MS + HOUR_MS);
    const before = world.charged();
    await world.processes.refresh();
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    const paid = world.charged() - before;
    expect(paid).toBeLessThan(80);
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: MINUTE_MS });
    expect(world.charged() - before).toBe(paid);
    const { inHubSpot, atVendor } = await raised(world, companies);
    expect(inHubSpot).toEqual(atVendor);
    expect(await isDrained(world)).toBe(true);
  });

  it.each([
    ['the policy took less of it before', (known: RecordState) => ({ funding: otherRules(known) })],
    ['it is another company by now', () => ({ fingerprint: 'of another company' })],
  ])('is bought in full where %s', async (_, change) => {
    const { world, companies } = await portal(20);
    const [first] = companies;
    const known = first && (await world.state(first));
    if (!known) throw new Error('no company');
    const { key, version } = { key: recordKey(known), version: await versionOf(world, known) };
    const value = { ...known, ...change(known) };
    await world.stores.records.write({ key, value, expectedVersion: version });
    await refresh(world);
    const domain = world.dataService.world.companies[0]?.domains[0];
    expect(world.wire.questions().filter((path) => path.includes(`domain=${domain}`))).toHaveLength(1);
    expect((await world.state(known))?.funding?.atMs).toBeGreaterThan(known.funding?.atMs ?? 0);
  });

  it('learns how many companies the vendor takes in one search', async () => {
    const { world } = await portal(80, { mostFilterValues: 20 });
    await refresh(world);
    expect((await refresh(world)).credits).toBeLessThan(140);
    expect((await facts(world)).stopped).toBeUndefined();
  });

  it.each([true, false])(
    'does not wait for ever for a search that is never answered (looking: %s)',
    async (looks) => {
      const questions = { companies: { funding: looks } };
      const { world, companies } = await portal(30, {}, looks ? {} : { questions, refresh: {} });
      await world.changeService({
        faults: [{ kind: 'status', status: 500, operation: 'company-search', rate: 1 }],
      });
      await world.clock.sleep(90 * DAY_MS + HOUR_MS);
      await world.processes.refresh();
      await liveOn(world, { forMs: 20 * HOUR_MS, everyMs: 10 * MINUTE_MS });
      const states = await Promise.all(companies.map((record) => world.state(record)));
      // Those of the two searches whose outcome nobody knows wait for a day.
      expect(states.filter((state) => state?.run !== undefined).length).toBeLessThanOrEqual(10);
      expect(states.filter((state) => state?.runsOpened === 2 && !state.run).length).toBeGreaterThanOrEqual(
        20,
      );
    },
  );

  it('is not looked for where nothing else is wanted', async () => {
    const fields = { companies: [{ property: 'total_money_raised', ...RAISED }] };
    const { world } = await portal(30, {}, { fields });
    expect(await refresh(world)).toMatchObject({ searches: 0, profiles: 30, credits: 90 });
  });

  it('is bought for real records where it was only proposed before', async () => {
    const { world, companies } = await portal(40, {}, { mode: 'shadow' });
    Object.assign(world.policy, { mode: 'write' });
    await refresh(world);
    const { inHubSpot, atVendor } = await raised(world, companies);
    expect(inHubSpot).toEqual(atVendor);
  });

  it('charges a company once that two records are of', async () => {
    const { world, companies } = await portal(30, { roundsAYear: 0.7 });
    const twins: RecordName[] = [];
    for (const { domains } of world.dataService.world.companies.slice(0, 10))
      twins.push(await world.portal.create('companies', { domain: domains[0], name: 'Twin' }));
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const spent = async () => {
      const states = await Promise.all([...companies, ...twins].map((record) => world.state(record)));
      return states.reduce((sum, state) => sum + (state?.creditsSpent ?? 0), 0);
    };
    const before = await spent();
    const { credits } = await refresh(world);
    // What was paid for is in the records' runs, but for the companies that proved the searches.
    const proofs = credits - ((await spent()) - before);
    expect(proofs).toBe(await looksAt(world));
  });

  it('is bought with every refresh where the policy does not say otherwise', async () => {
    const { world } = await portal(20, {}, { refresh: {} });
    expect(await refresh(world)).toMatchObject({ searches: 0, profiles: 20, credits: 60 });
  });
});
