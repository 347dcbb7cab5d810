import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { backfillKind } from '#shared/enrichment';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { readReport } from '#shared/spend';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { aged, begun, minutes, oldPortal, operator, untilEnded } from '../harness/old-portal.ts';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { isDrained, liveOn, refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';
import { tablesIn } from '../unit/functions/report-spend/read-html.ts';

describe('a quote', () => {
  it('reads for nothing, and says what is left out and why', async () => {
    const world = await oldPortal(30);
    await world.portal.create('contacts', { firstname: 'Nobody' });
    await world.portal.create('contacts', { email: 'someone@gmail.com' });
    const command = operator(world);
    const quote = await command('backfill', 'quote', '--objects', 'contacts');
    expect(quote).toMatchObject({ state: 'quoted', seen: 32, records: 30, spent: 0 });
    expect(quote.leftOut).toEqual({
      [explanationText(because('no-identifier'))]: 1,
      [explanationText(because('free-mail-only'))]: 1,
    });
    expect(quote.quote).toEqual({ atMost: 30 });
    expect(world.charged()).toBe(0);
    expect(world.wire.writes()).toEqual([]);
    expect(quote.strata).toMatchObject([{ records: 30, hitCredits: 1, missCredits: 1, maxCredits: 1 }]);
  });

  it('has one kind of question for each way to ask, and no expected cost without a match rate', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { noMatchCost: 'none' } });
    for (let index = 0; index < 12; index += 1) {
      const person = somePerson(world, index);
      const known = index % 2 ? { hs_linkedin_url: profileUrlOf(person) } : { email: person.job.email ?? '' };
      await world.portal.create('contacts', known);
    }
    await aged(world);
    const { quote, strata } = await operator(world)('backfill', 'quote', '--objects', 'contacts');
    expect(strata).toMatchObject([
      { records: 6, hitCredits: 1, missCredits: 0, maxCredits: 1 },
      { records: 6, hitCredits: 3, missCredits: 0, maxCredits: 3 },
    ]);
    expect(quote).toEqual({ atMost: 24 });
  });

  it('is for those that a filter finds, or for a list of ids', async () => {
    const world = await oldPortal(6);
    await world.portal.create('contacts', { email: somePerson(world, 7).job.email ?? '', city: 'Lyon' });
    const command = operator(world);
    const filtered = await command('backfill', 'quote', '--objects', 'contacts', '--where', 'city=Lyon');
    expect(filtered).toMatchObject({ seen: 1, records: 1, scope: 'city=Lyon' });
    const folder = await mkdtemp(join(tmpdir(), 'ids-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'ids.csv');
    const [first, second] = world.people;
    await writeFile(file, `Record ID,Name\n"${second?.id}",B\n${first?.id},A\n999999999,C\n`);
    const listed = await command('backfill', 'quote', '--objects', 'contacts', '--ids', file);
    expect(listed).toMatchObject({ seen: 3, records: 2, leftOut: { [explanationText(because('gone'))]: 1 } });
  });
});

describe('a backfill', () => {
  it('asks a random trial first, then the rest, costs what it says, and counts what it found', async () => {
    const world = await oldPortal(120);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    expect((await command('backfill', 'status', id)).state).toBe('trial');
    const inTrial = (await world.states()).filter(({ run }) => run).map(({ id }) => id);
    expect(inTrial).toHaveLength(100);
    // Old and new ones alike.
    const older = new Set(world.people.slice(0, 60).map((person) => person.id));
    expect(Math.abs(inTrial.filter((each) => older.has(each)).length - 50)).toBeLessThan(12);
    await untilEnded(world, id);
    const done = await command('backfill', 'status', id);
    expect(done).toMatchObject({ state: 'done', ended: 120, spent: 120, hits: 80, filled: 80 });
    expect(done.matchRate).toBeCloseTo(2 / 3, 1);
    expect(world.charged()).toBe(120);
    const purposes = (await world.ledger()).map(({ purpose }) => purpose);
    expect(new Set(purposes)).toEqual(new Set(['backfill']));
    expect(await isDrained(world)).toBe(true);
    // Once more, everything is known.
    const again = await command('backfill', 'quote', '--objects', 'contacts');
    expect(again.quote).toMatchObject({ atMost: 0, matchRate: 80 / 120 });
  });

  it('waits while a person has paused it', async () => {
    const world = await oldPortal(12);
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'contacts');
    // Nobody is there to be asked.
    expect(await command('backfill', 'run', id)).toBeUndefined();
    await command('backfill', 'run', id, '--yes');
    await world.processes.reconcile();
    expect(await command('backfill', 'pause', id)).toMatchObject({ state: 'paused', ended: 0 });
    await minutes(world, 10);
    const rest = await command('backfill', 'status', id);
    expect(rest).toMatchObject({ state: 'paused', pause: { by: 'person' } });
    // Nothing is looked up while it is paused.
    expect(rest).toMatchObject({ ended: 0, spent: 0 });
    expect(world.charged()).toBe(0);
    await command('backfill', 'resume', id);
    await untilEnded(world, id);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 12 });
    expect(await command('backfill', 'resume', id)).toBeUndefined();
  });

  it('pauses where fewer match than was agreed, with examples, and goes on where a person says so', async () => {
    const world = await oldPortal(120, { isKnown: (index) => index % 20 === 0 });
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'contacts');
    await command('backfill', 'run', id, '--yes', '--min-match-rate', '50');
    await untilEnded(world, id);
    const stopped = await command('backfill', 'status', id);
    expect(stopped).toMatchObject({ state: 'paused', pause: { by: 'match-rate' } });
    expect(stopped.pause.examples).toHaveLength(5);
    expect(world.charged()).toBeLessThan(110);
    await command('backfill', 'resume', id);
    await untilEnded(world, id);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 120 });
  });

  it('says why nothing moves while its budget is used up, and goes on the next day', async () => {
    const world = await oldPortal(60, {
      policy: {
        questions: { wantEmail: false },
        budgets: { perDay: 10_000, purposes: { backfill: { perDay: 40 } } },
      },
    });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await minutes(world, 8);
    expect(world.charged()).toBe(40);
    const { holding, state } = await command('backfill', 'status', id);
    expect({ state, waitsFor: holding?.code }).toEqual({ state: 'trial', waitsFor: 'budget' });
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', spent: 60 });
  });

  it('never costs more than its quote, whatever becomes of a record meanwhile', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { questions: { wantPhone: true } } });
    const record = await world.portal.create('contacts', { email: somePerson(world, 0).job.email ?? '' });
    await aged(world);
    const command = operator(world);
    const { id, quote } = await command('backfill', 'quote', '--objects', 'contacts');
    expect(quote.atMost).toBe(1);
    // A profile would be asked for with a phone now: four credits.
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 0)) });
    await command('backfill', 'run', id, '--yes');
    await minutes(world, 5);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 1, spent: 0 });
    expect(world.charged()).toBe(0);
    expect((await world.state(record))?.outcome?.reason).toMatchObject({
      code: 'price-risen',
      params: { price: 4 },
    });
  });

  it('takes companies, and makes no fresh lead wait', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 10_000 } } });
    for (let index = 0; index < 60; index += 1)
      await world.portal.create('companies', { domain: someCompany(world, index).domains[0] ?? '' });
    await aged(world);
    const command = operator(world);
    const id = await begun(command, 'companies');
    await minutes(world, 1);
    const lead = await contact(world, 0);
    await minutes(world, 2);
    expect((await world.state(lead))?.outcome?.kind).toBe('enriched');
    await untilEnded(world, id);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 60 });
  });

  it('counts records of which HubSpot refuses a bought value as damaged', async () => {
    const world = await oldPortal(10);
    const rule = { objectType: 'contact', propertyName: 'jobtitle', ruleType: 'MAX_LENGTH' } as const;
    await world.portal.change({ valueRules: [{ ...rule, ruleArguments: ['1'] }] });
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'contacts');
    await command('backfill', 'run', id, '--yes');
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    const { ended, hits } = await command('backfill', 'status', id);
    expect(ended).toBe(10);
    expect(hits).toBeGreaterThan(0);
    expect((await world.services.backfills.read(backfillKind.key(id)))?.value.damaged).toBe(hits);
  });

  it('counts who is forgotten or merged on the way, and ends all the same', async () => {
    const world = await oldPortal(40, { isKnown: () => true });
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'contacts');
    const [gone, loser, winner] = world.people;
    if (!gone || !loser || !winner) throw new Error('There are too few people.');
    await world.portal.erase(gone);
    await world.portal.merge(winner, loser);
    await settleDown(world);
    await command('backfill', 'run', id, '--yes');
    await untilEnded(world, id);
    const done = await command('backfill', 'status', id);
    expect(done).toMatchObject({ state: 'done', ended: 40, records: 40 });
    expect(done.spent).toBe(world.charged());
    expect(await isDrained(world)).toBe(true);
  });

  it.each([
    ['error', 'none'],
    ['error', 'done'],
    ['death', 'none'],
    ['death', 'done'],
  ] as const)(
    'goes on where it was, whenever a sweep is cut off: %s, its last call %s',
    async (kind, effect) => {
      const people = 7;
      for (let at = 1; at < 80; at += 9 * STRIDE) {
        const world = await oldPortal(people);
        const command = operator(world);
        const id = await begun(command, 'contacts');
        for (let again = 0; again < 3; again += 1) {
          world.processes.planForSweeps({ strike: { at: at + again, kind, effect } });
          await world.processes.reconcile().catch(() => undefined);
          world.processes.planForSweeps({});
          await settleDown(world);
        }
        // A message that was lost on its way is sent again after an hour.
        await liveOn(world, { forMs: 2 * HOUR_MS, everyMs: 20 * MINUTE_MS });
        const { state, ended, spent } = await command('backfill', 'status', id);
        expect({ at, state, ended, spent }).toEqual({ at, state: 'done', ended: people, spent: people });
        expect(world.charged()).toBe(people);
        // The first one was before the installation.
        expect((await world.states()).map(({ runsOpened }) => runsOpened)).toEqual(Array(people).fill(2));
      }
    },
  );

  it('is moved by one of two sweeps that come at once', async () => {
    const world = await oldPortal(20);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    for (let sweep = 0; sweep < 4; sweep += 1) {
      await Promise.all([world.processes.reconcile(), world.processes.reconcile()]);
      await settleDown(world);
    }
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', ended: 20, spent: 20 });
    expect(world.charged()).toBe(20);
  });

  it('stands in the spend page and in the list, with what it spent, found and filled', async () => {
    const world = await oldPortal(30);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await untilEnded(world, id);
    const { services, clock, policy } = world;
    const report = await readReport({ ...services, clock, timeZone: policy.timeZone });
    expect(report.backfills).toMatchObject([{ id, state: 'done', spent: 30 }]);
    expect(tablesIn(spendPage(report)).find(({ rows }) => rows[0]?.includes('Filled'))?.rows[1]).toContain(
      '20',
    );
    const { backfills } = await command('backfill', 'list');
    expect(backfills).toMatchObject([{ id, spent: 30, hits: 20, filled: 20, quote: { atMost: 30 } }]);
  });
});

describe('a record that a backfill enriched', () => {
  it('is refreshed when it is stale, and looked up again when its email changes', async () => {
    const world = await oldPortal(2, { isKnown: () => true });
    const [first, second] = world.people as [RecordName, RecordName];
    // A change before the backfill is none of our business.
    await world.portal.edit(first, { email: somePerson(world, 2).job.email ?? '' });
    await settleDown(world);
    expect(world.charged()).toBe(0);
    await untilEnded(world, await begun(operator(world), 'contacts'));
    const spent = world.charged();
    expect(spent).toBe(2);
    await world.portal.edit(first, { email: somePerson(world, 3).job.email ?? '' });
    await settleDown(world);
    expect(world.charged()).toBe(spent + 1);
    await refreshAfter(world, 181 * DAY_MS);
    expect(world.charged()).toBe(spent + 3);
    for (const record of [first, second])
      expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged' });
  });
});
