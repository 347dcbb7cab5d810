import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#inside/enrichment/memory.ts';
import { undoRecord } from '#inside/enrichment/undo/undo.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { recordKind } from '#shared/records';
import type { FusePlan } from '../harness/fuse.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { isDrained, liveOn, settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

async function enriched(options: WorldOptions = {}) {
  const world = await createWorld(options);
  const record = await contact(world);
  await settleDown(world);
  return { world, record };
}

/** A person gives the record to somebody else. */
function becomesSomebodyElse(world: World, record: RecordName): Promise<void> {
  const hs_linkedin_url = profileUrlOf(somePerson(world, 1));
  const { firstName: firstname, lastName: lastname } = somePerson(world, 1);
  return world.portal.edit(record, { hs_linkedin_url, firstname, lastname });
}

async function companyOf(world: World, record: RecordName): Promise<string | undefined> {
  return (await world.portal.properties(record))['company'];
}

describe('an undo of one property', () => {
  it('lets a run that waits for budget go on afterwards', async () => {
    const { world, record } = await enriched({ policy: { budgets: { perDay: 3 } } });
    await becomesSomebodyElse(world, record);
    await settleDown(world);
    expect((await world.state(record))?.waiting?.reason).toBe('budget');
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [{}] });
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 6 * HOUR_MS });
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    expect(await isDrained(world)).toBe(true);
  });

  it('keeps away from an answer that was paid for and is not written yet', async () => {
    const { world, record } = await enriched();
    const spent = world.charged();
    await becomesSomebodyElse(world, record);
    await world.portal.sandbox.deliverWebhooks();
    await world.portal.change({
      faults: [{ path: 'batch/update', kind: 'reset-before', rate: 1, times: 6 }],
    });
    await world.processes.work();
    expect((await world.state(record))?.run?.answeredQuestion).toBeDefined();
    expect(await undo(world, record, { property: 'jobtitle' })).toBe('busy');
    await liveOn(world, { forMs: HOUR_MS });
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
    expect((await world.state(record))?.creditsSpent).toBe(world.charged());
    expect(world.charged()).toBeGreaterThan(spent);
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [{}] });
  });

  it('does not hide what a person changed just before', async () => {
    const { world, record } = await enriched();
    await becomesSomebodyElse(world, record);
    await undo(world, record, { property: 'jobtitle' });
    await settleDown(world);
    expect(await companyOf(world, record)).toBe(somePerson(world, 1).job.company.name);
  });

  it('is itself no reason to look at the record again', async () => {
    const { world, record } = await enriched();
    await undo(world, record, { property: 'lastname' });
    const { objectType } = record;
    const present = { objectType, properties: await world.portal.properties(record) };
    const fingerprint = fingerprintOf(present, { policy: world.policy, digest: world.services.digest });
    expect(await world.state(record)).toMatchObject({ fingerprint });
  });

  it('leaves its charge to the run that it took over', async () => {
    const { world, record } = await enriched();
    const stored = await world.items(recordKind).read(recordKind.key(record));
    if (!stored) throw new Error('no state');
    const { version: expectedVersion, value: state } = stored;
    const run = { id: 'r', purpose: 'backfill' as const, openedAtMs: world.clock.now(), credits: 2 };
    const waiting = { reason: 'budget', untilMs: world.clock.now() + HOUR_MS };
    const value = { ...state, run, waiting, runsOpened: state.runsOpened + 1 };
    await world.items(recordKind).write({ key: recordKind.key(record), value, expectedVersion });
    await undo(world, record, { property: 'jobtitle' });
    expect(await world.state(record)).toMatchObject({
      outcome: { kind: 'unchanged', credits: 0 },
      creditsSpent: state.creditsSpent,
      run: { id: 'r', purpose: 'backfill', credits: 2 },
    });
  });
});

describe('an undo that is cut off after its write', () => {
  it('is known to have been done, and done only once', async () => {
    const { world, record } = await enriched();
    const { services } = world;
    const write: typeof services.crm.write = async (change) => {
      await services.crm.write(change);
      throw new Error('cut off');
    };
    const crm = { ...services.crm, until: () => ({ ...services.crm, write }) };
    const undoing = { ...services, crm, clock: world.clock, policy: world.policy, newId: () => 'cut off' };
    const cutOff = undoRecord(undoing, { ...record, property: 'jobtitle', isChosen: () => true });
    await expect(cutOff).rejects.toThrow('cut off');
    await liveOn(world, { forMs: HOUR_MS });
    expect((await world.portal.properties(record))['jobtitle']).toBeUndefined();
    expect(await undo(world, record, { property: 'jobtitle' })).toEqual({ restored: [], kept: [] });
    expect(await isDrained(world)).toBe(true);
  });
});

/** What was in no one's hands but ours, and is there now. */
async function filledBy(world: World, record: RecordName): Promise<string[]> {
  const theirs = /^(?:email|createdate|lastmodifieddate|hs_.*|enrichment_.*)$/;
  return Object.keys(await world.portal.properties(record)).filter((name) => !theirs.test(name));
}

describe('what a run wrote before it was cut off', () => {
  it('is known to the journal where HubSpot’s answer to the write was lost', async () => {
    const world = await createWorld();
    await world.portal.change({ faults: [{ path: 'batch/update', kind: 'reset-after', rate: 1, times: 6 }] });
    const record = await contact(world);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
    expect(await world.state(record)).toMatchObject({ outcomes: { enriched: 1, unchanged: 0 } });
    const filled = await filledBy(world, record);
    expect(filled).toContain('jobtitle');
    const restored = filled.map((property) => expect.objectContaining({ property, to: null }));
    expect(await undo(world, record)).toMatchObject({ restored: expect.arrayContaining(restored) });
  });

  const FATES: readonly Omit<FusePlan, 'at'>[] = [
    { kind: 'death', effect: 'none' },
    { kind: 'death', effect: 'done' },
  ];
  it.each(FATES)('can be brought back, at whichever of its calls its worker was gone: %j', async (fate) => {
    let struck = 0;
    for (let at = 1; ; at += STRIDE) {
      const world = await createWorld();
      const email = somePerson(world).job.email ?? '';
      const record = await world.portal.create('contacts', { email });
      world.processes.planForNext({ ...fate, at });
      await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
      if ((world.processes.fuses[0]?.calls() ?? 0) < at) break;
      const report = await undo(world, record, { dryRun: true });
      if (typeof report === 'string') throw new Error(report);
      const back = report.restored.filter(({ to }) => to === null).map(({ property }) => property);
      expect({ at, back, kept: report.kept }).toEqual({
        at,
        back: expect.arrayContaining(await filledBy(world, record)),
        kept: [],
      });
      const filled = (await filledBy(world, record)).length > 0;
      const told = (await world.portal.properties(record))['enrichment_status'];
      expect({ at, told }).toEqual({ at, told: filled ? 'enriched' : 'failed' });
      struck += 1;
    }
    expect(struck * STRIDE).toBeGreaterThan(20);
  });
});
