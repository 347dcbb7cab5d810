import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { newRecordState, recordKind } from '#shared/records';
import { contact, createCompany, profileUrlOf, somePerson } from '../harness/people.ts';
import {
  isDrained,
  liveOn,
  settleDown,
  settledContact,
  settledRecord,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { spoilEntry } from '../system/alarms/spoil.ts';

describe('the sweep', () => {
  it('finds the records whose webhook never came, and each once', async () => {
    const world = await createWorld({ hubSpot: { webhookUrl: null } });
    const record = await contact(world);
    const company = await createCompany(world);
    await world.clock.sleep(2 * MINUTE_MS);
    expect(await world.processes.reconcile()).toMatchObject({ swept: 2 });
    expect(await world.processes.reconcile()).toMatchObject({ swept: 0 });
    await liveOn(world, { forMs: 2 * HOUR_MS });
    const states = [await world.state(record), await world.state(company)];
    expect(states.map((state) => [state?.outcome?.kind, state?.runsOpened])).toEqual([
      ['enriched', 1],
      ['enriched', 1],
    ]);
    expect(await isDrained(world)).toBe(true);
  });

  it('gives a webhook the first chance, and then does nothing twice', async () => {
    const world = await createWorld();
    const record = await contact(world);
    await world.clock.sleep(30 * SECOND_MS);
    expect(await world.processes.reconcile()).toMatchObject({ swept: 0 });
    await settleDown(world);
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.state(record)).toMatchObject({ runsOpened: 1 });
    expect(world.queues.live.accepted().length).toBe(1);
  });

  it('looks through many records page by page, none missed', async () => {
    const world = await createWorld({ hubSpot: { webhookUrl: null } });
    for (let index = 0; index < 230; index += 1) {
      await world.portal.create('contacts', { firstname: `No. ${index}` });
      if (index % 100 === 99) await world.clock.sleep(MINUTE_MS);
    }
    await world.clock.sleep(2 * MINUTE_MS);
    const swept: number[] = [];
    for (let time = 0; time < 5; time += 1) swept.push((await world.processes.reconcile()).swept);
    expect(swept).toEqual([230, 0, 0, 0, 0]);
    // A queue is never long, however often the sweep runs while nobody works on it.
    expect(world.queues.live.accepted().length).toBe(40);
    await liveOn(world, { forMs: 15 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await world.states()).map(({ outcomes }) => outcomes.skipped)).toEqual(
      Array.from({ length: 230 }, () => 1),
    );
    expect(await isDrained(world)).toBe(true);
  });

  it('touches nothing that was there before the installation, whatever happens to it', async () => {
    const world = await createWorld({ agedMs: HOUR_MS });
    const properties = { hs_linkedin_url: profileUrlOf(somePerson(world)) };
    const old = await settledRecord(world, 'contacts', properties);
    await world.clock.sleep(HOUR_MS);
    await liveOn(world, { forMs: HOUR_MS });
    await world.portal.edit(old, { email: somePerson(world, 1).job.email ?? '' });
    await liveOn(world, { forMs: HOUR_MS });
    expect(world.wire.questions()).toEqual([]);
    expect(world.wire.writes()).toEqual([]);
    expect(await world.state(old)).toMatchObject({ outcome: { kind: 'skipped' } });
    const fresh = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world, 2)),
    });
    await liveOn(world, { forMs: HOUR_MS });
    expect(await world.state(fresh)).toMatchObject({ outcome: { kind: 'enriched' } });
    expect(await isDrained(world)).toBe(true);
  });
});

describe('the reconciler', () => {
  it('takes every step although a store fails, and then says that one has', async () => {
    const world = await createWorld();
    await contact(world);
    world.storeTrouble.set({ faults: [{ kind: 'failed', rate: 1, times: 1 }], lagMs: 0 });
    await expect(world.processes.reconcile()).rejects.toThrow('failed on purpose');
    const failed = world.logs.filter(({ event }) => event === 'step-failed');
    expect(failed.map(({ fields }) => fields)).toMatchObject([{ key: 'abandoned' }]);
    expect(world.logs).toContainEqual({ event: 'runs-audited', fields: expect.anything() });
  });

  it('verifies the newest ledger entries, and names the invalid one', async () => {
    const world = await createWorld();
    await settledContact(world);
    await world.processes.reconcile();
    const { length: seq } = await world.ledger();
    expect(world.logs).not.toContainEqual(expect.objectContaining({ event: 'ledger-broken' }));
    await spoilEntry(world);
    await world.processes.reconcile();
    const fields = expect.objectContaining({ seq });
    expect(world.logs).toContainEqual({ event: 'ledger-broken', fields });
  });

  it('queues due live records although more bulk ones are due than one look sees', async () => {
    const { world, record: live } = await worldWithContact({ policy: { budgets: { perDay: 1 } } });
    expect((await world.state(live))?.waiting?.reason).toBe('budget');
    for (let id = 1; id <= 600; id += 1) {
      const run = { id: 'r', purpose: 'refresh' as const, openedAtMs: 0, credits: 0 };
      const waiting = { reason: 'queued-for-refresh', untilMs: 1 };
      const value = { ...newRecordState('companies', String(id)), run, waiting, runsOpened: 1 };
      await world.items(recordKind).write({ key: recordKind.key(value), value, expectedVersion: undefined });
    }
    const stuffing = Array.from(
      { length: 401 },
      (_, id) => ({ objectType: 'companies', id: String(id) }) as const,
    );
    await world.queues.bulk.send(stuffing.map((each) => ({ ...each, purpose: 'refresh', eventKeys: [] })));
    await world.clock.sleep(DAY_MS);
    expect((await world.processes.reconcile()).requeued).toBe(1);
    expect(world.queues.live.size()).toBe(1);
  });
});

describe('the queue', () => {
  it.each([0, 2])(
    'loses nothing when it refuses: HubSpot delivers again, %i of three having been taken',
    async (taken) => {
      const world = await createWorld();
      const records = [];
      for (const index of [0, 1, 2]) {
        const properties = { hs_linkedin_url: profileUrlOf(somePerson(world, index)) };
        records.push(await world.portal.create('contacts', properties));
      }
      world.queues.live.refuse(1, taken);
      expect(await world.portal.sandbox.deliverWebhooks()).toMatchObject({ delivered: 0, failed: 3 });
      await settleDown(world);
      expect((await world.states()).length).toBe(taken);
      await world.clock.sleep(2 * MINUTE_MS);
      await settleDown(world);
      const states = await Promise.all(records.map((record) => world.state(record)));
      expect(states.map((state) => state?.outcome?.kind)).toEqual(['enriched', 'enriched', 'enriched']);
      expect(world.wire.questions().length).toBe(3);
      expect(world.logs.filter(({ event }) => event === 'queue-refused').length).toBe(1);
      expect(await isDrained(world)).toBe(true);
    },
  );

  it('loses nothing that a schedule chose when it refuses: it is sent again', async () => {
    const world = await createWorld({ hubSpot: { webhookUrl: null } });
    const record = await contact(world);
    await world.clock.sleep(2 * MINUTE_MS);
    world.queues.live.refuse(1);
    await expect(world.processes.reconcile()).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
    await liveOn(world, { forMs: 2 * HOUR_MS });
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'enriched' }, runsOpened: 1 });
    expect(await isDrained(world)).toBe(true);
  });
});

/** As on AWS. */
const TIMEOUT_MS = 4 * MINUTE_MS;

function eventsOf({ logs }: World) {
  const events = logs.map(({ event }) => event);
  const count = (name: string) => events.filter((event) => event === name).length;
  return { swept: count('reconciled'), skipped: count('sweep-skipped') };
}

describe('sweeps on Lambda', () => {
  it('do their work once when four overlap, and the next sweep works', async () => {
    const world = await createWorld();
    const { planForSweeps, reconcile } = world.processes;
    planForSweeps({
      timeoutMs: TIMEOUT_MS,
      strike: { at: 20, effect: 'done', kind: 'pause', forMs: 3 * MINUTE_MS },
    });
    const first = reconcile();
    planForSweeps({ timeoutMs: TIMEOUT_MS });
    for (const _ of [1, 2, 3]) {
      await world.clock.sleep(30_000);
      await reconcile();
    }
    await first;
    expect(eventsOf(world)).toEqual({ swept: 1, skipped: 3 });
    await reconcile();
    expect(eventsOf(world)).toEqual({ swept: 2, skipped: 3 });
  });

  it('wait for a crashed sweep until its invocation is over, and no longer', async () => {
    const world = await createWorld();
    const startMs = world.clock.now();
    world.processes.planForSweeps({
      timeoutMs: TIMEOUT_MS,
      strike: { at: 20, effect: 'done', kind: 'death' },
    });
    await expect(world.processes.reconcile()).rejects.toThrow('Cut off on purpose');
    // Its log reaches nobody.
    world.logs.splice(0);
    world.processes.planForSweeps({ timeoutMs: TIMEOUT_MS });
    await world.clock.sleep(startMs + TIMEOUT_MS - 1 - world.clock.now());
    await world.processes.reconcile();
    expect(eventsOf(world)).toEqual({ swept: 0, skipped: 1 });
    await world.clock.sleep(1);
    await world.processes.reconcile();
    expect(eventsOf(world)).toEqual({ swept: 1, skipped: 1 });
  });
});

it('a sweep whose clock is days ahead does nothing and says so: neither tomorrow’s budget nor records to come are passed over', async () => {
  const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
  await world.portal.change({ webhookUrl: null });
  world.processes.planForNext({ at: 1, among: 'data-service', effect: 'done', kind: 'death' });
  await contact(world);
  await liveOn(world, { forMs: HOUR_MS });
  const newest = await world.services.ledger.newest();
  world.processes.planForSweeps({ skewMs: 2 * DAY_MS });
  await expect(world.processes.reconcile()).rejects.toMatchObject({ code: 'CLOCK_WRONG' });
  expect(await world.services.ledger.newest()).toEqual(newest);
  world.processes.planForSweeps({});
  const later = await contact(world, 1);
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.state(later)).toBeDefined();
});
