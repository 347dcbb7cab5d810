import { describe, expect, it } from 'vitest';
import { undoRecord } from '#inside/enrichment/undo/undo.ts';
import { recordKey } from '#shared/crm';
import { undoRecords } from '#shared/enrichment';
import { DAY_MS } from '#shared/kernel';
import { forgetPerson } from '#shared/questions';
import { explanationText, historyOf, recordKind } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function enriched(world: World, index = 0): Promise<RecordName> {
  const record = await contact(world, index);
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

async function reportOf(world: World, record: RecordName, request = {}) {
  const report = await undo(world, record, request);
  if (typeof report === 'string') throw new Error(report);
  return report;
}

describe('an undo', () => {
  it('brings back what was there before, and says what it brought back', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somePerson(world));
    const record = await enriched(world);
    const filled = Object.keys(await world.portal.properties(record));
    expect(filled).toContain('jobtitle');
    const report = await reportOf(world, record);
    expect(report.kept).toEqual([]);
    expect(report.restored.map(({ property }) => property)).toContain('jobtitle');
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({
      hs_linkedin_url: url,
      enrichment_reason: expect.stringContaining('Job Title'),
    });
    expect(after['enrichment_reason']).not.toContain('jobtitle');
    expect((await world.state(record))?.outcome?.reason).toMatchObject({ code: 'undone' });
    for (const { property } of report.restored) expect(after[property]).toBeUndefined();
  });

  it('leaves what a person has written since, with the reason', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const report = await reportOf(world, record);
    expect(report.kept).toMatchObject([{ property: 'jobtitle', code: 'person-changed' }]);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Chief of Everything' });
  });

  it('is filled in again only when somebody asks for the record, at no cost', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await reportOf(world, record, { property: 'jobtitle' });
    await settleDown(world);
    const spent = world.charged();
    await world.portal.edit(record, { phone: '+1 415 555 0100' });
    await settleDown(world);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect((await world.portal.properties(record))['jobtitle']).toBeDefined();
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['enrichment_requested']).toBe('false');
  });

  it('takes one property only, and is not offered twice', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    const before = await world.portal.properties(record);
    const report = await reportOf(world, record, { property: 'jobtitle' });
    expect(report.restored).toEqual([{ property: 'jobtitle', from: before['jobtitle'], to: null }]);
    expect(await world.services.journal.read(record, 2)).toMatchObject({
      kind: 'undo',
      changes: [{ property: 'jobtitle', before: before['jobtitle'], after: '', state: 'written' }],
    });
    expect(await world.portal.properties(record)).toMatchObject({ lastname: before['lastname'] });
    expect(await reportOf(world, record, { property: 'jobtitle' })).toEqual({ restored: [], kept: [] });
  });

  it('shows what it would do without doing it', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    const before = await world.portal.properties(record);
    const state = await world.state(record);
    expect((await reportOf(world, record, { dryRun: true })).restored.length).toBeGreaterThan(3);
    expect(await world.portal.properties(record)).toEqual(before);
    expect(await world.state(record)).toEqual(state);
  });

  it('keeps away from a record that a worker holds', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    const stored = await world.items(recordKind).read(recordKind.key(record));
    if (!stored) throw new Error('no state');
    const claim = { owner: 'a worker', untilMs: world.clock.now() + 60_000 };
    const run = { id: 'r', purpose: 'live' as const, openedAtMs: world.clock.now(), credits: 0 };
    const value = { ...stored.value, claim, run, runsOpened: stored.value.runsOpened + 1 };
    await world
      .items(recordKind)
      .write({ key: recordKind.key(record), value, expectedVersion: stored.version });
    expect(await undo(world, record)).toBe('busy');
  });

  it('leaves a stale record to the refresh', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await world.clock.sleep(400 * DAY_MS);
    await reportOf(world, record, { property: 'jobtitle' });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
  });
});

describe('an undo of many records', () => {
  it('reads and writes them together, and answers for each', async () => {
    const world = await createWorld();
    const [first, second, third] = [
      await enriched(world),
      await enriched(world, 1),
      await enriched(world, 2),
    ];
    const records = [first, second, third];
    await world.portal.edit(second, { jobtitle: 'Chief of Everything' });
    world.wire.forget();
    const { clock, policy, services } = world;
    let made = 0;
    const undoing = { ...services, clock, policy, newId: () => `undo-${++made}` };
    const requests = records.map(({ id }) => ({ id, isChosen: () => true }));
    const results = await undoRecords(undoing, { objectType: 'contacts', requests });
    expect(results).toMatchObject([{ kept: [] }, { kept: [{ property: 'jobtitle' }] }, { kept: [] }]);
    for (const record of records) {
      const { code, ...rest } = (await world.state(record))?.outcome?.reason ?? { code: '' };
      expect(code).toBe('undone');
      expect(await statusOf(world, record.id)).toBe(explanationText({ code, ...rest }));
    }
    const updates = world.wire.hubSpotRequests().filter((path) => path.endsWith('/batch/update'));
    expect(updates).toHaveLength(1);
  });
});

async function statusOf(world: World, id: string): Promise<string | undefined> {
  return (await world.portal.properties({ objectType: 'contacts', id }))['enrichment_reason'];
}

describe('an undo of a record that others were merged into', () => {
  async function merged() {
    const world = await createWorld();
    const [a, b] = [await enriched(world, 0), await enriched(world, 1)];
    const titles = [await world.portal.properties(a), await world.portal.properties(b)].map(
      ({ jobtitle }) => jobtitle,
    );
    const winner = await world.portal.merge(a, b);
    await settleDown(world);
    return { world, a, b, winner, titles };
  }

  it('brings back what was there before our writes to any of them', async () => {
    const { world, winner, titles } = await merged();
    const { jobtitle } = await world.portal.properties(winner);
    expect(titles).toContain(jobtitle);
    const report = await reportOf(world, winner);
    expect(report.restored).toContainEqual({ property: 'jobtitle', from: jobtitle, to: null });
    expect((await world.portal.properties(winner))['jobtitle']).toBeUndefined();
  });

  it('is the same by the name of one that was merged, dry or not', async () => {
    const { world, a, winner } = await merged();
    const dry = await reportOf(world, a, { dryRun: true });
    expect(dry).toMatchObject({ mergedInto: winner.id });
    expect(dry.restored.length).toBeGreaterThan(3);
    expect(await reportOf(world, a)).toEqual(dry);
    expect((await reportOf(world, winner)).restored).toEqual([]);
  });

  it('finds what was written through two merges', async () => {
    const { world, a, b, winner } = await merged();
    const third = await enriched(world, 2);
    const last = await world.portal.merge(winner, third);
    await settleDown(world);
    const state = await world.state(last);
    if (!state) throw new Error('no state');
    const ids = (await historyOf(world.services, state)).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([a.id, b.id, third.id]));
    expect((await reportOf(world, a)).restored.length).toBeGreaterThan(3);
  });
});

describe('an undo of a record whose person is forgotten', () => {
  const forget = async ({ services: { forgetting } }: World, record: RecordName) =>
    forgetPerson(forgetting, await forgetting.forgetRecord(recordKey(record)));

  it('says so, dry or not', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await forget(world, record);
    expect(await undo(world, record)).toBe('forgotten');
    expect(await undo(world, record, { dryRun: true })).toBe('forgotten');
  });

  it('between its claim and its entry in the journal writes nothing', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    world.wire.forget();
    const { services, clock, policy } = world;
    const plan: typeof services.journal.plan = async (entry) => {
      await forget(world, record);
      return services.journal.plan(entry);
    };
    const undoing = {
      ...services,
      journal: { ...services.journal, plan },
      clock,
      policy,
      newId: () => 'undo',
    };
    expect(await undoRecord(undoing, { ...record, isChosen: () => true })).toBe('forgotten');
    expect(world.wire.writes()).toEqual([]);
  });

  it('while it is at work writes nothing any more', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    world.wire.forget();
    const fault = { path: 'contacts/batch/read', kind: 'slow', delayMs: 5_000, rate: 1, times: 4 } as const;
    await world.portal.change({ faults: [fault] });
    const undoing = undo(world, record);
    await world.clock.sleep(13_000);
    await forget(world, record);
    const tombstone = await world.state(record);
    expect(await undoing).toBe('forgotten');
    expect(world.wire.writes()).toEqual([]);
    expect(await world.state(record)).toEqual(tombstone);
  });
});
