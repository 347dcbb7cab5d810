import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#inside/kernel/clock.ts';
import { isStopped, readSearchFacts } from '#inside/questions/companies/search-facts.ts';
import type { Company } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { contact, someCompany } from '../builders/people.ts';
import { isDrained, liveOn, liveUntilDrained, settleDown } from '../builders/steps.ts';
import { createWorld, type World, type WorldOptions } from '../builders/world.ts';
import { openConsole } from '../simulation/console.ts';

const COMPANIES_AGE_MS = 90 * DAY_MS;
const FAST = 100_000;

type Whims = NonNullable<WorldOptions['dataService']>;

/** A portal whose companies were enriched long ago; from now on the vendor is as it is wished. */
async function aged(
  count: number,
  whims: Whims = {},
  domainOf: (company: Company) => string | undefined = ({ domains }) => domains[0],
) {
  const world = await createWorld({
    policy: { budgets: { perDay: 5_000 }, emptySearchCost: whims.emptySearchCost ?? 'none' },
    dataService: { rateLimitPerMinute: FAST, creditBalance: 1_000_000 },
  });
  const companies: RecordName[] = [];
  const known = world.dataService.world.companies.flatMap((company) => domainOf(company) ?? []);
  for (const domain of known.slice(0, count))
    companies.push(await world.portal.create('companies', { domain }));
  await liveUntilDrained(world, { mostMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
  await world.clock.sleep(COMPANIES_AGE_MS + HOUR_MS);
  await world.changeService({ rateLimitPerMinute: 20, ...whims });
  world.wire.forget();
  return { world, companies, spentBefore: world.charged() };
}

async function refresh(world: World, mostMs = HOUR_MS) {
  const before = world.charged();
  const { chosen, worstCaseCredits } = await world.processes.refresh();
  await liveUntilDrained(world, { mostMs, everyMs: MINUTE_MS });
  expect(world.charged() - before).toBeLessThanOrEqual(worstCaseCredits);
  const questions = world.wire.questions();
  return {
    chosen,
    searches: questions.filter((path) => path.includes('/company/search')).length,
    profiles: questions.filter((path) => path.includes('/company/profile')).length,
    questions: questions.length,
  };
}

async function outcomes(world: World, records: readonly RecordName[]) {
  const states = await Promise.all(records.map((record) => world.state(record)));
  return new Set(states.map((state) => `${state?.outcome?.kind} in run ${state?.runsOpened}`));
}

/** All worlds of a process are made of the same companies: what a test changes is changed back. */
function alter(world: World, index: number, change: Record<string, unknown>): void {
  const company = someCompany(world, index);
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, Reflect.get(company, key)]));
  Object.assign(company, change);
  onTestFinished(() => void Object.assign(company, before));
}

describe('a refresh of companies', () => {
  it('asks about many in one search, and of a head count that left its range in a profile', async () => {
    const { world, companies, spentBefore } = await aged(30);
    alter(world, 0, { about: 'Makes something else now.' });
    alter(world, 1, { employeeCount: 123_456, sizeLabel: '100001 to 200000' });
    expect(await refresh(world)).toEqual({ chosen: 30, searches: 3, profiles: 1, questions: 4 });
    const [told, grown] = companies;
    if (!told || !grown) throw new Error('no companies');
    expect(await world.portal.properties(told)).toMatchObject({ description: 'Makes something else now.' });
    expect(await world.portal.properties(grown)).toMatchObject({ numberofemployees: '123456' });
    expect(await outcomes(world, companies.slice(2))).toEqual(new Set(['unchanged in run 2']));
    expect(world.charged() - spentBefore).toBe(31);
    expect(await isDrained(world)).toBe(true);
  });

  it('costs no more than its maximum if every head count has left its range', async () => {
    const { world, companies, spentBefore } = await aged(20);
    for (const index of companies.keys())
      alter(world, index, { employeeCount: 123_456, sizeLabel: '100001 to 200000' });
    expect(await refresh(world)).toMatchObject({ chosen: 20, profiles: 20 });
    expect(world.charged() - spentBefore).toBe(40);
  });

  it('learns to ask about a hundred at once, and takes a twentieth of a HubSpot request each', async () => {
    const { world, companies } = await aged(300);
    // 5, 10, 20, 40 and 25 of the first hundred, 50 and 50 of the second, the third at once.
    expect((await refresh(world)).questions).toBeLessThanOrEqual(8);
    const batches = world.wire.hubSpotRequests().filter((path) => path.includes('/batch/'));
    expect(batches.length / companies.length).toBeLessThanOrEqual(0.05);
    expect(await outcomes(world, companies)).toEqual(new Set(['unchanged in run 2']));
    expect(await isDrained(world)).toBe(true);
  });

  it('learns how many domains the vendor takes', async () => {
    const { world, companies } = await aged(40, { mostFilterValues: 9 });
    const { searches, profiles } = await refresh(world);
    expect({ searches, profiles }).toEqual({ searches: 9, profiles: 0 });
    expect(await outcomes(world, companies)).toEqual(new Set(['unchanged in run 2']));
    expect(await isDrained(world)).toBe(true);
  });

  it.each(['fuzzy', 'several'] as const)(
    'notices soon that %s results are of no use, and asks by profiles from then on',
    async (companyMatching) => {
      const { world, companies, spentBefore } = await aged(40, { companyMatching });
      const { searches } = await refresh(world);
      expect(searches).toBeLessThanOrEqual(4);
      expect(world.charged() - spentBefore).toBeLessThanOrEqual(40 + 10);
      expect(await outcomes(world, companies)).toEqual(new Set(['unchanged in run 2']));
      for (const [index, record] of companies.entries()) {
        const { name, about } = someCompany(world, index);
        const told = about === undefined ? { name } : { name, description: about };
        expect(await world.portal.properties(record)).toMatchObject(told);
      }
      expect(await isDrained(world)).toBe(true);
    },
  );

  it('writes nothing if a search returns another company under the domain, and stops such searches', async () => {
    const { world, companies } = await aged(30);
    const before = await Promise.all(companies.map((company) => world.portal.properties(company)));
    await world.changeService({ companyMatching: 'swapped' });
    await refresh(world, 2 * HOUR_MS);
    const after = await Promise.all(companies.map((company) => world.portal.properties(company)));
    const written = ['name', 'description', 'linkedin_company_page', 'phone'];
    for (const [nth, properties] of after.entries())
      for (const property of written) expect(properties[property]).toBe(before[nth]?.[property]);
    const inReview = after.filter(({ enrichment_status: status }) => status === 'review');
    expect(inReview.length).toBeGreaterThanOrEqual(5);
    expect(isStopped(await readSearchFacts(world.services.questions))).toBe(true);
  });

  it('asks by profile about whom a search does not know, and its miss costs nothing', async () => {
    const { world } = await aged(4);
    for (const index of [0, 1, 2, 3]) alter(world, index, { domains: [`gone-${index}.example.com`] });
    const spentBefore = world.charged();
    const { searches, profiles } = await refresh(world);
    expect({ searches, profiles }).toEqual({ searches: 1, profiles: 4 });
    expect(world.charged() - spentBefore).toBe(4);
    expect(await isDrained(world)).toBe(true);
  });

  it('books what a search without results costs, where the policy says that it does', async () => {
    const { world } = await aged(4, { emptySearchCost: 'base' });
    for (const index of [0, 1, 2, 3]) alter(world, index, { domains: [`gone-${index}.example.com`] });
    const spentBefore = world.charged();
    expect(await refresh(world)).toMatchObject({ searches: 1, profiles: 4 });
    expect(world.charged() - spentBefore).toBe(5);
    // The ledger is the bill.
    expect(await isDrained(world)).toBe(true);
  });

  it('knows a company by another of its domains from what its profile told', async () => {
    const { world, companies } = await aged(5, {}, ({ domains }) => domains[1]);
    expect(await refresh(world)).toMatchObject({ chosen: 5, searches: 1, profiles: 0 });
    expect(await outcomes(world, companies)).toEqual(new Set(['unchanged in run 2']));
    expect(await isDrained(world)).toBe(true);
  });

  it('keeps no lead waiting', async () => {
    const { world } = await aged(60);
    await world.processes.refresh();
    await world.processes.reconcile();
    const lead = await contact(world, 0);
    const begunAtMs = world.clock.now();
    await settleDown(world);
    const state = await world.state(lead);
    expect(state?.outcome?.kind).toBe('enriched');
    expect((state?.outcome?.atMs ?? 0) - begunAtMs).toBeLessThan(30_000);
  });

  it('books a batch without an answer by itself after a day, and asks about its companies then', async () => {
    const { world, companies, spentBefore } = await aged(5, {
      faults: [{ kind: 'reset-after', operation: 'company-search', times: 1 }],
    });
    await refresh(world);
    const doubts = () => world.services.ledger.openReservations();
    expect(await doubts()).toMatchObject([{ state: 'doubtful', operation: 'companiesByDomain' }]);
    expect(world.wire.questions().length).toBe(1);
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: HOUR_MS });
    expect(await doubts()).toEqual([]);
    // What is left of a company's price pays for one question: its profile surely tells enough.
    const profiles = companies.map(() => expect.stringContaining('/company/profile'));
    expect(world.wire.questions()).toEqual([expect.stringContaining('/company/search'), ...profiles]);
    expect(world.charged()).toBeLessThanOrEqual(spentBefore + 2 * companies.length);
    expect(await outcomes(world, companies)).toEqual(new Set(['unchanged in run 2']));
    expect(await isDrained(world)).toBe(true);
    // The charge is assumed: it stays listed until a person settles it.
    const run = openConsole(world);
    const [doubt] = JSON.parse((await run('doubts', 'list', '--json')) ?? '[]');
    expect(doubt).toMatchObject({ operation: 'companiesByDomain', credits: 5, state: 'booked as charged' });
    expect(JSON.parse((await run('spend', '--json')) ?? '{}')).toMatchObject({
      openDoubts: [],
      doubtfulCredits: 0,
      bookedDoubts: { credits: 5, isMore: false, doubts: [{ operation: 'companiesByDomain' }] },
    });
    expect(await run('spend')).toContain('Booked as charged without a proof: 5 credits in 1 request');
    expect(await run('review', 'claims')).toContain('companiesByDomain');
    const balanceOf = async () => {
      const {
        granted = 0,
        adjusted = 0,
        posted = 0,
      } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
      return granted + adjusted - posted;
    };
    const before = await balanceOf();
    await run('doubts', 'resolve', doubt.questionKey, '--not-charged', '--note', 'on no invoice');
    expect(await balanceOf()).toBe(before + 5);
    expect(await run('doubts', 'list')).toBe('No doubts.\n');
    expect(JSON.parse((await run('ledger', 'verify', '--json')) ?? '{}')).toMatchObject({ ok: true });
  });

  it('does not wait for ever for searches that are never answered', async () => {
    const { world, companies } = await aged(30, {
      faults: [{ kind: 'status', status: 500, operation: 'company-search', rate: 1 }],
    });
    await world.processes.refresh();
    await liveOn(world, { forMs: 20 * HOUR_MS, everyMs: 30 * MINUTE_MS });
    const states = await Promise.all(companies.map((record) => world.state(record)));
    // The companies of the two searches without an answer wait for a day; the others are asked about one by one.
    expect(states.filter((state) => state?.run !== undefined)).toHaveLength(10);
    expect(states.filter((state) => state?.runsOpened === 2 && !state.run)).toHaveLength(20);
  });

  it('charges a company once if two records belong to it', async () => {
    const { world, companies } = await aged(10);
    const twins: RecordName[] = [];
    for (let index = 0; index < 5; index += 1)
      twins.push(await world.portal.create('companies', { domain: someCompany(world, index).domains[0] }));
    await liveUntilDrained(world, { mostMs: HOUR_MS, everyMs: MINUTE_MS });
    await world.clock.sleep(COMPANIES_AGE_MS + HOUR_MS);
    const spent = async () => {
      const states = await Promise.all([...companies, ...twins].map((record) => world.state(record)));
      return states.reduce((sum, state) => sum + (state?.creditsSpent ?? 0), 0);
    };
    const [charged, inRecords] = [world.charged(), await spent()];
    expect(await refresh(world)).toMatchObject({ chosen: 15 });
    expect(world.charged() - charged).toBe(10);
    expect((await spent()) - inRecords).toBe(10);
  });
});
