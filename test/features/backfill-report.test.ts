import { describe, expect, it } from 'vitest';
import { spendPage } from '#inside/spend/page/page.ts';
import { MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { readReport } from '#shared/spend';
import { homeOf } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, minutes, operator, untilEnded } from '../harness/old-portal.ts';
import { somePerson } from '../harness/people.ts';
import { createWorld, type World } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';
import { tablesIn } from '../unit/functions/report-spend/read-html.ts';

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

describe('the credits of a backfill', () => {
  it('leave out what an event bought that joined the run of a record', async () => {
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
});

const DEARER = explanationText(because('price-risen', { price: 4, limit: 1 }));

function reportOf({ services, clock, policy }: World) {
  return readReport({ ...services, clock, timeZone: policy.timeZone });
}

async function pageOf(world: World): Promise<string> {
  return spendPage(await reportOf(world));
}

it('a backfill is in the report of spend from its start on, not as a quote', async () => {
  const world = await namedContacts(1);
  const command = operator(world);
  const { id } = await command('backfill', 'quote', '--objects', 'contacts');
  expect((await reportOf(world)).backfills).toEqual([]);
  await command('backfill', 'run', id, '--yes');
  expect((await reportOf(world)).backfills).toMatchObject([{ id }]);
});

describe('records of a backfill that were not looked up', () => {
  /** The policy changes between the trial of four records and the other six. */
  async function dearer() {
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
    world.changePolicy({ ...WITH_PHONE, ...trial });
    await untilEnded(world, id);
    return { world, id, command };
  }

  it('are counted apart, with the reason and what to do', async () => {
    const { world, id, command } = await dearer();
    const status = await command('backfill', 'status', id);
    expect(status).toMatchObject({ state: 'done', ended: 10, hits: 4, others: 6 });
    expect(status.withoutResult).toEqual({ [DEARER]: 6 });
    const told = await openConsole(world)('backfill', 'status', id);
    expect(told).toContain(`  6  ${DEARER}\n`);
    expect(told).toContain('backfill quote --objects contacts');
    expect(await openConsole(world)('backfill', 'list')).toMatch(/10 of 10 +6 +4 /);
    const [columns = [], row = []] =
      tablesIn(await pageOf(world)).find(({ rows }) => rows[0]?.includes('Expected'))?.rows ?? [];
    expect(row[columns.indexOf('Not looked up, or failed')]).toBe('6');
  });

  it('show the reason of their end in HubSpot', async () => {
    const { world } = await dearer();
    const states = await world.states();
    const skipped = states.filter(({ outcome }) => outcome?.reason.code === 'price-risen');
    expect(skipped).toHaveLength(6);
    for (const record of skipped)
      expect(await world.portal.properties(record)).toMatchObject({
        enrichment_status: 'skipped',
        enrichment_reason: DEARER,
      });
  });
});

describe('a stop of a person', () => {
  it('is the cause of the wait from the moment of the stop until the moment of the resume', async () => {
    const world = await namedContacts(3);
    const { breakers } = world.services.questions;
    const run = openConsole(world);
    const command = operator(world);
    const id = await begun(command, 'contacts');
    const holds = async () => {
      const { backfills } = await command('backfill', 'list');
      const all = [await command('backfill', 'status', id), backfills[0], await reportedBackfill(world)];
      return all.map(({ holding }) => holding?.code);
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
});

async function reportedBackfill({ services, clock, policy }: World) {
  const { writeBreakers, checkBooks, questions } = services;
  const stops = { breakers: questions.breakers, writeBreakers, checkBooks };
  const report = await readReport({
    ...services,
    waiting: services,
    stops,
    clock,
    timeZone: policy.timeZone,
  });
  return report.backfills?.[0];
}

describe('a backfill of stored answers', () => {
  it('is said to use them for free, and not to look anything up', async () => {
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
      ...{ strata: [{ records: 3, maxCredits: 0 }], quote: { atMost: 0 } },
    });
    await world.clock.sleep(6 * MINUTE_MS);
    await world.processes.reconcile();
    const { view } = await homeOf(world).show();
    expect(view?.needs).toMatchObject([
      { kind: 'backfill', state: 'quoted', maxCredits: 0, atMostCredits: 0 },
    ]);
  });
});

describe('a quote', () => {
  it('says on the home page in how many days the budgets cover it', async () => {
    const world = await namedContacts(3);
    await operator(world)('backfill', 'quote', '--objects', 'contacts');
    const daysAt = async (perDay: number) => {
      world.changeBudgets({ perDay });
      await world.clock.sleep(6 * MINUTE_MS);
      await world.processes.reconcile();
      const { view } = await homeOf(world).show();
      return view?.needs.flatMap((need) => (need.kind === 'backfill' ? [need.days] : []));
    };
    expect(await daysAt(1_000)).toEqual([1]);
    expect(await daysAt(1)).toEqual([3]);
    expect(await daysAt(0)).toEqual([undefined]);
  });
});
