import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { contact, jobChanger, profileUrlOf, someCompany } from '../harness/people.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const CONTACTS_AGE_MS = 180 * DAY_MS;

function company(world: World, index: number) {
  return world.portal.create('companies', { domain: someCompany(world, index).domains[0] });
}

async function spentOnRecords(world: World): Promise<number> {
  const states = await world.states();
  return states.reduce((sum, { creditsSpent }) => sum + creditsSpent, 0);
}

/** What is left for later is told of as far as it was seen. */
const isSome = (left: number) => left >= 1 && left <= 2;

/** Lets the clock pass a record's age without anything else happening. */
async function grow(world: World, ms: number): Promise<void> {
  await world.clock.sleep(ms);
  world.wire.forget();
}

describe('the refresh', () => {
  it('asks again for exactly the records that are past their age, and a second run selects none', async () => {
    const world = await createWorld();
    const old = [await contact(world, 0), await company(world, 0)];
    await settleDown(world);
    await world.clock.sleep(60 * DAY_MS);
    const young = [await contact(world, 1), await company(world, 1)];
    await settleDown(world);
    await grow(world, 30 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1, left: 0 });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    await settleDown(world);
    expect(world.wire.questions()).toEqual([expect.stringContaining(someCompany(world, 0).domains[0])]);
    await grow(world, 90 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    const runs = await Promise.all([...old, ...young].map((record) => world.state(record)));
    expect(runs.map((state) => state?.runsOpened)).toEqual([2, 3, 1, 2]);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    expect(await isDrained(world)).toBe(true);
    const byPurpose = (await world.ledger())
      .filter(({ kind }) => kind === 'posted')
      .map(({ purpose }) => purpose);
    expect(byPurpose.filter((purpose) => purpose === 'refresh').length).toBe(4);
  });

  it('charges a company once if two records belong to it', async () => {
    const world = await createWorld();
    for (const index of [0, 0, 1]) await company(world, index);
    await settleDown(world);
    await grow(world, 90 * DAY_MS + HOUR_MS);
    const [charged, inRecords] = [world.charged(), await spentOnRecords(world)];
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3, worstCaseCredits: 3 });
    await settleDown(world);
    expect(world.charged() - charged).toBe(2);
    expect((await spentOnRecords(world)) - inRecords).toBe(2);
  });

  it('writes only what changed, and nothing that a person changed', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: CONTACTS_AGE_MS });
    const properties = { hs_linkedin_url: profileUrlOf(mover) };
    const left = await world.portal.create('contacts', properties);
    const kept = await world.portal.create('contacts', properties);
    const still = await contact(world, 0);
    await settleDown(world);
    expect(await world.portal.properties(left)).toMatchObject({ jobtitle: mover.job.title });
    await world.portal.edit(kept, { jobtitle: 'Chief of Everything' });
    await settleDown(world);
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    expect(await world.portal.properties(left)).toMatchObject({
      jobtitle: mover.nextJob.title,
      company: mover.nextJob.company.name,
      enrichment_status: 'enriched',
    });
    // Two employers are never mixed: beside a person's title the old company stays.
    expect(await world.portal.properties(kept)).toMatchObject({
      jobtitle: 'Chief of Everything',
      company: mover.job.company.name,
      enrichment_status: 'review',
    });
    const written = world.wire.writes().map(({ id, properties }) => [id, Object.keys(properties)]);
    const news = ['last_at', 'credits', 'status', 'next_check_at'].map((name) => `enrichment_${name}`);
    const ofStill = written.find(([id]) => id === still.id)?.[1] ?? [];
    expect([...ofStill].sort()).toEqual(news.sort());
    const ofKept = written.find(([id]) => id === kept.id)?.[1] ?? [];
    expect(ofKept).not.toContain('jobtitle');
    expect(await isDrained(world)).toBe(true);
  });

  it('of companies brings in what has changed after a hundred days, but for what somebody corrected', async () => {
    const world = await createWorld();
    const [grown, corrected] = [await company(world, 0), await company(world, 1)];
    await settleDown(world);
    await world.portal.edit(corrected, { numberofemployees: '7' });
    const [one, other] = [someCompany(world, 0), someCompany(world, 1)];
    const before = [one, other].map(({ employeeCount, sizeLabel }) => ({ employeeCount, sizeLabel }));
    // All worlds of a process are made of the same companies.
    onTestFinished(() => {
      for (const [index, company] of [one, other].entries()) Object.assign(company, before[index]);
    });
    // A head count that is still in its range would not be asked for.
    for (const company of [one, other])
      Object.assign(company, { employeeCount: 432_100, sizeLabel: '100001 to 500000' });
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    await grow(world, 100 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 2 });
    await settleDown(world);
    expect(await world.portal.properties(grown)).toMatchObject({ numberofemployees: '432100' });
    expect(await world.portal.properties(corrected)).toMatchObject({ numberofemployees: '7' });
    expect(world.wire.writes().filter(({ properties }) => 'numberofemployees' in properties).length).toBe(1);
  });

  it('stays within its budget, however often it runs before the work is done, and goes on the next day', async () => {
    const budgets = { perDay: 1_000, purposes: { refresh: { perDay: 4 } } };
    const world = await createWorld({ policy: { budgets, questions: { wantEmail: false } } });
    for (let index = 0; index < 4; index += 1) await contact(world, index);
    for (let index = 0; index < 2; index += 1) await company(world, index);
    await settleDown(world);
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 4, left: expect.toSatisfy(isSome) });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: expect.toSatisfy(isSome) });
    await settleDown(world);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: expect.toSatisfy(isSome) });
    expect(world.wire.questions().length).toBe(4);
    await world.clock.sleep(DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 2, left: 0 });
    await settleDown(world);
    expect(world.wire.questions().length).toBe(6);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    const refreshes = (await world.ledger()).filter(({ purpose }) => purpose === 'refresh');
    expect(refreshes.filter(({ kind }) => kind === 'posted').length).toBe(6);
    expect(await isDrained(world)).toBe(true);
  });

  it('does not choose a record for ever that it cannot bring up to date', async () => {
    const world = await createWorld();
    const [gone, optedOut, refused] = [
      await contact(world, 0),
      await contact(world, 1),
      await contact(world, 2),
    ];
    await settleDown(world);
    await world.portal.archive(gone);
    await world.portal.edit(optedOut, { hs_contact_enrichment_opt_out: 'true' });
    const faults = [
      { kind: 'status', status: 400, path: 'batch/update', recordId: refused.id, rate: 1 },
    ] as const;
    await world.portal.change({ faults });
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    const states = await Promise.all([gone, optedOut, refused].map((record) => world.state(record)));
    expect(states.map((state) => state?.outcome?.kind)).toEqual(['skipped', 'skipped', 'unchanged']);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
  });

  it('of a record with nothing left to fill asks nothing, and leaves it enriched', async () => {
    const name = { property: 'name', from: 'name', convert: 'text', write: 'fill-blank' } as const;
    const world = await createWorld({ policy: { fields: { companies: [name] } } });
    const record = await company(world, 0);
    await settleDown(world);
    await grow(world, 90 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect([world.wire.questions(), world.wire.writes()]).toEqual([[], []]);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged', credits: 0 });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
  });

  it('loses nothing that it chose when the queue refuses', async () => {
    const world = await createWorld();
    const record = await contact(world, 0);
    await settleDown(world);
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    world.queues.bulk.refuse(1);
    await expect(world.processes.refresh()).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
    await liveOn(world, { forMs: 8 * HOUR_MS, everyMs: 15 * MINUTE_MS });
    expect(await world.state(record)).toMatchObject({ runsOpened: 2, creditsSpent: 4 });
    expect(world.queues.bulk.accepted().length).toBe(1);
    expect(await isDrained(world)).toBe(true);
  });
});
