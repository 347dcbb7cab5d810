import { describe, expect, it } from 'vitest';
import { undoRecord } from '../../shared/enrichment/undo.ts';
import { recordKey } from '../../shared/records/crm-record.ts';
import type { RecordName } from '../builders/hubspot-portal.ts';
import { profileUrlOf, somebody } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld, type World } from '../builders/world.ts';

async function enriched(world: World): Promise<RecordName> {
  const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somebody(world)) });
  await settleDown(world);
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return record;
}

function undo(world: World, record: RecordName, request: { property?: string; dryRun?: boolean } = {}) {
  const { clock, policy } = world;
  let made = 0;
  const newId = () => `undo-${++made}`;
  return undoRecord(
    { ...world.parts, clock, policy, newId },
    { ...record, ...request, isChosen: () => true },
  );
}

async function reportOf(world: World, record: RecordName, request = {}) {
  const report = await undo(world, record, request);
  if (report === 'busy') throw new Error('busy');
  return report;
}

describe('an undo', () => {
  it('brings back what was there before, and says what it brought back', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somebody(world));
    const record = await enriched(world);
    const filled = Object.keys(await world.portal.properties(record));
    expect(filled).toContain('jobtitle');
    const report = await reportOf(world, record);
    expect(report.kept).toEqual([]);
    expect(report.restored.map(({ property }) => property)).toContain('jobtitle');
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({
      hs_linkedin_url: url,
      enrichment_reason: expect.stringMatching(/^Undone: /),
    });
    for (const { property } of report.restored) expect(after[property]).toBeUndefined();
  });

  it('leaves what a person has written since, with the reason', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const report = await reportOf(world, record);
    expect(report.kept).toEqual([{ property: 'jobtitle', reason: 'somebody has changed it since' }]);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Chief of Everything' });
  });

  it('is not filled in again, whatever is enriched later, but for what the policy writes always', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    await reportOf(world, record, { property: 'jobtitle' });
    await settleDown(world);
    const spent = world.charged();
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    expect(world.charged()).toBe(spent);
    expect((await world.portal.properties(record))['enrichment_requested']).toBe('false');
  });

  it('takes one property only, and is not offered twice', async () => {
    const world = await createWorld();
    const record = await enriched(world);
    const before = await world.portal.properties(record);
    const report = await reportOf(world, record, { property: 'jobtitle' });
    expect(report.restored).toEqual([{ property: 'jobtitle', from: before['jobtitle'], to: null }]);
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
    const stored = await world.stores.records.read(recordKey(record));
    if (!stored) throw new Error('no state');
    const claim = { owner: 'a worker', untilMs: world.clock.now() + 60_000 };
    const run = { id: 'r', purpose: 'live' as const, openedAtMs: world.clock.now(), credits: 0 };
    const value = { ...stored.value, claim, run, runsOpened: stored.value.runsOpened + 1 };
    await world.stores.records.write({ key: recordKey(record), value, expectedVersion: stored.version });
    expect(await undo(world, record)).toBe('busy');
  });
});
