import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { QuoteServices } from '#inside/extensions/backfill/sorting.ts';
import { spendPage } from '#inside/spend/page/page.ts';
import { recordKey } from '#shared/crm';
import {
  backfillItems,
  backfillKind,
  beginSorting,
  newBackfill,
  sortPage,
} from '#shared/extensions/backfill';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import { because, explanationText } from '#shared/records';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import {
  aged,
  begun,
  minutes,
  type OldPortal,
  oldPortal,
  operator,
  untilEnded,
} from '../harness/old-portal.ts';
import {
  contact,
  contactByEmail,
  createCompany,
  profileUrlOf,
  someCompany,
  somePerson,
} from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import { isDrained, liveOn, refreshAfter, reportOf, settleDown, settled } from '../harness/steps.ts';
import { putsOf, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { figuresAt } from '../unit/functions/report-spend/read-html.ts';

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
    await contactByEmail(world, 7, { city: 'Lyon' });
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

  it('counts an answer that needs review as found, and so do the results of the day', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { questions: { wantEmail: false } } });
    const email = somePerson(world).job.email ?? '';
    await world.portal.create('contacts', { email, firstname: 'Xanthippe', lastname: 'Quux' });
    await aged(world);
    const command = operator(world);
    const done = async () => {
      const id = await begun(command, 'contacts');
      await untilEnded(world, id);
      return command('backfill', 'status', id);
    };
    expect(await done()).toMatchObject({ ended: 1, hits: 1, misses: 0, filled: 0, matchRate: 1 });
    expect((await reportOf(world)).total).toMatchObject({ matchRate: 1, filledFields: 0 });
  });

  it('looks up nothing again where all records were looked up, matched or not', async () => {
    const world = await oldPortal(9);
    const command = operator(world);
    await untilEnded(world, await begun(command, 'contacts'));
    const again = await command('backfill', 'quote', '--objects', 'contacts');
    expect(again).toMatchObject({ seen: 9, records: 0, leftOut: { [explanationText(because('fresh'))]: 9 } });
    expect(again).not.toHaveProperty('matchRate');
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
    await command('backfill', 'run', id, '--yes', '--min-match-rate', '50', '--max-damage', '90');
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

  it('takes companies, and makes no fresh lead wait', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 10_000 } } });
    for (let index = 0; index < 60; index += 1) await createCompany(world, index);
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
    expect((await world.items(backfillKind).read(backfillKind.key(id)))?.value.damaged).toBe(hits);
  });

  it('counts who is forgotten or merged on the way, and ends all the same', async () => {
    const world = await oldPortal(40, { isKnown: () => true });
    const command = operator(world);
    const { id } = await command('backfill', 'quote', '--objects', 'contacts');
    const [gone, loser, winner] = world.people;
    if (!gone || !loser || !winner) throw new Error('There are too few people.');
    await world.portal.erase(gone);
    await settled(world, world.portal.merge(winner, loser));
    await command('backfill', 'run', id, '--yes');
    await untilEnded(world, id);
    const done = await command('backfill', 'status', id);
    expect(done).toMatchObject({ state: 'done', ended: 40, records: 40 });
    expect(done.spent).toBe(world.charged());
    expect(await isDrained(world)).toBe(true);
  });

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
});

it('a record that a backfill enriched is refreshed when it is stale, and looked up again when its email changes', async () => {
  const world = await oldPortal(2, { isKnown: () => true });
  const [first, second] = world.people as [RecordName, RecordName];
  // A change before the backfill is none of our business.
  await settled(world, world.portal.edit(first, { email: somePerson(world, 2).job.email ?? '' }));
  expect(world.charged()).toBe(0);
  await untilEnded(world, await begun(operator(world), 'contacts'));
  const spent = world.charged();
  expect(spent).toBe(2);
  await settled(world, world.portal.edit(first, { email: somePerson(world, 3).job.email ?? '' }));
  expect(world.charged()).toBe(spent + 1);
  await refreshAfter(world, 181 * DAY_MS);
  expect(world.charged()).toBe(spent + 3);
  for (const record of [first, second])
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged' });
});

const NOT_YET = { whom: { contacts: [{ name: 'not yet', enrich: false }] } };

const PLAIN = { questions: { wantEmail: false } };

/** A lookup by name costs more than by `PLAIN`. */
const WITH_PHONE = { questions: { wantEmail: false, wantPhone: true } };

/** Creates contacts that a rule keeps out, then removes the rule. Their names are all that is known of them. */
async function namedContacts(count: number): Promise<World & { readonly people: readonly RecordName[] }> {
  const world = await createWorld({ policy: { ...PLAIN, ...NOT_YET } });
  const people: RecordName[] = [];
  for (let index = 0; index < count; index += 1) {
    const { firstName: firstname, lastName: lastname, job } = somePerson(world, index);
    const website = job.company.domains[0] ?? '';
    people.push(await world.portal.create('contacts', { firstname, lastname, website }));
  }
  await minutes(world, 10);
  expect(world.charged()).toBe(0);
  world.changePolicy(PLAIN);
  return { ...world, people };
}

/** Credits that the ledger has for the purpose of backfills. */
async function bookedForBackfills(world: World): Promise<number> {
  const own = (await world.ledger()).filter(
    ({ kind, purpose }) => kind === 'posted' && purpose === 'backfill',
  );
  return own.reduce((sum, { amountCredits }) => sum + amountCredits, 0);
}

it('the credits of a backfill leave out what an event bought that joined the run of a record', async () => {
  const world = await namedContacts(3);
  const command = operator(world);
  const id = await begun(command, 'contacts');
  await world.processes.reconcile();
  world.changePolicy(WITH_PHONE);
  const [first] = world.people;
  if (!first) throw new Error('There is no contact.');
  await world.portal.edit(first, { website: `www.${somePerson(world).job.company.domains[0]}` });
  await untilEnded(world, id);
  const { state, ended, spent } = await command('backfill', 'status', id);
  expect(world.charged()).toBe(4);
  expect({ state, ended, spent }).toEqual({
    state: 'done',
    ended: 3,
    spent: await bookedForBackfills(world),
  });
});

const DEARER = explanationText(because('price-risen', { price: 4, limit: 1 }));

it('a backfill is in the report of spend from its start on, not as a quote', async () => {
  const world = await namedContacts(1);
  const command = operator(world);
  const { id } = await command('backfill', 'quote', '--objects', 'contacts');
  expect((await reportOf(world)).backfills).toEqual([]);
  await command('backfill', 'run', id, '--yes');
  expect((await reportOf(world)).backfills).toMatchObject([{ id }]);
});

it('records of a backfill that were not looked up are counted apart and told of in HubSpot, with the reason and what to do', async () => {
  const world = await namedContacts(10);
  const trial = { backfill: { trial: 4, trialPerStratum: 4 } };
  world.changePolicy({ ...PLAIN, ...trial });
  const command = operator(world);
  const { id } = await command('backfill', 'quote', '--objects', 'contacts');
  const decide = async (move: 'start' | 'approve') =>
    homeOf(world).decide({ id: `decide-${move}`, kind: 'backfill', backfillId: id, move, maxCredits: 10 });
  await decide('start');
  await minutes(world, 5);
  await decide('approve');
  // The policy changes between the trial of four records and the other six.
  world.changePolicy({ ...WITH_PHONE, ...trial });
  await untilEnded(world, id);
  const status = await command('backfill', 'status', id);
  expect(status).toMatchObject({ state: 'done', ended: 10, hits: 4, others: 6 });
  expect(status.withoutResult).toEqual({ [DEARER]: 6 });
  const told = await openConsole(world)('backfill', 'status', id);
  expect(told).toContain(`  6  ${DEARER}\n`);
  expect(told).toContain('backfill quote --objects contacts');
  expect(await openConsole(world)('backfill', 'list')).toMatch(/10 of 10 +6 +4 /);
  const [done, all, , , others] = figuresAt(spendPage(await reportOf(world)), `data-backfill="${id}"`) ?? [];
  expect([done, all, others]).toEqual(['10', '10', '6']);
  const skipped = (await world.states()).filter(({ outcome }) => outcome?.reason.code === 'price-risen');
  expect(skipped).toHaveLength(6);
  for (const record of skipped)
    expect(await world.portal.properties(record)).toMatchObject({
      enrichment_status: 'skipped',
      enrichment_reason: DEARER,
    });
});

it('a stop of a person is the cause of the wait from the moment of the stop until the moment of the resume', async () => {
  const world = await namedContacts(3);
  const { breakers } = world.services.questions;
  const run = openConsole(world);
  const command = operator(world);
  const id = await begun(command, 'contacts');
  const holds = async () => {
    const { backfills } = await command('backfill', 'list');
    const reported = (await reportOf(world)).backfills?.[0];
    return [await command('backfill', 'status', id), backfills[0], reported].map(
      ({ holding }) => holding?.code,
    );
  };
  await world.processes.reconcile();
  expect(await holds()).toEqual([undefined, undefined, undefined]);
  await breakers.stop({ reason: 'budget review' });
  const byPerson = ['stopped-by-person', 'stopped-by-person', 'stopped-by-person'];
  expect(await holds()).toEqual(byPerson);
  expect(await run('backfill', 'status', id)).toContain('budget review');
  await minutes(world, 10);
  expect(await holds()).toEqual(byPerson);
  expect(await command('backfill', 'status', id)).toMatchObject({ spent: 0 });
  await breakers.resume();
  expect(await holds()).not.toContain('stopped-by-person');
  await world.processes.reconcile();
  expect(await holds()).toEqual([undefined, undefined, undefined]);
});

it.each([30, 40])(
  'a backfill of stored answers needs no budget, whatever is left of %d credits',
  async (perDay) => {
    const world = await createWorld({ policy: { ...PLAIN, ...NOT_YET } });
    const create = async () => {
      for (let index = 0; index < 30; index += 1) {
        const { firstName: firstname, lastName: lastname, job } = somePerson(world, index);
        await world.portal.create('contacts', { firstname, lastname, website: job.company.domains[0] ?? '' });
      }
      await minutes(world, 2);
    };
    await create();
    world.changePolicy(PLAIN);
    await untilEnded(world, await begun(operator(world), 'contacts'));
    world.changePolicy({ ...PLAIN, ...NOT_YET });
    await create();
    world.changePolicy(PLAIN);
    const charged = world.charged();
    world.changeBudgets({ perDay });
    const id = await begun(operator(world), 'contacts');
    await minutes(world, 5);
    const { state, ended, spent } = await operator(world)('backfill', 'status', id);
    expect({ state, ended, spent }).toEqual({ state: 'done', ended: 30, spent: 0 });
    expect(world.charged()).toBe(charged);
  },
);

it('a backfill of stored answers is said to use them for free, and not to look anything up', async () => {
  const world = await namedContacts(3);
  await untilEnded(world, await begun(operator(world), 'contacts'));
  for (let index = 0; index < 3; index += 1) {
    const { firstName: firstname, lastName: lastname, job } = somePerson(world, index);
    world.changePolicy({ ...PLAIN, ...NOT_YET });
    await world.portal.create('contacts', { firstname, lastname, website: job.company.domains[0] ?? '' });
    await minutes(world, 2);
  }
  world.changePolicy(PLAIN);
  expect(await operator(world)('backfill', 'quote', '--objects', 'contacts')).toMatchObject({
    strata: [{ records: 3, maxCredits: 0 }],
    quote: { atMost: 0 },
  });
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  const { view } = await homeOf(world).show();
  expect(view?.needs).toMatchObject([
    { kind: 'backfill', moves: ['start', 'stop'], maxCredits: 0, atMostCredits: 0 },
  ]);
});

/** Credits by backfill: as the ledger's charges name them, and as the list of backfills shows them. */
async function creditsOf(world: World) {
  const ledger: Record<string, number> = {};
  for (const { kind, askedBy = '', amountCredits } of await world.ledger())
    if (kind === 'posted' || kind === 'late') ledger[askedBy] = (ledger[askedBy] ?? 0) + amountCredits;
  const { backfills } = await operator(world)('backfill', 'list');
  const listed = (backfills as readonly { id: string; spent: number }[]).map(({ id, spent }) => [
    `backfill:${id}`,
    spent,
  ]);
  return { ledger, listed: Object.fromEntries(listed.filter(([, spent]) => spent !== 0)) };
}

describe('two backfills over the same records', () => {
  it.each([0, 2])('count each charge once: the second starts after %i minutes', async (after) => {
    const world = await oldPortal(30, { policy: { backfill: { trial: 20, trialPerStratum: 20 } } });
    const command = operator(world);
    const first = await begun(command, 'contacts');
    await minutes(world, after);
    const second = await begun(command, 'contacts');
    await minutes(world, 15);
    for (const id of [first, second]) await command('backfill', 'run', id, '--yes');
    await minutes(world, 20);
    const { ledger, listed } = await creditsOf(world);
    expect(listed).toEqual(ledger);
  });

  it('count no charge of a person who asks for a record at the same price', async () => {
    const world = await oldPortal(12, { policy: { backfill: { trial: 20, trialPerStratum: 20 } } });
    await begun(operator(world), 'contacts');
    await world.processes.reconcile();
    for (const [index, record] of world.people.entries())
      await cardOf(world, record).post({ id: `same-price-${index}`, kind: 'enrich', maxCredits: 1 });
    await minutes(world, 15);
    const { ledger, listed } = await creditsOf(world);
    expect(ledger).toHaveProperty(['user:1001']);
    const { 'user:1001': _, ...ofBackfills } = ledger;
    expect(listed).toEqual(ofBackfills);
  });
});

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
  return aged(world);
}

async function createCompanies(world: World): Promise<void> {
  for (let index = 0; index < COMPANIES; index += 1) await createCompany(world, index);
}

describe('the quote of a backfill of companies', () => {
  it('is kept when a lookup is in doubt', async () => {
    const world = await oldCompanies({
      faults: [{ kind: 'reset-after', operation: 'company-profile', times: 1 }],
    });
    const command = operator(world);
    const { id, quote } = await command('backfill', 'quote', '--objects', 'companies');
    expect(quote.atMost).toBe(COMPANIES);
    await command('backfill', 'run', id, '--yes');
    await liveOn(world, { forMs: 3 * DAY_MS, everyMs: 4 * HOUR_MS });
    expect(world.charged()).toBeLessThanOrEqual(quote.atMost);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done' });
    const again = await command('backfill', 'quote', '--objects', 'companies');
    const inDoubt = explanationText(because('charge-unknown'));
    expect(again).toMatchObject({ quote: { atMost: 0 }, leftOut: { [inDoubt]: 1 } });
  });

  it('is kept when stored answers expire between quote and run', async () => {
    const world = await oldCompanies();
    // The same companies once more, as leads: what is bought for them serves the old records too.
    await createCompanies(world);
    await minutes(world, 5);
    const charged = world.charged();
    // A quote is valid for 30 days, and an answer for 90.
    await world.clock.sleep(70 * DAY_MS);
    const command = operator(world);
    const { id, quote } = await command('backfill', 'quote', '--objects', 'companies');
    expect([charged, quote.atMost]).toEqual([COMPANIES, 0]);
    await world.clock.sleep(25 * DAY_MS);
    await command('backfill', 'run', id, '--yes');
    await minutes(world, 10);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', spent: 0 });
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
    const matchRate = async () => undefined;
    const services = {
      ...world.services,
      policy: world.policy,
      clock: world.clock,
      installedAtMs: 0,
      matchRate,
    };
    const sorting = {
      ...services,
      ...backfillItems(world.services),
      ownAppId: undefined,
      newId: () => 'r',
    } as unknown as QuoteServices;
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

describe('a backfill that a person stops', () => {
  // A worker holds a whole batch each time, and one of its requests is in flight at most.
  it.each([2.1, 2, 2.3].slice(0, repeated(3)))(
    'charges after a stop only what was in flight, and says how much: after %d minutes',
    async (at) => {
      const world = await oldPortal(80, { isKnown: () => true });
      const command = operator(world);
      const id = await begun(command, 'contacts');
      const working = minutes(world, 6);
      await world.clock.sleep(at * MINUTE_MS);
      const before = world.charged();
      expect(before).toBeGreaterThan(0);
      const { state, inFlight } = await command('backfill', 'stop', id, '--yes');
      expect(state).toBe('stopped');
      await working;
      expect(world.charged()).toBeLessThanOrEqual(before + inFlight.maxCredits);
      expect(world.charged()).toBeLessThan(60);
      const { ended, spent } = await command('backfill', 'status', id);
      expect({ ended, spent }).toEqual({ ended: world.charged(), spent: world.charged() });
      const codes = (await world.states()).map(({ outcome }) => outcome?.reason.code);
      expect(codes).toContain('backfill-halted');
      expect((await world.states()).filter(({ run }) => run)).toEqual([]);
      expect(await isDrained(world)).toBe(true);
    },
  );

  it('sends no request where it is stopped while a worker marks one', async () => {
    let stop: (() => Promise<unknown>) | undefined;
    const store = watchedStore(openMemoryStore(), async (request, send) => {
      if (stop && putsOf(request, questionKind).some(({ value }) => value.attempt?.state === 'in-flight')) {
        const once = stop;
        stop = undefined;
        await once();
      }
      return send();
    });
    const world = await oldPortal(1, { isKnown: () => true, store });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    stop = () => command('backfill', 'stop', id, '--yes');
    await liveOn(world, { forMs: HOUR_MS, everyMs: 10 * MINUTE_MS });
    expect(stop).toBeUndefined();
    expect(world.charged()).toBe(0);
    const codes = (await world.states()).map(({ outcome }) => outcome?.reason.code);
    expect(codes).toEqual(['backfill-halted']);
  });

  const toEach =
    (befall: (world: World, record: RecordName) => Promise<unknown>) =>
    async (world: OldPortal): Promise<void> => {
      for (const record of world.people) await befall(world, record);
    };
  const stop = (world: OldPortal, id: string) => operator(world)('backfill', 'stop', id, '--yes');

  it.each<[string, 'done' | 'none', (world: OldPortal, id: string) => Promise<unknown>]>([
    ['the backfill is then stopped', 'done', stop],
    ['the backfill is then stopped, and nothing arrived', 'none', stop],
    [
      'the records then opt out',
      'done',
      toEach((world, record) => world.portal.edit(record, { hs_contact_enrichment_opt_out: 'true' })),
    ],
    ['the records are then deleted', 'done', toEach((world, record) => world.portal.archive(record))],
    ['the records are then erased', 'done', toEach((world, record) => world.portal.erase(record))],
    [
      'the records are then forgotten',
      'done',
      toEach((world, record) => world.services.forgetting.forgetRecord(recordKey(record))),
    ],
    [
      'the records are then merged',
      'done',
      async (world) => {
        const [winner, ...losers] = world.people;
        for (const loser of losers) if (winner) await world.portal.merge(winner, loser);
      },
    ],
  ])('counts the charge of a dead worker where %s', async (_, effect, befall) => {
    const world = await oldPortal(3, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    world.processes.planForNext({ at: 1, among: 'data-service', effect, kind: 'death' });
    await world.processes.work();
    await befall(world, id);
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 10 * MINUTE_MS });
    const { posted = 0, doubtful = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    expect(posted + doubtful).toBeGreaterThan(0);
    const { state, spent } = await command('backfill', 'status', id);
    expect({ state, spent }).toEqual({
      state: befall === stop ? 'stopped' : 'done',
      spent: posted + doubtful,
    });
  });

  it('ends the run of a dead worker where it is stopped and the record changed', async () => {
    const policy = { budgets: { perDay: 100 }, questions: { wantEmail: false, fallThrough: true } };
    const world = await createWorld({ agedMs: DAY_MS, policy });
    const email = somePerson(world).job.email ?? '';
    const record = await world.portal.create('contacts', {
      email,
      hs_linkedin_url: profileUrlOf(somePerson(world)),
    });
    await aged(world);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    world.processes.planForNext({ at: 1, among: 'data-service', effect: 'none', kind: 'death' });
    await world.processes.work();
    expect((await world.state(record))?.run).toMatchObject({ maxCredits: 2, commitments: [{ credits: 1 }] });
    await command('backfill', 'stop', id, '--yes');
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) });
    await liveOn(world, { forMs: HOUR_MS, everyMs: 10 * MINUTE_MS });
    expect((await world.state(record))?.run).toBeUndefined();
    expect(world.charged()).toBe(0);
  });

  it('asks a person before it stops, and stops records that wait for a budget or in a queue', async () => {
    const world = await oldPortal(60, {
      policy: {
        questions: { wantEmail: false },
        budgets: { perDay: 10_000, purposes: { backfill: { perDay: 10 } } },
      },
    });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await minutes(world, 5);
    expect(world.charged()).toBe(10);
    expect(await command('backfill', 'stop', id)).toBeUndefined();
    expect((await command('backfill', 'status', id)).state).toBe('trial');
    const { inFlight } = await command('backfill', 'stop', id, '--yes');
    expect(inFlight).toEqual({ requests: 0, maxCredits: 0 });
    await world.processes.reconcile();
    expect((await world.states()).filter(({ run }) => run)).toEqual([]);
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(world.charged()).toBe(10);
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'stopped', ended: 10, spent: 10 });
  });

  it.each([
    ['ends free after the run of a person', false, { state: 'done', ended: 1, spent: 0 }],
    ['is stopped while the run of a person waits', true, { state: 'stopped', ended: 0, spent: 0 }],
  ])('gives way at a record, and %s', async (_, isStopped, status) => {
    const world = await oldPortal(1, { isKnown: () => true });
    const command = operator(world);
    const [record] = world.people;
    if (!record) throw new Error('There is no person.');
    const id = await begun(command, 'contacts');
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    await minutes(world, 2);
    const card = cardOf(world, record);
    await card.ask({ id: 'wanted-at-once', kind: 'enrich', maxCredits: 9 });
    expect(await world.state(record)).toMatchObject({
      run: { purpose: 'manual', maxCredits: 9 },
      later: [{ purpose: 'backfill', askedBy: `backfill:${id}` }],
    });
    if (isStopped) await command('backfill', 'stop', id, '--yes');
    await world.services.questions.breakers.resume();
    await minutes(world, 30);
    expect(await command('backfill', 'status', id)).toMatchObject(status);
    expect((await world.state(record))?.run).toBeUndefined();
    const { progress } = await card.show('wanted-at-once');
    expect(progress?.standing).toMatchObject({ kind: 'ended', outcome: { credits: world.charged() } });
  });

  it('is stopped by its undo, which also takes back values of requests in flight', async () => {
    const world = await oldPortal(80, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    const working = minutes(world, 6);
    await world.clock.sleep(2.2 * MINUTE_MS);
    expect(await command('undo', '--backfill', id)).toBeUndefined();
    expect((await command('backfill', 'status', id)).state).toBe('trial');
    const tried = await command('undo', '--backfill', id, '--dry-run');
    expect(tried.records.length).toBeGreaterThan(0);
    expect((await command('backfill', 'status', id)).state).toBe('trial');
    const { records } = await command('undo', '--backfill', id, '--yes');
    expect((await command('backfill', 'status', id)).state).toBe('stopped');
    await working;
    const left = (await command('undo', '--backfill', id, '--dry-run')).records;
    expect(left.flatMap(({ restored }: { restored: unknown[] }) => restored)).toEqual([]);
    expect(records.length).toBeLessThan(60);
    expect(world.charged()).toBeLessThan(60);
  });

  it('leaves out records whose values were undone, and says so', async () => {
    const world = await oldPortal(1, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await untilEnded(world, id);
    await command('undo', '--backfill', id, '--yes');
    const again = await command('backfill', 'quote', '--objects', 'contacts');
    expect(again).toMatchObject({ records: 0, leftOut: { [explanationText(because('undone-before'))]: 1 } });
  });

  it('is stopped by an undo of a time range in which it wrote', async () => {
    const budgets = { perDay: 10_000, purposes: { backfill: { perDay: 10 } } };
    const world = await oldPortal(20, { isKnown: () => true, policy: { budgets } });
    const command = operator(world);
    const from = new Date(world.clock.now()).toISOString();
    const id = await begun(command, 'contacts');
    await minutes(world, 2);
    expect(world.charged()).toBeGreaterThan(0);
    await command('undo', '--from', from, '--to', new Date(world.clock.now()).toISOString(), '--yes');
    expect((await command('backfill', 'status', id)).state).toBe('stopped');
  });
});
