import { describe, expect, it } from 'vitest';
import { type RecordName, recordKey } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { questionKind } from '#shared/questions';
import { cardOf } from '../harness/at-the-screen.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { aged, begun, minutes, oldPortal, operator } from '../harness/old-portal.ts';
import { createCompany } from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { putsOf, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

describe('a backfill', () => {
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

  it.each(['done', 'none'] as const)(
    'counts what was charged to a worker that died, where it is stopped before the next one: effect %s',
    async (effect) => {
      const world = await oldPortal(3, { isKnown: () => true });
      const command = operator(world);
      const id = await begun(command, 'contacts');
      await world.processes.reconcile();
      world.processes.planForNext({ at: 1, among: 'data-service', effect, kind: 'death' });
      await world.processes.work();
      await command('backfill', 'stop', id, '--yes');
      await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 10 * MINUTE_MS });
      const { state, ended, spent } = await command('backfill', 'status', id);
      const { posted = 0, doubtful = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
      expect({ state, ended, spent }).toEqual({
        state: 'stopped',
        ended: posted + doubtful,
        spent: posted + doubtful,
      });
    },
  );

  it.each<[string, (world: World, record: RecordName) => Promise<unknown>]>([
    ['opts out', (world, record) => world.portal.edit(record, { hs_contact_enrichment_opt_out: 'true' })],
    ['is deleted', (world, record) => world.portal.archive(record)],
    ['is erased', (world, record) => world.portal.erase(record)],
    ['is forgotten', (world, record) => world.services.forgetting.forgetRecord(recordKey(record))],
  ])('counts the charge of a dead worker where the record then %s', async (_, befall) => {
    const world = await oldPortal(2, { isKnown: () => true });
    const command = operator(world);
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    world.processes.planForNext({ at: 1, among: 'data-service', effect: 'done', kind: 'death' });
    await world.processes.work();
    for (const record of world.people) await befall(world, record);
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 10 * MINUTE_MS });
    const { posted = 0, doubtful = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    expect(posted + doubtful).toBeGreaterThan(0);
    const { state, ended, spent } = await command('backfill', 'status', id);
    expect({ state, ended, spent }).toEqual({ state: 'done', ended: 2, spent: posted + doubtful });
  });

  it('counts the charge of a dead worker where the record is then merged', async () => {
    const world = await oldPortal(3, { isKnown: () => true });
    const command = operator(world);
    const [winner, ...losers] = world.people;
    if (!winner) throw new Error('There are too few people.');
    const id = await begun(command, 'contacts');
    await world.processes.reconcile();
    world.processes.planForNext({ at: 1, among: 'data-service', effect: 'done', kind: 'death' });
    await world.processes.work();
    for (const loser of losers) await world.portal.merge(winner, loser);
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 10 * MINUTE_MS });
    const { state, spent } = await command('backfill', 'status', id);
    const { posted = 0, doubtful = 0 } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    expect({ state, spent }).toEqual({ state: 'done', spent: posted + doubtful });
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

  it('asks no search about companies once it is stopped', async () => {
    const fields = {
      companies: [{ property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' }],
    } as const;
    const world = await createWorld({
      agedMs: DAY_MS,
      policy: { budgets: { perDay: 10_000 }, fields: { companies: [...fields.companies] } },
    });
    for (let index = 0; index < 60; index += 1) await createCompany(world, index);
    await aged(world);
    const command = operator(world);
    const id = await begun(command, 'companies');
    await world.processes.reconcile();
    await world.processes.reconcile();
    const working = settleDown(world);
    const { inFlight } = await command('backfill', 'stop', id, '--yes');
    await working;
    await minutes(world, 5);
    expect(world.charged()).toBeLessThanOrEqual(inFlight.maxCredits);
    expect((await command('backfill', 'status', id)).spent).toBe(world.charged());
    expect((await world.states()).filter(({ run }) => run)).toEqual([]);
  });
});
