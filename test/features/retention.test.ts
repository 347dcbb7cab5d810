import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { answersOf, questionKind } from '#shared/questions';
import { because, explanationText, historyOf, recordKind } from '#shared/records';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { sweeps } from '../harness/removals.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

const KEPT_DAYS = 100;

const keeping = (more: Partial<NonNullable<WorldOptions['policy']>> = {}): Promise<World> =>
  createWorld({
    policy: { privacy: { retention: { contacts: [{ name: 'leads', days: KEPT_DAYS }] } }, ...more },
  });

async function enriched(world: World, index = 0): Promise<RecordName> {
  const record = await contact(world, index);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

async function later(world: World, days: number): Promise<void> {
  await world.clock.sleep(days * DAY_MS);
  await sweeps(world);
}

async function storedAnswers(world: World, key: string): Promise<number> {
  const item = (await world.items(questionKind).read(questionKind.key(key)))?.value;
  return answersOf(item).filter(({ kind }) => kind === 'found').length;
}

describe('the end of a retention rule', () => {
  it('empties what we wrote, purges answers and journal, and says why', async () => {
    const world = await keeping();
    const url = profileUrlOf(somePerson(world));
    const record = await enriched(world);
    const question = (await world.state(record))?.answeredQuestion ?? '';
    const given = await world.portal.properties(record);
    expect(given['jobtitle']).toBeDefined();
    await later(world, KEPT_DAYS - 1);
    expect((await world.portal.properties(record))['jobtitle']).toBe(given['jobtitle']);
    expect(await storedAnswers(world, question)).toBe(1);
    await later(world, 2);
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({
      hs_linkedin_url: url,
      enrichment_status: 'skipped',
      enrichment_reason: explanationText(because('values-expired', { rule: 'leads' })),
    });
    for (const name of ['jobtitle', 'lastname', 'company', 'enrichment_source'])
      expect(after[name]).toBeUndefined();
    expect(await storedAnswers(world, question)).toBe(0);
    const state = await world.state(record);
    expect(state).toMatchObject({
      removal: { by: 'retention', rule: 'leads', isDone: true },
      outcome: { kind: 'skipped' },
      ownership: {},
    });
    expect(state?.staleAtMs ?? state?.answeredAtMs ?? state?.obtainedAtMs).toBeUndefined();
    const journal = state ? await historyOf(world.services, state) : [];
    expect(journal).toMatchObject([{ kind: 'removal' }]);
    const values = journal.flatMap(({ changes }) =>
      changes.map(({ before, after: value }) => before ?? value),
    );
    expect(values.filter((value) => value !== '')).toEqual([]);
    expect(journal[0]?.changes.map(({ property }) => property)).toContain('jobtitle');
  });

  it('leaves what a person wrote', async () => {
    const world = await keeping();
    const record = await enriched(world);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    await settleDown(world);
    await later(world, KEPT_DAYS + 1);
    const after = await world.portal.properties(record);
    expect(after['jobtitle']).toBe('Chief of Everything');
    expect(after['company']).toBeUndefined();
  });

  it('is not followed by another purchase, whoever asks', async () => {
    const world = await keeping();
    const record = await enriched(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    await world.portal.edit(record, { phone: '+1 415 555 0100' });
    await settleDown(world);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    await later(world, 400);
    await world.processes.refresh();
    await settleDown(world);
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });

  it('may be followed by one where a rule of whom says so, and then counts anew', async () => {
    const whom = { contacts: [{ name: 'all', afterRetention: true }] };
    const world = await keeping({ whom });
    const record = await enriched(world);
    await later(world, KEPT_DAYS + 1);
    const spent = world.charged();
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(world.charged()).toBeGreaterThan(spent);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    expect((await world.state(record))?.removal).toBeUndefined();
    await later(world, KEPT_DAYS - 2);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    await later(world, 3);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
  });
});

const titleOf = async (world: World, record: RecordName) =>
  (await world.portal.properties(record))['jobtitle'];

/** Calls `act` once, right before the first batch of writes after `begin` was called. */
function beforeWrite(act: () => Promise<void>) {
  let isOpen = false;
  const through: NonNullable<WorldOptions['through']> = (send) => async (request) => {
    if (isOpen && request.url.startsWith(HUBSPOT_URL) && request.url.endsWith('/batch/update')) {
      isOpen = false;
      await act();
    }
    return send(request);
  };
  const begin = () => {
    isOpen = true;
  };
  return { through, begin };
}

const RETENTION = { contacts: [{ name: 'leads', days: KEPT_DAYS }] };
const POLICY = { policy: { privacy: { retention: RETENTION } } };

describe('a retention rule that ends', () => {
  it('gives back what a person typed in the moment of the write', async () => {
    let record: RecordName | undefined;
    const moment = beforeWrite(async () => {
      if (record) await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    });
    const world: World = await createWorld({ ...POLICY, through: moment.through });
    record = await enriched(world);
    // The answer to the write is lost, so that its end is looked up.
    moment.begin();
    await world.portal.change({ faults: [{ kind: 'reset-after', rate: 1, path: 'batch/update', times: 1 }] });
    await later(world, KEPT_DAYS + 1);
    await world.portal.change({ faults: [] });
    await later(world, 1);
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    expect((await world.portal.properties(record))['company']).toBeUndefined();
  });

  it('waits for an answer that was paid for and is still to be written', async () => {
    const world = await keeping({ freshness: { contactsDays: KEPT_DAYS - 10 } });
    const record = await enriched(world);
    await world.clock.sleep((KEPT_DAYS - 5) * DAY_MS);
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    await world.processes.refresh();
    await settleDown(world);
    expect((await world.state(record))?.run?.answeredQuestion).toBeDefined();
    await later(world, 6);
    expect((await world.state(record))?.removal).toBeUndefined();
    await world.portal.change({ faults: [] });
    await later(world, 1);
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('is carried out when HubSpot takes writes again, and says meanwhile what is open', async () => {
    const world = await keeping();
    const record = await enriched(world);
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    await sweeps(world);
    const charged = world.charged();
    expect(await titleOf(world, record)).toBeDefined();
    expect(await world.state(record)).toMatchObject({ removal: { by: 'retention' } });
    expect((await world.state(record))?.removal?.isDone).toBeUndefined();
    await world.portal.change({ faults: [] });
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(world.charged()).toBe(charged);
    await later(world, 1);
    expect(await titleOf(world, record)).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('reaches what was merged into another record', async () => {
    const world = await keeping();
    const [first, second] = [await enriched(world), await enriched(world, 1)];
    await world.clock.sleep(50 * DAY_MS);
    const winner = await world.portal.merge(first, second);
    await settleDown(world);
    expect(await titleOf(world, winner)).toBeDefined();
    await later(world, KEPT_DAYS);
    expect(await titleOf(world, winner)).toBeUndefined();
    expect((await world.portal.properties(winner))['company']).toBeUndefined();
  });

  it('passes over a value that an undo gave back, also when the journal is gone', async () => {
    const fields = { contacts: { jobtitle: { write: 'always' } } } as const;
    const world = await keeping({ fields });
    const record = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world)),
      jobtitle: 'Chief of Everything',
    });
    await settleDown(world);
    expect(await titleOf(world, record)).not.toBe('Chief of Everything');
    await openConsole(world)('undo', `contacts/${record.id}`, '--property', 'jobtitle', '--yes');
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    const state = await world.state(record);
    if (state)
      await world.services.journal.purge(state, { runs: state.runsOpened, nowMs: world.clock.now() });
    await later(world, KEPT_DAYS + 1);
    expect(await titleOf(world, record)).toBe('Chief of Everything');
    expect((await world.portal.properties(record))['company']).toBeUndefined();
    expect((await world.state(record))?.removal?.isDone).toBe(true);
  });

  it('is served by two sweeps at once as by one', async () => {
    const world = await keeping();
    const records = [await enriched(world), await enriched(world, 1), await enriched(world, 2)];
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    await Promise.all([world.processes.reconcile(), world.processes.reconcile()]);
    await settleDown(world);
    await later(world, 1);
    for (const record of records) {
      expect(await titleOf(world, record)).toBeUndefined();
      expect((await world.state(record))?.removal?.isDone).toBe(true);
    }
    expect(world.violations).toEqual([]);
  });

  it('may be shorter than the refresh', async () => {
    const world = await keeping({ freshness: { contactsDays: 300 } });
    const record = await enriched(world);
    await later(world, KEPT_DAYS + 1);
    await later(world, 300);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0 });
    expect(await titleOf(world, record)).toBeUndefined();
  });

  it('counts from the first answer, and from the newest only where its rule says so', async () => {
    const freshness = { contactsDays: 60 };
    const prolonging = { contacts: [{ name: 'leads', days: KEPT_DAYS, refreshProlongs: true }] };
    const plain = await keeping({ freshness });
    const prolonged = await keeping({ freshness, privacy: { retention: prolonging } });
    const titles: unknown[] = [];
    for (const world of [plain, prolonged]) {
      const record = await enriched(world);
      await world.clock.sleep(61 * DAY_MS);
      await world.processes.refresh();
      await settleDown(world);
      await later(world, KEPT_DAYS - 60);
      titles.push(await titleOf(world, record));
    }
    expect(titles).toEqual([undefined, expect.any(String)]);
  });

  it('takes a bounded part of many expired records in one sweep', { timeout: 60_000 }, async () => {
    const world = await keeping();
    const record = await enriched(world);
    const state = await world.state(record);
    if (!state) throw new Error('no state');
    const ids = Array.from({ length: 10_000 }, (_, nth) => `9${String(nth).padStart(6, '0')}`);
    for (const id of ids)
      await world.items(recordKind).write({
        ...{ key: recordKind.key({ objectType: 'contacts', id }), value: { ...state, id } },
        expectedVersion: undefined,
      });
    await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
    world.wire.forget();
    await world.processes.reconcile();
    const paths = world.wire.hubSpotRequests().filter((path) => path.endsWith('/contacts/batch/read'));
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.length).toBeLessThan(20);
    const fresh = await contact(world, 1);
    await settleDown(world);
    expect((await world.state(fresh))?.outcome?.kind).toBe('enriched');
  });

  it('is repeated after a death of the sweep at any of its calls', { timeout: 60_000 }, async () => {
    for (let at = 3; at < 120; at += 13) {
      const world = await keeping();
      const records = [await enriched(world), await enriched(world, 1)];
      await world.portal.edit(records[0] ?? record0(), { jobtitle: 'Chief of Everything' });
      await settleDown(world);
      await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
      const charged = world.charged();
      world.processes.planForSweeps({
        strike: { at, effect: at % 2 === 0 ? 'none' : 'done', kind: 'death' },
      });
      await world.processes.reconcile().catch(() => undefined);
      world.processes.planForSweeps({});
      await later(world, 1);
      await later(world, 1);
      const titles = await Promise.all(records.map((record) => titleOf(world, record)));
      const states = await Promise.all(records.map((record) => world.state(record)));
      expect([at, ...titles]).toEqual([at, 'Chief of Everything', undefined]);
      expect(states.map((each) => each?.removal?.isDone)).toEqual([true, true]);
      expect(world.charged()).toBe(charged);
    }
  });
});

function record0(): never {
  throw new Error('no such record');
}
