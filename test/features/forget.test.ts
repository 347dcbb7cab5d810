import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { forgetPerson, repeatForgets } from '#shared/questions';
import { recordKind } from '#shared/records';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import { settleDown, settled } from '../harness/steps.ts';
import {
  createWatchedWorld,
  populated,
  questionsAbout,
  tracesOf,
  twoOfOneCompany,
} from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

describe('somebody who is forgotten', () => {
  it('is in no table, queue or log line any more, and everybody else still is', async () => {
    const { world, placesOf, one, other, contact, forget } = await populated();
    await world.services.gateway.ask({
      question: {
        operation: 'companyProfile',
        by: { domain: one.job.company.domains[0] },
        options: ['contacts'],
      },
      purpose: 'manual',
      notAfterMs: world.clock.now() + 5 * 60_000,
    });
    const before = placesOf(tracesOf(one));
    expect(new Set(before)).toEqual(new Set(['question', 'journal']));
    expect(before.filter((name) => name === 'question').length).toBeGreaterThanOrEqual(6);
    const others = placesOf(tracesOf(other));
    const forgotten = await forget();
    expect(forgotten).toMatchObject({ records: 1, answers: 3, entries: 3 });
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number), ownership: {} });
  });

  it('is never asked about again: the same contact, made anew, costs nothing and says why', async () => {
    const { world, placesOf, one, contact, forget } = await populated();
    await settled(world, world.portal.archive(contact));
    await forget();
    await world.clock.sleep(WORKER_TIMEOUT_MS);
    expect(await repeatForgets(world.services.forgetting, { graceMs: WORKER_TIMEOUT_MS })).toBe(1);
    const charged = world.charged();
    const again = await settled(world, world.portal.create('contacts', { email: one.job.email ?? '' }));
    expect(world.charged()).toBe(charged);
    expect((await world.state(again))?.outcome).toMatchObject({
      kind: 'skipped',
      reason: { code: 'forgotten' },
      credits: 0,
    });
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('does not come back with the lists that are bought later', async () => {
    const { world, placesOf, one, forget } = await populated();
    await forget();
    await world.clock.sleep(2 * 24 * 3_600_000);
    for (const question of questionsAbout(one).slice(2)) {
      const notAfterMs = world.clock.now() + 5 * 60_000;
      const result = await world.services.gateway.ask({ question, purpose: 'manual', notAfterMs });
      expect(result).toMatchObject({ kind: 'found', credits: expect.any(Number) });
      expect('credits' in result && result.credits).toBeGreaterThan(0);
      for (const trace of tracesOf(one)) expect(JSON.stringify(result).toLowerCase()).not.toContain(trace);
    }
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('asked for it in HubSpot: the event’s bare id leads to everything, and to it again after a crash', async () => {
    const { world, placesOf, one, other, contact } = await populated();
    const others = placesOf(tracesOf(other));
    // The first worker that hears of it dies on the way.
    world.processes.planForNext({ at: 6, effect: 'none', kind: 'death' });
    await settled(world, world.portal.erase(contact));
    await world.clock.sleep(2 * WORKER_TIMEOUT_MS);
    await settleDown(world);
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.processes.reconcile()).toMatchObject({ forgotten: expect.any(Number) });
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number) });
  });

  it('is kept out of what comes after by an address that only the answer told', async () => {
    const { world, placesOf, one, contact } = await populated();
    await settled(world, world.portal.erase(contact));
    const charged = world.charged();
    const again = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(one) });
    await settleDown(world);
    expect(world.charged()).toBe(charged);
    expect(await world.state(again)).toMatchObject({ outcome: { kind: 'skipped' } });
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('is not bought in the very run beside which the forgetting came', async () => {
    const { world } = await createWatchedWorld();
    const [one] = twoOfOneCompany(world);
    const contact = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(one) });
    await world.portal.sandbox.deliverWebhooks();
    const faults = [
      { path: 'contacts/batch/read', kind: 'slow' as const, delayMs: 5_000, rate: 1, times: 1 },
    ];
    await world.portal.change({ faults });
    const running = world.processes.work();
    await world.clock.sleep(2_000);
    await forgetPerson(
      world.services.forgetting,
      await world.services.forgetting.forgetRecord(recordKey(contact)),
    );
    await running;
    expect(world.charged()).toBe(0);
    const again = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(one) });
    await settleDown(world);
    expect(await world.state(again)).toMatchObject({ outcome: { kind: 'skipped' } });
    expect(world.charged()).toBe(0);
  });

  it('is found by what was answered where the state is from before identifiers were kept', async () => {
    const { world, placesOf, one, contact } = await populated();
    const stored = await world.items(recordKind).read(recordKind.key(contact));
    if (!stored) throw new Error('no state');
    const { identifiers: _, ...value } = stored.value;
    const { version: expectedVersion } = stored;
    await world.items(recordKind).write({ key: recordKind.key(contact), value, expectedVersion });
    await settled(world, world.portal.erase(contact));
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('is not looked at by the sweep, which sees new records late', async () => {
    const { world, contact } = await populated();
    const fresh = await world.portal.create('contacts', { firstname: 'Nobody' });
    await world.services.forgetting.forgetRecord(recordKey(fresh));
    await settleDown(world);
    await world.clock.sleep(10 * 60_000);
    await world.processes.reconcile();
    expect((await world.state(fresh))?.run).toBeUndefined();
    expect((await world.state(contact))?.forgottenAtMs).toBeUndefined();
  });
});

/** Without a bought address no answer tells what only the contact holds. */
const quiet = () => createWorld({ policy: { questions: { wantEmail: false } } });

const FORGOTTEN = { kind: 'skipped', reason: { code: 'forgotten' } };

async function expectForgotten(world: World, email: string): Promise<void> {
  const charged = world.charged();
  const again = await settled(world, world.portal.create('contacts', { email }));
  expect((await world.state(again))?.outcome).toMatchObject(FORGOTTEN);
  expect(world.charged()).toBe(charged);
}

describe('after a privacy deletion nobody is enriched by', () => {
  it('an additional address of the contact', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const record = await world.portal.create('contacts', {
      ...{ email: 'somebody@gmail.com', hs_linkedin_url: profileUrlOf(person) },
      hs_additional_emails: `other@gmx.de;${person.job.email}`,
    });
    await settleDown(world);
    await settled(world, world.portal.erase(record));
    await expectForgotten(world, person.job.email ?? '');
  });

  it('an address that was added after the enrichment', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
    await settleDown(world);
    const charged = world.charged();
    await settled(world, world.portal.edit(record, { hs_additional_emails: person.job.email ?? '' }));
    expect(world.charged()).toBe(charged);
    await settled(world, world.portal.erase(record));
    await expectForgotten(world, person.job.email ?? '');
  });

  it('the address of a contact that was merged into it', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const known = await world.portal.create('contacts', {
      ...{ email: 'somebody@gmail.com', hs_linkedin_url: profileUrlOf(person) },
    });
    await settleDown(world);
    const other = await world.portal.create('contacts', { email: person.job.email ?? '' });
    const merged = await settled(world, world.portal.merge(known, other));
    await settled(world, world.portal.erase(merged));
    await expectForgotten(world, person.job.email ?? '');
  });
});

it('a contact with the address of somebody who was forgotten among its additional ones is left alone', async () => {
  const world = await quiet();
  const [gone, other] = [somePerson(world), somePerson(world, 1)];
  const record = await settled(world, world.portal.create('contacts', { email: gone.job.email ?? '' }));
  await settled(world, world.portal.erase(record));
  const charged = world.charged();
  const again = await world.portal.create('contacts', {
    ...{ hs_linkedin_url: profileUrlOf(other), hs_additional_emails: ` ${gone.job.email?.toUpperCase()} ` },
  });
  await settleDown(world);
  expect((await world.state(again))?.outcome).toMatchObject(FORGOTTEN);
  expect(world.charged()).toBe(charged);
});
