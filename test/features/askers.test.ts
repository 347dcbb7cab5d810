import { describe, expect, it } from 'vitest';
import { homeKind } from '#shared/home';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { cardOf, verb } from '../harness/at-the-screen.ts';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { aged, begun, operator, untilEnded } from '../harness/old-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { liveOn, refreshAfter, settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

/** A new contact from a source; a person's where none is named. */
function contactFrom(world: World, index: number, by: Properties): Promise<RecordName> {
  const properties = { hs_linkedin_url: profileUrlOf(somePerson(world, index)) };
  return world.portal.create('contacts', properties, [], by);
}

/** Record and asker of each charge, in the order of the ledger. */
async function chargesOf(world: World) {
  const posted = (await world.ledger()).filter(({ kind }) => kind === 'posted' || kind === 'late');
  return posted.map(({ record, askedBy }) => [record, askedBy]);
}

const keyOf = ({ objectType, id }: RecordName) => `${objectType}#${id}`;

async function oldContacts(world: World, count: number): Promise<RecordName[]> {
  const records: RecordName[] = [];
  for (let index = 0; index < count; index += 1) records.push(await contact(world, index));
  await settleDown(world);
  expect(world.charged()).toBe(0);
  return records;
}

const enrich = (id: string) => ({ id, kind: 'enrich', maxCredits: 5 }) as const;

describe('a charge names its asker', () => {
  it('by the id of the user at the card, and nothing of a user is kept beside it', async () => {
    const store = openMemoryStore();
    const world = await createWorld({ agedMs: DAY_MS, store });
    const [first, second] = (await oldContacts(world, 2)) as [RecordName, RecordName];
    await cardOf(world, first, '11').ask(enrich('request-of-11'));
    await cardOf(world, second, '22').ask(enrich('request-of-22'));
    expect(await chargesOf(world)).toEqual([
      [keyOf(first), 'user:11'],
      [keyOf(second), 'user:22'],
    ]);
    const stored = JSON.stringify(store.database.prepare('SELECT * FROM items').all());
    expect(stored).toContain('user:22');
    for (const text of [stored, JSON.stringify(world.logs)]) expect(text).not.toContain('portal.example');
    expect((await world.state(first))?.outcome).toMatchObject({ askedBy: 'user:11' });
  });

  it.each([
    [{ source: 'IMPORT', sourceId: '9' }, 'source:IMPORT'],
    [{ source: 'FORM', sourceId: 'userId:9' }, 'source:FORM'],
    [{ source: 'INTEGRATION', sourceId: '4711' }, 'source:INTEGRATION'],
    [{ source: 'AUTOMATION_PLATFORM', sourceId: 'enrollmentId:1' }, 'workflow'],
    [{ source: 'MEETINGS' }, 'source:MEETINGS'],
    [{ source: 'jane@acme.example' }, 'source'],
    [{ userId: '77' }, 'user:77'],
  ])('by the source of a new record: %j', async (by, askedBy) => {
    const world = await createWorld();
    const record = await contactFrom(world, 0, by);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[keyOf(record), askedBy]]);
  });

  it('by its source where no webhook came, and the sweep found it', async () => {
    const world = await createWorld({ hubSpot: { webhookUrl: null } });
    const record = await contactFrom(world, 0, { source: 'FORM' });
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'source:FORM']]);
  });

  it('by the workflow whose action asked', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [record] = (await oldContacts(world, 1)) as [RecordName];
    await verb(world, 'enrol', { objectType: 'contacts', ids: [record.id] });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'workflow:1']]);
  });

  it('as the schedule for a refresh', async () => {
    const world = await createWorld();
    const record = await contactFrom(world, 0, { userId: '77' });
    await settleDown(world);
    await refreshAfter(world, 400 * DAY_MS);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([
      [keyOf(record), 'user:77'],
      [keyOf(record), 'schedule'],
    ]);
  });

  it('as the backfill that looked the record up', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    await oldContacts(world, 2);
    await aged(world);
    const id = await begun(operator(world), 'contacts');
    await untilEnded(world, id);
    const askers = (await chargesOf(world)).map(([, askedBy]) => askedBy);
    expect(askers).toEqual([`backfill:${id}`, `backfill:${id}`]);
  });

  it('as the command line for a question of an operator', async () => {
    const world = await createWorld();
    const address = somePerson(world, 3).job.email ?? '';
    await openConsole(world)('lookup', 'email', address, '--yes');
    expect((await chargesOf(world)).map(([, askedBy]) => askedBy)).toEqual(['operator']);
  });
});

describe('a run that several asked for', () => {
  it('names the first of equals in its charge', async () => {
    const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 2 } } });
    const [record] = (await oldContacts(world, 1)) as [RecordName];
    await cardOf(world, record, '11').ask(enrich('request-of-11'));
    await cardOf(world, record, '22').ask(enrich('request-of-22'));
    expect(world.charged()).toBe(0);
    world.changeBudgets({ perDay: 100 });
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 60 * MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'user:11']]);
  });

  it('names the user who did not want to wait for an import', async () => {
    const world = await createWorld({
      policy: { budgets: { perDay: 100, purposes: { import: { perDay: 0 } } } },
    });
    const record = await contactFrom(world, 0, { source: 'IMPORT' });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect((await world.state(record))?.run).toMatchObject({ purpose: 'import', askedBy: 'source:IMPORT' });
    await cardOf(world, record, '11').ask(enrich('request-of-11'));
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'user:11']]);
  });

  it('leaves the next run to the user who asked while it was worked on', async () => {
    const world = await createWorld();
    const record = await contactFrom(world, 0, { source: 'FORM' });
    await world.portal.sandbox.deliverWebhooks();
    await Promise.all([
      world.processes.work({ workers: 1 }),
      cardOf(world, record, '22').post(enrich('request-of-22')),
    ]);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'source:FORM']]);
    expect((await world.state(record))?.outcome?.askedBy).toBe('user:22');
  });
});

describe('a doubt', () => {
  it('keeps the asker when a person resolves it as charged', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    const record = await contactFrom(world, 0, { userId: '77' });
    await settleDown(world);
    await world.clock.sleep(60 * MINUTE_MS);
    const doubt = (await world.state(record))?.doubts?.[0]?.questionKey ?? '';
    await openConsole(world)('doubts', 'resolve', doubt, '--charged', '--note', 'usage list', '--yes');
    expect(await chargesOf(world)).toEqual([[keyOf(record), 'user:77']]);
  });
});

describe('an operator sees the askers', () => {
  async function worldOfTwo() {
    const world = await createWorld();
    const form = await contactFrom(world, 0, { source: 'FORM' });
    const person = await contactFrom(world, 1, { userId: '77' });
    await settleDown(world);
    return { world, form, person, run: openConsole(world) };
  }

  it('in spend --by source, which adds up to the ledger', async () => {
    const { world, run } = await worldOfTwo();
    const bySource = JSON.parse((await run('spend', '--by', 'source', '--json')) ?? '');
    expect(bySource).toMatchObject([
      { source: 'source:FORM', charges: 1, credits: 3, matches: 1, wastedCredits: 0, filledRecords: 1 },
      { source: 'user', charges: 1, credits: 3, matches: 1, wastedCredits: 0, filledRecords: 1 },
    ]);
    expect(world.charged()).toBe(6);
  });

  it('in the charges, as a last column of the file too', async () => {
    const { run, person } = await worldOfTwo();
    const csv = (await run('spend', 'charges', '--asked-by', 'user', '--csv')) ?? '';
    const [head = '', line = '', ...more] = csv.trim().split(/\r?\n/);
    expect([head.split(',').at(-1), line.split(',').at(-1), more]).toEqual(['askedBy', 'user:77', []]);
    expect(line).toContain(keyOf(person));
    expect(await run('spend', 'charges')).toContain('User 77');
    expect(await run('spend', 'charges', '--asked-by', 'jane@acme.example')).toBeUndefined();
    const log = (await run('ledger', 'export', '--csv')) ?? '';
    expect(log).toContain(',user:77');
  });

  it('in explain, of the last run and of each write, and of an undo', async () => {
    const { world, form, person, run } = await worldOfTwo();
    await undo(world, person, { askedBy: 'user:88' });
    const explained = async ({ id }: { readonly id: string }) =>
      JSON.parse((await run('explain', `contacts/${id}`, '--json')) ?? '');
    const { askedBy, runs } = await explained(form);
    expect([askedBy, runs[0].askedBy]).toEqual(['source:FORM', 'source:FORM']);
    expect((await explained(person)).runs.map((each: { askedBy: string }) => each.askedBy)).toEqual(
      expect.arrayContaining(['user:77', 'user:88']),
    );
    expect(await run('explain', `contacts/${person.id}`)).toMatch(/User 77[\s\S]*User 88/);
  });

  it('on the home page, in words', async () => {
    const { world } = await worldOfTwo();
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    const home = await world.items(homeKind).read(homeKind.key());
    expect(home?.value.activity.map(({ askedBy }) => askedBy)).toEqual(
      expect.arrayContaining(['User 77', 'Form']),
    );
  });
});
