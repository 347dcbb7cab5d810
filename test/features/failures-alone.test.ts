import { describe, expect, it } from 'vitest';
import { readLog } from '#shared/credit-ledger';
import { recordKey } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { MAX_RECEIVES } from '#shared/work-queue';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import { isDrained, liveOn, settleDown, verify } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function threeContacts(world: World): Promise<[RecordName, RecordName, RecordName]> {
  return [await contact(world, 0), await contact(world, 1), await contact(world, 2)];
}

async function outcomesOf(world: World, records: readonly RecordName[]) {
  return Promise.all(records.map(async (record) => (await world.state(record))?.outcome?.kind));
}

describe('the error of one record', () => {
  it.each([
    'not JSON',
    '{"version":1,"objectType":"contacts","id":"../../etc","purpose":"live","eventKeys":[]}',
    '{"version":99,"objectType":"contacts","id":"1","purpose":"live","eventKeys":[]}',
    'null',
  ])('a message %s fails alone, and ends among the dead letters', async (body) => {
    const world = await createWorld();
    world.queues.live.inject(body);
    const records = await threeContacts(world);
    await settleDown(world);
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
    expect(world.queues.live.size()).toBe(1);
    for (let time = 0; time <= MAX_RECEIVES; time += 1) {
      await world.clock.sleep(WORKER_TIMEOUT_MS + MINUTE_MS);
      await settleDown(world);
    }
    expect(world.queues.live.deadLetters()).toEqual([body]);
    expect(world.charged()).toBe(9);
    expect(await isDrained(world)).toBe(true);
  });

  it('a write that HubSpot refuses for one record leaves that record waiting', async () => {
    const world = await createWorld();
    const records = await threeContacts(world);
    const faults = [
      { kind: 'status', status: 400, path: 'batch/update', recordId: records[1].id, rate: 1 },
    ] as const;
    await world.portal.change({ faults });
    await settleDown(world);
    expect(await outcomesOf(world, records)).toEqual(['enriched', undefined, 'enriched']);
    expect((await world.state(records[1]))?.waiting).toMatchObject({ reason: 'HUBSPOT_REFUSES' });
    expect(world.charged()).toBe(9);
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: HOUR_MS });
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
    expect(world.charged()).toBe(9);
    expect(await isDrained(world)).toBe(true);
  });

  it('a write that HubSpot cannot do now for one record is done later, without a second question', async () => {
    const world = await createWorld();
    const records = await threeContacts(world);
    const faults = [
      { kind: 'status', status: 500, path: 'batch/update', recordId: records[1].id, rate: 1, times: 1 },
    ] as const;
    await world.portal.change({ faults });
    await settleDown(world);
    expect((await world.state(records[1]))?.waiting?.reason).toBe('HUBSPOT_RECORD_UNREACHABLE');
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
    expect(await world.state(records[1])).toMatchObject({ runsOpened: 1, creditsSpent: 3 });
    expect(world.wire.questions().length).toBe(3);
    expect(await isDrained(world)).toBe(true);
  });

  it('a record that HubSpot will not tell of is put off', async () => {
    const world = await createWorld();
    const records = await threeContacts(world);
    const faults = [
      { kind: 'status', status: 403, path: 'batch/read', recordId: records[2].id, rate: 1 },
    ] as const;
    await world.portal.change({ faults });
    await settleDown(world);
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', undefined]);
    expect((await world.state(records[2]))?.waiting?.reason).toBe('HUBSPOT_RECORD_UNREACHABLE');
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: 30 * MINUTE_MS });
    expect(await outcomesOf(world, records)).toEqual(['enriched', 'enriched', 'enriched']);
  });

  it('a record that was deleted or merged away is skipped', async () => {
    const world = await createWorld();
    const records = await threeContacts(world);
    await world.portal.archive(records[0]);
    const winner = await world.portal.merge(records[1], records[2]);
    await settleDown(world);
    expect(await outcomesOf(world, records)).toEqual(['skipped', 'skipped', 'skipped']);
    expect(await outcomesOf(world, [winner])).toEqual(['enriched']);
    expect(world.charged()).toBe(3);
    expect(await isDrained(world)).toBe(true);
  });

  it('a record that is deleted while it is asked about is skipped, and its charge booked', async () => {
    const world = await createWorld();
    const [record] = await threeContacts(world);
    await world.portal.sandbox.deliverWebhooks();
    const working = world.processes.work();
    await world.clock.sleep(1_000);
    await world.portal.archive(record);
    await working;
    expect(await world.state(record)).toMatchObject({ outcome: { kind: 'skipped' }, creditsSpent: 3 });
    await verify(world);
    expect(await isDrained(world)).toBe(true);
  });
});

describe('a failure of the data service', () => {
  it.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 500, afterWork: true },
    { kind: 'reset-before' },
    { kind: 'reset-after' },
    { kind: 'hang', afterWork: true },
    { kind: 'malformed' },
  ] as const)('%j leaves a doubt for its record alone, and is never asked again', async (fault) => {
    const world = await createWorld();
    const records = await threeContacts(world);
    const company = await world.portal.create('companies', { domain: someCompany(world).domains[0] });
    await world.changeService({ faults: [{ ...fault, operation: 'company-profile' }] });
    await settleDown(world);
    expect(await outcomesOf(world, [...records, company])).toEqual([
      'enriched',
      'enriched',
      'enriched',
      'failed',
    ]);
    expect(await world.portal.properties(company)).toMatchObject({ enrichment_status: 'failed' });
    const twin = await world.portal.create('companies', { website: `www.${someCompany(world).domains[0]}` });
    await world.changeService({ faults: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: 4 * HOUR_MS });
    expect(await outcomesOf(world, [company, twin])).toEqual(['failed', 'failed']);
    expect(world.wire.questions().length).toBe(4);
    const { posted, doubtful, pending } = (await world.services.ledger.newest())?.totals.lifetime ?? {};
    expect([posted, doubtful, pending]).toEqual([9, 1, 0]);
    expect([9, 10]).toContain(world.charged());
  });

  it('ends with the doubt: the records may be looked up again when it is resolved', async () => {
    const world = await createWorld();
    const domain = someCompany(world).domains[0];
    const company = await world.portal.create('companies', { domain }, [], { source: 'IMPORT' });
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect(await outcomesOf(world, [company])).toEqual(['failed']);
    await world.clock.sleep(HOUR_MS);
    const [doubt] = await world.services.ledger.openReservations();
    const resolution = { questionKey: doubt?.questionKey ?? '', charged: true, note: 'seen on the bill' };
    const resolved = await resolveDoubt(world.services.questions, resolution, { graceMs: WORKER_TIMEOUT_MS });
    expect(resolved).toEqual({ kind: 'resolved', credits: 1, record: recordKey(company) });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    expect(await outcomesOf(world, [company])).toEqual(['skipped']);
    const reason = { code: 'may-be-looked-up' };
    expect(await world.state(company)).toMatchObject({
      outcomes: { failed: 1, skipped: 1 },
      outcome: { reason },
    });
    const { ledger } = world.services;
    const entries = await Array.fromAsync(readLog(world.services.ledgerStore, ledger.account));
    const asked = entries.flatMap((entry) => (entry.kind === 'pending' ? [entry.purpose] : []));
    expect(asked).toEqual(['import']);
    expect(world.charged()).toBe(1);
    expect(await isDrained(world)).toBe(true);
  });
});
