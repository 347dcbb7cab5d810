import { describe, expect, it } from 'vitest';
import type { HomeView } from '#inside/home/schemas.ts';
import type { Send } from '#shared/http';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { ASKER_GRACE_MS, BUDGET_TAKEN, requestKind } from '#shared/requests';
import { cardOf, homeOf, verb } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, createCompany, somePerson } from '../harness/people.ts';
import { forget } from '../harness/removals.ts';
import {
  liveOn,
  oldContacts,
  settleDown,
  settled,
  settledContact,
  undo,
  verify,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Another user than the one who created the record. */
const USER = '2002';

const ID = 'waiting-request-1';

/** A lookup of the record costs 3 credits. */
const LESS = { id: ID, kind: 'enrich', maxCredits: 2 } as const;

const NO_WRITES = { kind: 'status', status: 500, rate: 1, path: '/batch/update' } as const;

async function sweepLater(world: World): Promise<void> {
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  await settleDown(world);
}

async function chargesOf(world: World): Promise<readonly object[]> {
  const entries = await world.ledger();
  return entries.filter(({ kind }) => kind === 'posted');
}

describe('a request with a lower price at a record whose automatic run waits', () => {
  it('buys nothing, and the automatic run is charged to its own source', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const record = await settledContact(world);
    const card = cardOf(world, record, USER);
    const { progress } = await card.ask(LESS);
    expect(progress?.standing).toMatchObject({
      kind: 'ended',
      outcome: { kind: 'skipped', credits: 0, reason: { code: 'price-risen' } },
    });
    await world.services.questions.breakers.resume();
    await sweepLater(world);
    expect(await chargesOf(world)).toMatchObject([{ purpose: 'live', askedBy: 'user:1001' }]);
    expect((await card.show(ID)).progress?.standing).toMatchObject({
      kind: 'ended',
      outcome: { kind: 'skipped', credits: 0, reason: { code: 'price-risen' } },
      laterReason: { code: 'matched', params: { operation: 'personProfile' } },
    });
    await verify(world);
  });

  it('names the risen price that ended it, whatever the automatic run then does', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const { firstName: firstname, lastName: lastname, job } = somePerson(world);
    const website = job.email?.split('@')[1] ?? '';
    const people = { firstname, lastname, website };
    const record = await world.portal.create('contacts', { email: job.email ?? '', ...people });
    await settleDown(world);
    const card = cardOf(world, record, USER);
    const quoted = await card.ask({ id: 'quote-by-email', kind: 'quote' });
    expect(quoted.progress?.reply).toMatchObject({ quote: { credits: 1 } });
    await world.portal.edit(record, { email: '' });
    await card.ask({ ...LESS, maxCredits: 1 });
    await world.services.questions.breakers.resume();
    await sweepLater(world);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'enriched', credits: 1 });
    const { progress } = await card.show(ID);
    expect(progress?.standing).toMatchObject({
      outcome: {
        kind: 'skipped',
        credits: 0,
        reason: { code: 'price-risen', params: { price: 3, limit: 1 } },
      },
    });
    await verify(world);
  });

  it('reports no charge that was made before it', async () => {
    const world = await createWorld();
    await world.portal.change({ faults: [NO_WRITES] });
    const record = await settledContact(world);
    expect(world.charged()).toBe(3);
    const card = cardOf(world, record, USER);
    const waiting = await card.ask(LESS);
    expect(waiting.progress?.standing).toMatchObject({ kind: 'waiting', credits: 0 });
    await world.portal.change({ faults: [] });
    await sweepLater(world);
    await sweepLater(world);
    expect((await card.show(ID)).progress?.standing).toMatchObject({
      kind: 'ended',
      outcome: { kind: 'unchanged', credits: 0 },
    });
    expect(await chargesOf(world)).toMatchObject([{ amountCredits: 3, askedBy: 'user:1001' }]);
    await verify(world);
  });

  it('reports no charge that a worker made while the request arrived', async () => {
    const world = await createWorld();
    await world.portal.change({ faults: [NO_WRITES] });
    const record = await contact(world);
    await world.portal.sandbox.deliverWebhooks();
    const card = cardOf(world, record, USER);
    await Promise.all([world.processes.work(), card.post(LESS).then(() => world.processes.work())]);
    await settleDown(world);
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const { progress } = await card.show(ID);
    expect([world.charged(), progress?.standing]).toMatchObject([
      3,
      { kind: 'ended', outcome: { credits: 0 } },
    ]);
    await verify(world);
  });
});

/** Imports that wait because the rest of the budget is reserved for leads. */
async function heldBack(): Promise<World> {
  const world = await createWorld({ policy: { budgets: { perDay: 20 } } });
  for (let index = 0; index < 40; index += 1) {
    const email = somePerson(world, index).job.email ?? '';
    await world.portal.create('contacts', { email }, [], { source: 'IMPORT' });
  }
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  return world;
}

async function viewOf(world: World): Promise<HomeView> {
  await sweepLater(world);
  const { view } = await homeOf(world).show();
  if (!view) throw new Error('The sweep stored no home page.');
  return view;
}

it('records that a person starts out of the queue wait for a worker, then for the budget, and more urgent records are not named', async () => {
  const world = await heldBack();
  await homeOf(world).decide({ id: 'admit-all', kind: 'admit', purpose: 'import', maxCredits: 1_000 });
  await world.processes.reconcile();
  const reasonsIn = (view: HomeView | undefined) => view?.waiting.map(({ reason }) => reason);
  expect(reasonsIn((await homeOf(world).show()).view)).toContain('admitted');
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
  expect(reasonsIn(await viewOf(world))).toContain('budget');
});

describe('requests while a person has stopped spending', () => {
  it('start no waiting records, and the page offers no start', async () => {
    const world = await heldBack();
    const offered = (await viewOf(world)).waiting.flatMap(({ admit }) => admit ?? []);
    expect(offered).toMatchObject([{ purpose: 'import', maxCredits: expect.any(Number) }]);
    const home = homeOf(world);
    await home.decide({ id: 'stop-for-admit', kind: 'stop-spending' });
    const admit = { kind: 'admit', purpose: 'import', maxCredits: 6 } as const;
    expect(await home.decide({ ...admit, id: 'admit-stopped' })).toMatchObject({
      kind: 'refused',
      code: 'start-when-resumed',
    });
    expect((await world.states()).some(({ run }) => run?.overrulesReserve)).toBe(false);
    const { waiting } = await viewOf(world);
    expect(waiting.map(({ reason }) => reason)).toEqual(['stopped-by-person']);
    expect(waiting.every(({ admit }) => admit === undefined)).toBe(true);
    await home.decide({ id: 'resume-for-admit', kind: 'resume-spending' });
    expect(await home.decide({ ...admit, id: 'admit-resumed' })).toMatchObject({ kind: 'decided' });
  });

  it('say with the price, and after the request, that nothing is bought until a person resumes spending', async () => {
    const { world, record } = await worldWithContact({ agedMs: DAY_MS });
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: 'quote-unstopped', kind: 'quote' });
    expect(quoted.progress?.reply).not.toHaveProperty('quote.waitsFor');
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const { progress } = await card.ask({ id: 'quote-stopped', kind: 'quote' });
    expect(progress?.reply).toMatchObject({
      kind: 'quoted',
      quote: { credits: 3, waitsFor: 'stopped-by-person', waits: expect.stringContaining('budget review') },
    });
    const asked = await card.ask({ ...LESS, maxCredits: 3 });
    expect(asked.progress?.standing).toMatchObject({ kind: 'waiting', reason: 'stopped-by-person' });
    expect(world.charged()).toBe(0);
    await world.services.questions.breakers.resume();
    expect((await card.show(LESS.id)).progress?.standing).toMatchObject({ kind: 'under-way', why: '' });
  });

  it('tell at a backfill that nothing is bought until a person resumes spending', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    for (let index = 0; index < 12; index += 1) await contact(world, index);
    await settleDown(world);
    const { id: backfillId } = await operator(world)('backfill', 'quote', '--objects', 'contacts');
    const home = homeOf(world);
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    const move = { kind: 'backfill', backfillId } as const;
    const started = await home.decide({ ...move, id: 'start-stopped', move: 'start', maxCredits: 1_000 });
    expect(started).toMatchObject({
      kind: 'decided',
      code: 'agreed-but-held',
      params: { stopReason: 'budget review' },
    });
    const ended = await home.decide({ ...move, id: 'end-stopped', move: 'stop' });
    expect(ended).toMatchObject({ kind: 'decided', code: 'backfill-stopped' });
  });
});

it('a doubt whose answer may still come has no buttons, and its card says so', async () => {
  const world = await createWorld();
  await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
  const record = await settledContact(world);
  const home = homeOf(world, { userId: 7 });
  const needs = async () => {
    await sweepLater(world);
    return (await home.show()).view?.needs.filter(({ kind }) => kind === 'doubt');
  };
  const [open] = await world.services.openDoubts();
  if (!open) throw new Error('There is no doubt.');
  const { questionKey, reservationId, deadlineAtMs } = open;
  const request = { kind: 'resolve-doubt', questionKey, reservationId, charged: true } as const;
  const codeAtCard = async (id: string) => {
    const reply = (await cardOf(world, record).ask({ id, kind: 'quote' })).progress?.reply;
    return reply?.kind === 'quoted' ? reply.quote.code : undefined;
  };
  const dueMs = deadlineAtMs + ASKER_GRACE_MS;
  await world.processes.reconcile();
  const [early] = (await home.show()).view?.needs ?? [];
  expect([early, early && 'doubt' in early]).toMatchObject([{ kind: 'doubt', fromMs: dueMs }, false]);
  expect(await codeAtCard('card-early')).toBe('answer-may-come');
  await world.clock.sleep(dueMs - world.clock.now() - 1);
  expect(await home.decide({ ...request, id: 'doubt-early' })).toMatchObject({ kind: 'refused' });
  await world.clock.sleep(1);
  expect(await codeAtCard('card-in-time')).toBe('charge-unknown');
  expect(await needs()).toMatchObject([{ doubt: { questionKey, reservationId } }]);
  expect(await home.decide({ ...request, id: 'doubt-in-time' })).toMatchObject({ kind: 'decided' });
  await sweepLater(world);
  // The record names who decided, and the charge without an answer can be claimed back.
  const console = operator(world);
  expect(await console('explain', `contacts/${record.id}`)).toMatchObject({
    outcome: { params: { by: 'user:7' } },
  });
  expect(await console('review', 'claims')).toMatchObject([{ why: 'no answer', questionKey, credits: 3 }]);
});

const RULES = [
  { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] },
  { name: 'the rest', enrich: false },
];

const POLICY = { whom: { contacts: RULES, companies: RULES } };

const AUTHORS = [
  { source: 'AUTOMATION_PLATFORM', sourceId: '42' },
  { source: 'INTEGRATION', sourceId: '4711' },
  { source: 'IMPORT', sourceId: '9' },
  { source: 'CRM_UI', sourceId: 'userId:7' },
];

async function forgotten(world: World): Promise<RecordName> {
  const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
  await forget(world, record);
  return record;
}

/** Each record ends a request without a lookup. */
const RECORDS = {
  'an excluded contact': (world: World) => contact(world),
  'an excluded company': (world: World) => createCompany(world, 5),
  'a contact that was enriched before a rule excluded it': async (world: World) => {
    const record = await settledContact(world, 0, { lifecyclestage: 'customer' });
    await world.portal.edit(record, { lifecyclestage: 'lead' });
    return record;
  },
  'a contact without anything to look it up by': (world: World) =>
    world.portal.create('contacts', { lifecyclestage: 'customer' }),
  'a contact that opted out': (world: World) =>
    contact(world, 0, { lifecyclestage: 'customer', hs_contact_enrichment_opt_out: 'true' }),
  'a contact of a forgotten person': forgotten,
  'a contact into which another was merged': async (world: World) => {
    const [record, other] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    return world.portal.merge(record, other);
  },
  'a contact that was deleted and restored': async (world: World) => {
    const record = await settledContact(world);
    await settled(world, world.portal.archive(record));
    await world.portal.restore(record);
    return record;
  },
};

describe.each(Object.entries(RECORDS))('a request for %s', (_, recordIn) => {
  it.each(AUTHORS)('is set back when it ends, so that the next one counts: $source', async (author) => {
    const world = await createWorld({ policy: POLICY });
    const record = await recordIn(world);
    await settleDown(world);
    const charged = world.charged();
    await world.portal.edit(record, { enrichment_requested: 'true' }, author);
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_requested: 'false' });
    expect(world.charged()).toBe(charged);
  });
});

const REQUESTED = { enrichment_requested: 'true' };

const isSetBack = async (world: World, record: RecordName) =>
  expect(await world.portal.properties(record)).toMatchObject({ enrichment_requested: 'false' });

describe('a request that comes with other work', () => {
  it.each(['the record that stays', 'the record that goes'])(
    'is set back after a merge: %s',
    async (which) => {
      const world = await createWorld({ policy: POLICY });
      const [record, other] = [await contact(world), await contact(world, 1)];
      await settleDown(world);
      await world.portal.edit(which === 'the record that stays' ? record : other, REQUESTED, AUTHORS[0]);
      const merged = await world.portal.merge(record, other);
      await liveOn(world, { forMs: 20 * MINUTE_MS });
      await isSetBack(world, merged);
    },
  );

  it('is set back when its backfill stops', async () => {
    const world = await oldPortal(3, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    const [record] = world.people;
    if (!record) throw new Error('no record');
    await world.portal.edit(record, REQUESTED, AUTHORS[0]);
    await command('backfill', 'stop', id, '--yes');
    await liveOn(world, { forMs: 60 * MINUTE_MS });
    await isSetBack(world, record);
  });

  it('is set back in shadow mode, which writes nothing else', async () => {
    const world = await createWorld({ policy: { mode: 'shadow' } });
    const record = await settledContact(world);
    await world.portal.edit(record, REQUESTED, AUTHORS[0]);
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    await isSetBack(world, record);
    expect(await world.portal.appWrites()).toEqual({ recordWrites: 1, propertyWrites: 1 });
  });

  it('is set back where the record is undone meanwhile', async () => {
    const { world, record } = await worldWithContact();
    await world.portal.edit(record, REQUESTED, AUTHORS[0]);
    await undo(world, record);
    await liveOn(world, { forMs: 60 * MINUTE_MS });
    await isSetBack(world, record);
  });
});

/** A contact whose job title an undo took back, and whose city a person emptied. */
async function emptied() {
  const { world, record } = await worldWithContact();
  await undo(world, record, { property: 'jobtitle' });
  await settled(world, world.portal.edit(record, { city: '' }));
  return { world, record };
}

describe('a request by the property `enrichment_requested`', () => {
  it.each(AUTHORS.slice(0, 3))(
    'brings back nothing that people emptied or undid, where no person set it: $source',
    async (author) => {
      const { world, record } = await emptied();
      await world.portal.edit(record, REQUESTED, author);
      await liveOn(world, { forMs: 10 * MINUTE_MS });
      const after = await world.portal.properties(record);
      expect([after['jobtitle'] ?? '', after['city'] ?? '']).toEqual(['', '']);
      expect(after['enrichment_requested']).toBe('false');
    },
  );

  it.each(['CRM_UI', 'CRM_UI_BULK_ACTION'])('brings them back, where a person set it: %s', async (source) => {
    const { world, record } = await emptied();
    await world.portal.edit(record, REQUESTED, { source, sourceId: 'userId:7' });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    const { job, place } = somePerson(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title, city: place.city });
  });

  it('by a person and a workflow at once is a person’s', async () => {
    const { world, record } = await emptied();
    await world.portal.edit(record, REQUESTED, { source: 'AUTOMATION_PLATFORM', sourceId: '42' });
    await world.portal.edit(record, { enrichment_requested: 'false' });
    await settled(world, world.portal.edit(record, REQUESTED));
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: somePerson(world).job.title });
  });
});

interface Execution {
  readonly callbackId: string;
  readonly recordId: string;
  readonly state: string;
  readonly outputs: Readonly<Record<string, string>>;
}

async function executionsOf(world: World): Promise<readonly Execution[]> {
  return (await verb<{ executions: Execution[] }>(world, 'executions')).executions;
}

function enrol(world: World, records: readonly RecordName[]) {
  return verb(world, 'enrol', { objectType: 'contacts', ids: records.map(({ id }) => id) });
}

describe("the workflow's action", () => {
  it('tells each of twenty contacts how it ended, one in doubt and one over the budget among them', async () => {
    // Three credits each: nineteen of them.
    const world = await createWorld({
      agedMs: DAY_MS,
      policy: { budgets: { perDay: 1_000, purposes: { workflow: { perDay: 57 } } } },
    });
    const records = await oldContacts(world, 20);
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await enrol(world, records);
    expect(world.queues.bulk.size()).toBe(20);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'completed'));
    const outcomes = Object.groupBy(executions, ({ outputs }) => outputs['outcome'] ?? '');
    expect(
      Object.entries(outcomes)
        .map(([outcome, of]) => [outcome, of?.length])
        .toSorted(),
    ).toEqual([
      ['enriched', 18],
      ['failed', 1],
      ['waiting', 1],
    ]);
    expect(outcomes['enriched']?.every(({ outputs }) => outputs['credits'] === '3')).toBe(true);
    expect(outcomes['waiting']?.[0]?.outputs).toMatchObject({ credits: '0' });
    expect(outcomes['failed']?.[0]?.outputs['reason']).not.toBe('');
    await verify(world);
  });

  it('is told in batches, and once', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 6);
    await enrol(world, records);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.every(({ outputs }) => outputs['outcome'] === 'enriched')).toBe(true);
    const spent = world.charged();
    for (const { callbackId } of executions) await verb(world, 'execute', { callbackId });
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(spent);
    const { requests } = await verb<{ requests: { path: string; count: number }[] }>(world, 'requests');
    const completions = requests.filter(({ path }) => path.includes('callbacks'));
    expect(completions.reduce((sum, { count }) => sum + count, 0)).toBeLessThan(6);
    expect(await world.services.requests.list({ partition: requestKind.partition('actions') })).toEqual([]);
  });

  it('waits behind a person, and asks about what is fresh for nothing', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 1);
    await enrol(world, records);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    const spent = world.charged();
    await enrol(world, records);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ outputs }) => outputs['credits'])).toEqual([
      String(spent),
      '0',
    ]);
    expect(world.charged()).toBe(spent);
  });

  it.each([0, 2, 62])(
    'reports a charge once where a second action comes %i seconds after the first',
    async (seconds) => {
      const world = await createWorld({ agedMs: DAY_MS });
      const records = await oldContacts(world, 1);
      await enrol(world, records);
      const second = world.clock.sleep(seconds * SECOND_MS).then(() => enrol(world, records));
      if (seconds === 0) await second;
      await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
      await second;
      const [first, later] = await executionsOf(world);
      expect(world.charged()).toBe(3);
      expect(first?.outputs).toMatchObject({ outcome: 'enriched', credits: '3' });
      expect(later?.outputs).toMatchObject({ outcome: expect.any(String), credits: '0' });
      const matched = explanationText(because('matched', { operation: 'personProfile' }));
      const reason = later?.outputs['reason'];
      // It says first who reports the credits.
      expect(reason).not.toBe(matched);
      if (seconds === 0) expect(reason).toMatch(/ 3 /);
      if (seconds === 0) expect(reason?.endsWith(matched)).toBe(true);
    },
  );

  it('reports what was bought for a record that HubSpot does not take, to one action', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const records = await oldContacts(world, 1);
    await world.portal.change({ scopes: ['crm.objects.contacts.read', 'automation'] });
    await enrol(world, records);
    await enrol(world, records);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBe(3);
    const executions = await executionsOf(world);
    expect(executions.map(({ outputs }) => [outputs['outcome'], outputs['credits']])).toEqual([
      ['waiting', '3'],
      ['waiting', '0'],
    ]);
  });

  it('goes on at once where the budget will not come to its record today', async () => {
    const purposes = { workflow: { perDay: 6 } };
    const world = await createWorld({ agedMs: DAY_MS, policy: { budgets: { perDay: 1_000, purposes } } });
    for (const record of await oldContacts(world, 40)) {
      await enrol(world, [record]);
      await settleDown(world);
      await world.clock.sleep(1);
    }
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const executions = await executionsOf(world);
    expect(executions.map(({ state }) => state)).toEqual(Array.from({ length: 40 }, () => 'completed'));
    const waiting = executions.filter(({ outputs }) => outputs['outcome'] === 'waiting');
    expect(waiting).toHaveLength(38);
    const reasons = waiting.map(({ outputs }) => outputs['reason'] ?? '');
    expect(reasons.every((reason) => reason === BUDGET_TAKEN || / 6 /.test(reason))).toBe(true);
  });

  it('is told of a record of which very much happens in between', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [record] = await oldContacts(world, 1);
    if (!record) throw new Error('One was made.');
    await enrol(world, [record]);
    for (let nth = 0; nth < 60; nth += 1)
      await world.portal.edit(record, { email: `no${nth}@firm-${nth}.com` });
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ state }) => state)).toEqual(['completed']);
  });

  it('of which HubSpot refuses the end of one tells those of the others', async () => {
    let refused = 0;
    const through =
      (send: Send): Send =>
      async (request) => {
        const isRefused = request.url.includes('/callbacks/') && request.body?.includes('-2"');
        if (!isRefused) return send(request);
        refused += 1;
        return { ...(await send({ ...request, body: 'no JSON' })), status: 400 };
      };
    const world = await createWorld({ agedMs: DAY_MS, through });
    await enrol(world, await oldContacts(world, 3));
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    const states = (await executionsOf(world)).map(({ state }) => state);
    expect([states, refused]).toEqual([['completed', 'held', 'completed'], 2]);
    expect(await world.services.requests.list({ partition: requestKind.partition('actions') })).toEqual([]);
  });

  it('leaves a property empty that a person emptied', async () => {
    const { world, record } = await worldWithContact();
    await settled(world, world.portal.edit(record, { jobtitle: '', city: '' }));
    await enrol(world, [record]);
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world))[0]?.state).toBe('completed');
    const { jobtitle = '', city = '' } = await world.portal.properties(record);
    expect([jobtitle, city]).toEqual(['', '']);
    // Somebody who asks for the record wants it filled.
    await enrol(world, [record]);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    expect(await world.portal.properties(record)).toMatchObject({
      jobtitle: expect.any(String),
      city: expect.any(String),
    });
  });

  it('is told of a record that was merged away or whose person was forgotten', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const [first, second, third] = await oldContacts(world, 3);
    if (!first || !second || !third) throw new Error('Three were made.');
    await enrol(world, [first, third]);
    await settled(world, world.portal.erase(third));
    await world.portal.merge(second, first);
    await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await executionsOf(world)).map(({ state }) => state)).toEqual(['completed', 'completed']);
  });
});
