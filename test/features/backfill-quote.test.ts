import { describe, expect, it } from 'vitest';
import type { QuoteServices } from '#inside/enrichment/sorting/sort-records.ts';
import { backfillKind, beginSorting, newBackfill, sortPage } from '#shared/enrichment';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { homeOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { aged, minutes, operator } from '../harness/old-portal.ts';
import { createCompany, someCompany, somePerson } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

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
  for (let index = 0; index < COMPANIES; index += 1) await createCompany(world, index);
}

async function command(world: World, ...argv: readonly string[]) {
  return JSON.parse((await openConsole(world)(...argv, '--json')) ?? '');
}

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

describe('records that share a question', () => {
  const options = {
    agedMs: DAY_MS,
    policy: { budgets: { perDay: 10_000 }, questions: { wantEmail: false } },
  };

  /** Twenty companies, each of them twice, of which only profiles tell enough. */
  async function twentyTwice() {
    const questions = { companies: { technology: true } };
    const world = await createWorld({ ...options, policy: { ...options.policy, questions } });
    const made: RecordName[] = [];
    for (let index = 0; index < 40; index += 1) made.push(await createCompany(world, index % 20));
    return { world: await aged(world), made };
  }

  it('count once: forty records of twenty companies cost at most as much as twenty', async () => {
    const { world, made } = await twentyTwice();
    const command = operator(world);
    const { id, quote, strata } = await command('backfill', 'quote', '--objects', 'companies');
    expect(strata).toMatchObject([
      { records: 20, maxCredits: 2 },
      { records: 20, maxCredits: 0 },
    ]);
    expect(quote).toEqual({ atMost: 40 });
    await command('backfill', 'run', id, '--yes');
    await minutes(world, 15);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 40, spent: 40 });
    expect(world.charged()).toBe(40);
    const states = await Promise.all(made.map((record) => world.state(record)));
    expect(states.map((state) => state?.outcome?.kind)).toEqual(Array(40).fill('enriched'));
  });

  it('count once when the quote was interrupted between them', async () => {
    const { world } = await twentyTwice();
    const services = { ...world.services, policy: world.policy, clock: world.clock, installedAtMs: 0 };
    const sorting = { ...services, ownAppId: undefined, newId: () => 'r' } as unknown as QuoteServices;
    const scope = { objectType: 'companies', words: 'all of them', where: [] } as const;
    let backfill = newBackfill('b1', { scope, trialSize: world.policy.backfill, nowMs: world.clock.now() });
    await sorting.backfills.write({
      key: backfillKind.key('b1'),
      value: backfill,
      expectedVersion: undefined,
    });
    while (backfill.state === 'quoting') {
      const { ids, total } = await world.services.crm.list({
        ...scope,
        afterId: backfill.afterId,
        limit: 10,
      });
      const page = { ids, afterId: ids.at(-1), isLast: total <= ids.length };
      // Each page is sorted by a process of its own.
      const begun = await beginSorting(sorting, backfill);
      backfill = await sortPage(sorting, { backfill, page, ...begun });
    }
    expect(backfill.strata.map(({ records }) => records)).toEqual([20, 20]);
    expect(backfill.quote?.atMost).toBe(40);
  });

  it('count once after the trial too, and continue then without consent, because the rest is free', async () => {
    const policy = { ...options.policy, backfill: { trial: 20, trialPerStratum: 20 } };
    const world = await createWorld({ ...options, policy });
    for (let index = 0; index < 40; index += 1) {
      const { firstName: firstname, lastName: lastname, job } = somePerson(world, index % 20);
      await world.portal.create('contacts', { firstname, lastname, website: job.company.domains[0] ?? '' });
    }
    await aged(world);
    const command = operator(world);
    const { id, quote } = await command('backfill', 'quote', '--objects', 'contacts');
    expect(quote).toEqual({ atMost: 20 });
    const start = { kind: 'backfill', backfillId: id, move: 'start', maxCredits: 20 } as const;
    await homeOf(world).decide({ ...start, id: 'decide-start' });
    await minutes(world, 15);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 40, spent: 20 });
    expect(world.charged()).toBe(20);
  });

  it('ask nothing beyond the quote if the first record has become another company', async () => {
    const { world, made } = await twentyTwice();
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'companies');
    for (const [index, record] of made.slice(0, 5).entries())
      await world.portal.edit(record, { domain: someCompany(world, 30 + index).domains[0] ?? '' });
    await command('backfill', 'run', id, '--yes');
    await minutes(world, 15);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 40 });
    expect(world.charged()).toBeLessThanOrEqual(40);
  });
});
