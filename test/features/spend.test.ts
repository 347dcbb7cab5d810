import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordKey, shownKey } from '#shared/crm';
import { DAY_MS, dayOf, daysUpTo, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { dayKind, type YieldKind, yieldsOf } from '#shared/records';
import { createHandler } from '../../functions/report-spend/handler.ts';
import { cardOf, homeOf, verb } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { aged, begun, operator, untilEnded } from '../harness/old-portal.ts';
import { contact, createCompany, profileUrlOf, somePerson } from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import {
  changeState,
  liveOn,
  oldContact,
  oldContacts,
  refreshAfter,
  settleDown,
  settledContact,
  undo,
  worldWithContact,
} from '../harness/steps.ts';
import { putsOf, touches, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

function reporter({ services, clock, policy }: World) {
  const quiet = () => undefined;
  const handler = createHandler({
    spendBook: services.spendBook,
    ledger: services.questions.ledger,
    ledgerStore: services.ledgerStore,
    states: services.records,
    waiting: services,
    place: async () => ({}),
    clock,
    timeZone: policy.timeZone,
    logger: { info: quiet, warn: quiet, error: quiet },
  });
  return async (rawPath: string, query = {}) => {
    const requestContext = { http: { method: 'GET' } };
    return (await handler({ rawPath, requestContext, rawQueryString: new URLSearchParams(query).toString() }))
      .body;
  };
}

describe('the charges of a world', () => {
  it('are, record by record, what the records say that was charged for them', async () => {
    const world = await createWorld();
    for (let nth = 0; nth < 6; nth += 1) await contact(world, nth);
    await createCompany(world);
    await world.portal.create('contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/nobody-at-all' });
    await settleDown(world);
    await refreshAfter(world, 400 * DAY_MS);
    const byRecord = new Map<string, number>();
    for (const { kind, record = 'none', amountCredits } of await world.ledger())
      if (kind === 'posted') byRecord.set(record, (byRecord.get(record) ?? 0) + amountCredits);
    const states = (await world.states()).filter(({ creditsSpent }) => creditsSpent > 0);
    expect(states.length).toBeGreaterThan(5);
    expect(Object.fromEntries(byRecord)).toEqual(
      Object.fromEntries(states.map((state) => [inLedger(state), state.creditsSpent])),
    );
  });

  it('are told with their records and their reasons, and without a value of them', async () => {
    const { world, record } = await worldWithContact();
    const ask = reporter(world);
    const list = await ask('/spend/charges');
    expect(list).toContain(`Contact ${record.id}`);
    const { jobtitle, email } = await world.portal.properties(record);
    expect(jobtitle).toBeTruthy();
    for (const html of [list, await ask('/spend'), await ask('/spend/waiting')]) {
      expect(html).not.toContain(jobtitle);
      if (email) expect(html).not.toContain(email);
    }
  });
});

describe('one thing has one number on every face', () => {
  const facesOf = (world: World) => ({
    json: operator(world),
    home: async () => (await homeOf(world).show()).view,
    page: reporter(world),
  });

  it('the ledger, the unknown outcomes, and the bill that they make', async () => {
    const world = await createWorld();
    await contact(world, 0);
    await settleDown(world);
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await settledContact(world, 1);
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    const { json, home, page } = facesOf(world);
    const [spend, verified, statement] = [
      await json('spend'),
      await json('ledger', 'verify'),
      await json('statement', '2026-11'),
    ];
    const bill = /data-figure="bill">([^<]*)</
      .exec(await page('/spend'))?.[1]
      ?.match(/\d+/g)
      ?.map(Number);
    const [ledger, unknown] = [3, 3];
    expect(world.charged()).toBe(ledger + unknown);
    expect({
      spend: [spend.chargedCredits, spend.doubtfulCredits],
      verify: [verified.lifetime.posted, verified.lifetime.doubtful],
      statement: [statement.spent.credits, statement.doubts.after.credits],
      home: [(await home())?.spend.monthCredits, (await home())?.spend.doubtfulCredits],
      page: bill,
    }).toEqual({
      spend: [ledger, unknown],
      verify: [ledger, unknown],
      statement: [ledger, unknown],
      home: [ledger, unknown],
      page: [ledger, 0, unknown, ledger, ledger + unknown],
    });
  });

  it('the waiting records, with their state and their number', async () => {
    const world = await createWorld({
      policy: { budgets: { perDay: 100, purposes: { import: { perDay: 0 } } } },
    });
    for (const nth of [0, 1, 2]) await contactFrom(world, nth, { source: 'IMPORT' });
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    const { json, home, page } = facesOf(world);
    const queued = (await json('spend')).waiting.inTurn;
    const shown = /data-wait="import"><b><a [^>]*>[^<]*<\/a><\/b> <b>(\d+)</.exec(await page('/spend'))?.[1];
    const listed = (await page('/spend/waiting')).match(/<tr><th scope="row">/g);
    expect({
      spend: queued.map(({ purpose, records }: { purpose: string; records: number }) => [purpose, records]),
      home: (await home())?.waiting.map(({ purpose, records }) => [purpose, records]),
      page: Number(shown),
      list: listed?.length,
    }).toEqual({ spend: [['import', 3]], home: [['import', 3]], page: 3, list: 3 });
  });
});

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

/** The name of a record in the ledger. */
const inLedger = ({ objectType, id }: Pick<RecordName, 'objectType' | 'id'>) =>
  `portal-1/${objectType}/${id}`;

const enrich = (id: string) => ({ id, kind: 'enrich', maxCredits: 5 }) as const;

describe('a charge names its asker', () => {
  it('by the id of the user at the card, and nothing of a user is kept beside it', async () => {
    const store = openMemoryStore();
    const world = await createWorld({ agedMs: DAY_MS, store });
    const [first, second] = (await oldContacts(world, 2)) as [RecordName, RecordName];
    await cardOf(world, first, '11').ask(enrich('request-of-11'));
    await cardOf(world, second, '22').ask(enrich('request-of-22'));
    expect(await chargesOf(world)).toEqual([
      [inLedger(first), 'user:11'],
      [inLedger(second), 'user:22'],
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
    expect(await chargesOf(world)).toEqual([[inLedger(record), askedBy]]);
  });

  it('by its source where no webhook came, and the sweep found it', async () => {
    const world = await createWorld({ hubSpot: { webhookUrl: null } });
    const record = await contactFrom(world, 0, { source: 'FORM' });
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[inLedger(record), 'source:FORM']]);
  });

  it('by the workflow whose action asked', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [record] = (await oldContacts(world, 1)) as [RecordName];
    await verb(world, 'enrol', { objectType: 'contacts', ids: [record.id] });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([[inLedger(record), 'workflow:1']]);
  });

  it('as the schedule for a refresh', async () => {
    const world = await createWorld();
    const record = await contactFrom(world, 0, { userId: '77' });
    await settleDown(world);
    await refreshAfter(world, 400 * DAY_MS);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await chargesOf(world)).toEqual([
      [inLedger(record), 'user:77'],
      [inLedger(record), 'schedule'],
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
    expect(await chargesOf(world)).toEqual([[inLedger(record), 'user:11']]);
  });

  it('names the user who did not want to wait for an import', async () => {
    const world = await createWorld({
      policy: { budgets: { perDay: 100, purposes: { import: { perDay: 0 } } } },
    });
    const record = await contactFrom(world, 0, { source: 'IMPORT' });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect((await world.state(record))?.run).toMatchObject({ purpose: 'import', askedBy: 'source:IMPORT' });
    await cardOf(world, record, '11').ask(enrich('request-of-11'));
    expect(await chargesOf(world)).toEqual([[inLedger(record), 'user:11']]);
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
    expect(await chargesOf(world)).toEqual([[inLedger(record), 'source:FORM']]);
    expect((await world.state(record))?.outcome?.askedBy).toBe('user:22');
  });
});

it('a decided doubt is in no forecast, because the decision buys nothing', async () => {
  const world = await createWorld({ dataService: { faults: [{ kind: 'reset-after', rate: 1 }] } });
  await settledContact(world);
  await world.changeService({ faults: [] });
  await world.clock.sleep(HOUR_MS);
  const console = openConsole(world);
  await console('doubts', 'resolve', '--all', '--charged', '--note', 'in the usage list', '--yes');
  const { spentMonthCredits, forecastMonthCredits } = await operator(world)('spend');
  expect([spentMonthCredits, forecastMonthCredits]).toEqual([3, 3]);
});

it('a doubt keeps the asker when a person resolves it as charged', async () => {
  const world = await createWorld();
  await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
  const record = await contactFrom(world, 0, { userId: '77' });
  await settleDown(world);
  await world.clock.sleep(60 * MINUTE_MS);
  const doubt = (await world.state(record))?.doubts?.[0]?.questionKey ?? '';
  await openConsole(world)('doubts', 'resolve', doubt, '--charged', '--note', 'usage list', '--yes');
  expect(await chargesOf(world)).toEqual([[inLedger(record), 'user:77']]);
});

describe('an operator sees the askers', () => {
  async function worldOfTwo() {
    const world = await createWorld();
    const form = await contactFrom(world, 0, { source: 'FORM' });
    const person = await contactFrom(world, 1, { userId: '77' });
    await settleDown(world);
    return { world, form, person, run: openConsole(world), json: operator(world) };
  }

  it('in spend --by source, which adds up to the ledger', async () => {
    const { world, json } = await worldOfTwo();
    expect(await json('spend', '--by', 'source')).toMatchObject([
      { name: 'source:FORM', charges: 1, credits: 3, matchRate: 1, wastedCredits: 0 },
      { name: 'user', charges: 1, credits: 3, matchRate: 1, wastedCredits: 0 },
    ]);
    expect(world.charged()).toBe(6);
  });

  it('in a table that has a column of filled fields only where they are counted', async () => {
    const { run } = await worldOfTwo();
    const widths = ['source', 'operation'].map(
      async (by) => (await run('spend', '--by', by, '--csv'))?.split('\r\n', 1)[0],
    );
    expect((await Promise.all(widths)).map((head) => head?.split(',').length)).toEqual([7, 5]);
  });

  it('in the charges, as a last column of the file too', async () => {
    const { run, person } = await worldOfTwo();
    const csv = (await run('spend', 'charges', '--asked-by', 'user', '--csv')) ?? '';
    const [head = '', line = '', ...more] = csv.trim().split(/\r?\n/);
    expect([head.split(',').at(-1), line.split(',').at(-1), more]).toEqual(['askedBy', 'user:77', []]);
    expect(line).toContain(shownKey(recordKey(person)));
    expect(await run('spend', 'charges')).toContain('User 77');
    expect(await run('spend', 'charges', '--asked-by', 'jane@acme.example')).toBeUndefined();
    const log = (await run('ledger', 'export', '--csv')) ?? '';
    expect(log).toContain(',user:77');
  });

  it('in explain, of the last run and of each write, and of an undo', async () => {
    const { world, form, person, run, json } = await worldOfTwo();
    await undo(world, person, { askedBy: 'user:88' });
    const explained = ({ id }: RecordName) => json('explain', `contacts/${id}`);
    const { askedBy, runs } = await explained(form);
    expect([askedBy, runs[0].askedBy]).toEqual(['source:FORM', 'source:FORM']);
    expect((await explained(person)).runs.map((each: { askedBy: string }) => each.askedBy)).toEqual(
      expect.arrayContaining(['user:77', 'user:88']),
    );
    expect(await run('explain', `contacts/${person.id}`)).toMatch(/User 77[\s\S]*User 88/);
  });
});

async function brought(world: World) {
  const today = dayOf(world.clock.now(), world.policy.timeZone);
  return yieldsOf(await world.services.days.read(daysUpTo(today, 2_600)));
}

async function runsBy(world: World, kinds: readonly YieldKind[]): Promise<number> {
  const rows = (await brought(world)).filter(({ kind }) => kinds.includes(kind));
  return rows.reduce((sum, { runs }) => sum + runs, 0);
}

/** How often runs ended so, as the records' own states tell. */
async function ended(world: World, kind: 'enriched' | 'unchanged' | 'unmatched' | 'skipped' | 'failed') {
  return (await world.states()).reduce((sum, { outcomes }) => sum + outcomes[kind], 0);
}

async function expectAgreement(world: World): Promise<void> {
  const told = {
    enriched: await runsBy(world, ['filled']),
    others: await runsBy(world, ['confirmed', 'skipped', 'gone']),
    unmatched: await runsBy(world, ['unmatched']),
    failed: await runsBy(world, ['failed']),
  };
  expect(told).toEqual({
    enriched: await ended(world, 'enriched'),
    others: (await ended(world, 'unchanged')) + (await ended(world, 'skipped')),
    unmatched: await ended(world, 'unmatched'),
    failed: await ended(world, 'failed'),
  });
}

/** Fields that have a value now and had none when the record was made; each of them was filled once. */
async function filledNow(world: World): Promise<number> {
  const targets = new Set(world.policy.fields.contacts.map(({ property }) => property));
  let filled = 0;
  for (const { objectType, id } of await world.states()) {
    const entries = await world.services.journal.ofRecord({ objectType, id }, 9);
    for (const { changes } of entries)
      filled += changes.filter(
        ({ property, state, after }) => targets.has(property) && state === 'written' && after,
      ).length;
  }
  return filled;
}

const step = fc.constantFrom(
  'known',
  'unknown',
  'nobody',
  'import',
  'repeat',
  'a day',
  'delete',
  'a refresh',
);

describe('what a day brought', () => {
  it('is what the runs say, whatever comes, twice or late', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 14 }),
      fc.nat(1_000),
      async (steps, seed) => {
        const world = await createWorld({ seed });
        const made = [];
        for (const [index, each] of steps.entries()) {
          if (each === 'known') made.push(await contact(world, index));
          if (each === 'unknown')
            await world.portal.create('contacts', { email: `x${index}@unknown.example` });
          if (each === 'nobody') await world.portal.create('contacts', { firstname: 'Nobody' });
          if (each === 'import') await contact(world, index, { jobtitle: 'Theirs' });
          if (each === 'repeat') for (const queue of Object.values(world.queues)) queue.duplicateAll();
          if (each === 'a day') await world.clock.sleep(DAY_MS);
          const gone = each === 'delete' ? made.pop() : undefined;
          if (gone) await world.portal.archive(gone);
          if (each === 'a refresh') {
            await world.clock.sleep(181 * DAY_MS);
            await world.processes.refresh();
          }
          if (index % 3 > 0) await settleDown(world);
        }
        await liveOn(world, { forMs: HOUR_MS, everyMs: 20 * MINUTE_MS });
        await expectAgreement(world);
      },
    );
    await fc.assert(property, { seed: 20_261_122, numRuns: repeated(20) });
  });

  it('counts a run once that another worker has taken over meanwhile', async () => {
    let isTaken = false;
    const world: World = await createWorld({
      through: (send) => async (request) => {
        const [state] = isTaken || !request.url.includes('/batch/update') ? [] : await world.states();
        if (state?.claim) {
          isTaken = true;
          const claim = { ...state.claim, owner: 'another worker' };
          await changeState(world, state, () => ({ claim }));
        }
        return send(request);
      },
    });
    await settledContact(world, 0);
    expect([isTaken, await brought(world)]).toEqual([true, []]);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await ended(world, 'enriched')).toBe(1);
    expect(await runsBy(world, ['filled', 'confirmed'])).toBe(1);
  });

  it('counts the fields of the answer that were written, and not the status', async () => {
    const world = await createWorld();
    await contact(world, 0);
    await settledContact(world, 1, { jobtitle: 'Theirs' });
    const rows = await brought(world);
    expect(rows).toEqual([
      {
        purpose: 'live',
        objectType: 'contacts',
        kind: 'filled',
        source: 'user',
        runs: 2,
        fields: await filledNow(world),
      },
    ]);
    expect(rows[0]?.fields).toBeGreaterThan(10);
  });

  it('tells what a refresh found: changed, as it was, or gone', async () => {
    const world = await createWorld();
    await contact(world, 0);
    const gone = await settledContact(world, 1);
    await world.clock.sleep(181 * DAY_MS);
    await world.processes.refresh();
    await world.portal.archive(gone);
    // The refresh comes before HubSpot tells of the deletion.
    await world.processes.work({ workers: 1 });
    await settleDown(world);
    const refreshed = (await brought(world)).filter(({ purpose }) => purpose === 'refresh');
    expect(refreshed.map(({ kind, runs }) => `${kind} ${runs}`)).toEqual(['confirmed 1', 'gone 1']);
  });

  it('harms nothing where it cannot be kept', async () => {
    const store = watchedStore(openMemoryStore(), async (request, send) => {
      if (putsOf(request, dayKind).length > 0) throw new Error('a full table');
      return send();
    });
    const { world, record } = await worldWithContact({ store });
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    expect(await brought(world)).toEqual([]);
    expect(world.logs.filter(({ event }) => event === 'yield-not-stored')).toHaveLength(1);
    expect(Object.values(world.queues).map((queue) => queue.size())).toEqual([0, 0, 0]);
  });

  it('costs a read and a write for all that a worker has in hand', async () => {
    let [reads, writes] = [0, 0];
    const store = watchedStore(openMemoryStore(), (request, send) => {
      const isOfDay = touches(request, dayKind);
      reads += Number(isOfDay && request.kind === 'getMany');
      writes += Number(isOfDay && request.kind === 'transact');
      return send();
    });
    const world = await createWorld({ store });
    for (let index = 0; index < 5; index += 1) await contact(world, index);
    await settleDown(world);
    expect(await ended(world, 'enriched')).toBe(5);
    expect(writes).toBeLessThan(5);
    expect(reads).toBe(writes);
  });
});

/** Decides each open doubt as an operator does. @returns the number of doubts */
async function decided(world: World, charged: boolean): Promise<number> {
  await world.clock.sleep(15 * MINUTE_MS);
  await world.processes.reconcile();
  const open = await world.services.ledger.openReservations();
  const answer = charged ? '--charged' : '--not-charged';
  for (const { questionKey } of open)
    await openConsole(world)('doubts', 'resolve', questionKey, answer, '--note', 'usage list');
  return open.length;
}

async function resolved(world: World, charged: boolean): Promise<number> {
  const count = await decided(world, charged);
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  return count;
}

/** The record's total on the card, in `explain` and on the spend page's own figure, and the sum of its charges. */
async function totalsOf(world: World, record: RecordName) {
  const charges = (await world.ledger()).filter(
    (entry) => entry.record === inLedger(record) && ['posted', 'late'].includes(entry.kind),
  );
  const explained = await operator(world)('explain', `contacts/${record.id}`);
  return {
    charges: charges.reduce((sum, { amountCredits }) => sum + amountCredits, 0),
    card: (await cardOf(world, record).show()).view.creditsSpent,
    explain: explained.creditsSpent,
  };
}

async function doubtful(kind: 'reset-after' | 'reset-before') {
  const world = await createWorld();
  await world.changeService({ faults: [{ kind, times: 1 }] });
  const record = await settledContact(world);
  return { world, record };
}

describe('the credits of a record whose request was in doubt', () => {
  it.each([
    ['reset-after', true, 3],
    ['reset-before', false, 0],
  ] as const)('are the sum of its charges from the decision on: %s', async (kind, charged, credits) => {
    const { world, record } = await doubtful(kind);
    expect(await totalsOf(world, record)).toEqual({ charges: 0, card: 0, explain: 0 });
    await decided(world, charged);
    const totals = { charges: credits, card: credits, explain: credits };
    expect(await totalsOf(world, record)).toEqual(totals);
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(await totalsOf(world, record)).toEqual(totals);
    expect((await world.portal.properties(record))['enrichment_credits']).toBe(String(credits));
  });

  it.each([
    ['reset-after', true],
    ['reset-before', false],
  ] as const)('do not grow by the decision: %s', async (kind, charged) => {
    const { world, record } = await doubtful(kind);
    await liveOn(world, { forMs: 20 * MINUTE_MS, everyMs: 5 * MINUTE_MS });
    const before = world.charged();
    const need = (await homeOf(world).show()).view?.needs.find((each) => each.kind === 'doubt');
    if (need?.kind !== 'doubt' || !need.doubt) throw new Error('The page lists no doubt.');
    const decision = { id: 'doubt-repeat-1', kind: 'resolve-doubt', ...need.doubt, charged } as const;
    expect(await homeOf(world).decide(decision)).toMatchObject({ kind: 'decided' });
    await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
    expect(world.charged()).toBe(before);
    const state = await world.state(record);
    expect(state?.outcome).toMatchObject({ kind: 'skipped', reason: { code: 'may-be-looked-up' } });
    expect(world.wire.questions()).toHaveLength(1);
  });

  it('grow by a lookup that a person then asks for, at its own price', async () => {
    const { world, record } = await doubtful('reset-after');
    await resolved(world, true);
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: 'again-quote-1', kind: 'quote' });
    expect(quoted.progress?.reply).toMatchObject({ kind: 'quoted', quote: { credits: 3 } });
    await card.ask({ id: 'again-enrich-1', kind: 'enrich', maxCredits: 3 });
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    expect(await totalsOf(world, record)).toEqual({ charges: 6, card: 6, explain: 6 });
  });

  it('are those of the bill when a person had agreed to the price', async () => {
    const { world, record } = await oldContact();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await cardOf(world, record).ask({ id: 'agreed-doubt-1', kind: 'enrich', maxCredits: 3 });
    expect(await resolved(world, true)).toBe(1);
    expect([(await world.state(record))?.creditsSpent, world.charged()]).toEqual([3, 3]);
  });

  it('are no charge of a request that meets the doubt, and not part of its price', async () => {
    const { world, record } = await doubtful('reset-after');
    const card = cardOf(world, record, '3003');
    await card.ask({ id: 'meets-doubt-1', kind: 'enrich', maxCredits: 3 });
    expect(await resolved(world, true)).toBe(1);
    const state = await world.state(record);
    expect(state?.outcome).toMatchObject({
      kind: 'skipped',
      reason: { code: 'may-be-looked-up' },
      askedBy: 'user:1001',
      credits: world.charged(),
    });
    expect(state?.creditsSpent).toBe(world.charged());
    const { progress } = await card.show('meets-doubt-1');
    expect(progress?.standing).toMatchObject({
      kind: 'ended',
      outcome: { kind: 'failed', credits: 0 },
      laterReason: expect.anything(),
    });
    const explained = await operator(world)('explain', `contacts/${record.id}`);
    expect(explained).toMatchObject({ runsOpened: 3, creditsSpent: 3 });
  });

  it('are counted once when two records have the same question', async () => {
    const { world, record: first } = await doubtful('reset-after');
    const second = await settledContact(world);
    await resolved(world, true);
    const [one, other] = [await world.state(first), await world.state(second)];
    expect((one?.creditsSpent ?? 0) + (other?.creditsSpent ?? 0)).toBe(world.charged());
  });
});
