import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Measurement } from '#inside/metrics/metrics.ts';
import { recordKey } from '#shared/crm';
import { MARKED_PROPERTY, parsePolicy } from '#shared/field-policy';
import { MINUTE_MS } from '#shared/kernel';
import {
  systemClock as clock,
  createDigest,
  systemIds as newId,
  systemRandom as random,
} from '#shared/kernel/adapters';
import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { statusKind } from '#shared/records';
import { listCharges, longestUpTo, monthsOf } from '#shared/spend';
import { openSqliteStore, type SqliteStore } from '#shared/store/adapters';
import type { WorkMessage } from '#shared/work-queue';
import { leaveMark } from '../../infra/local/own-installation.ts';
import { tellOfOtherPortal } from '../harness/other-portal.ts';
import { contact, contactByEmail, profileUrlOf, somePerson } from '../harness/people.ts';
import { recall } from '../harness/removals.ts';
import { enrichedContact, liveOn, settleDown, settled } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

let folder = '';
let stores: SqliteStore[] = [];
let first: World;
let second: World;

/** Two portals of one buyer, over one file. The books hold what both of them have cost. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portals-'));
  const policy = parsePolicy({ budgets: { perDay: 1 } });
  const open = (portal: string, seed: number) => {
    const owners = { buyer: 'default', portal };
    const store = openSqliteStore({ path: join(folder, 'store.db'), owners, policy, newId, clock, random });
    stores.push(store);
    return createWorld({ store, seed });
  };
  stores = [];
  first = await open('portal-1', 1);
  const own = await open('portal-2', 2);
  second = { ...own, charged: () => first.charged() + own.charged() };
});
afterEach(() => {
  for (const store of stores) store.close();
  rmSync(folder, { recursive: true });
});

const keysOf = (world: World) =>
  allKeys(identifierKeys({ profileUrls: [profileUrlOf(somePerson(world))] }, world.services.digest));

/** The same person in both portals. In the second one, the first one's id is another contact's. */
async function samePerson() {
  const ofFirst = await enrichedContact(first);
  const charged = first.charged();
  const namesake = await settled(second, second.portal.create('contacts', { firstname: 'Nobody' }));
  expect(namesake.id).toBe(ofFirst.id);
  const ofSecond = await enrichedContact(second);
  return { ofFirst, namesake, ofSecond, charged };
}

it('a person in two portals is paid for once, and no portal reads the records of the other', async () => {
  const { ofFirst, namesake, ofSecond, charged } = await samePerson();
  expect(charged).toBeGreaterThan(0);
  expect(second.charged()).toBe(charged);
  expect(await first.states()).toMatchObject([{ id: ofFirst.id, outcome: { kind: 'enriched' } }]);
  expect(await second.state(namesake)).toMatchObject({ outcome: { kind: 'skipped' } });
  const state = await second.state(ofSecond);
  expect(state).toMatchObject({ outcome: { kind: 'enriched', credits: 0 } });
  expect(state).not.toHaveProperty('hasReview');

  const named = `portal-1/contacts/${ofFirst.id}`;
  expect(new Set((await second.ledger()).flatMap(({ record }) => record ?? []))).toEqual(new Set([named]));
  const chargesOf = async ({ services, clock: { now } }: World) => {
    const selection = longestUpTo(new Date(now()).toISOString().slice(0, 10));
    const { rows } = await services.spendBook.read({ months: monthsOf(selection) });
    const query = { rows, selection, record: recordKey(ofFirst), limit: 10 };
    return (await listCharges(services.ledgerStore, query)).charges.length;
  };
  expect([await chargesOf(first), await chargesOf(second)]).toEqual([1, 0]);
});

it('a person who is forgotten in one portal is suppressed in both, and is forgotten in the other as well', async () => {
  const { ofFirst, namesake, ofSecond, charged } = await samePerson();
  expect(await forgetPerson(first.services.forgetting, keysOf(first))).toMatchObject({
    records: [expect.any(String)],
  });
  expect(await first.state(ofFirst)).toMatchObject({ forgottenAtMs: expect.any(Number) });
  expect(await second.state(ofSecond)).not.toHaveProperty('forgottenAtMs');

  const again = await settled(second, contact(second));
  expect(await second.state(again)).toMatchObject({ outcome: { reason: { code: 'forgotten' } } });
  expect(second.charged()).toBe(charged);

  expect(await forgetPerson(second.services.forgetting, keysOf(second))).toMatchObject({
    records: [expect.any(String)],
  });
  expect(await second.state(ofSecond)).toMatchObject({ forgottenAtMs: expect.any(Number) });
  expect(await second.state(namesake)).not.toHaveProperty('forgottenAtMs');
  await settleDown(second);
});

it('values that are recalled in one portal are still disclosed while the other has them', async () => {
  const { ofSecond } = await samePerson();
  await recall(first);
  const [disclosure] = await second.services.forgetting.disclosures.of(keysOf(second));
  expect(disclosure?.records).toMatchObject([
    { record: expect.stringMatching(/^portal-1\/contacts\//) },
    { record: recordKey(ofSecond) },
  ]);
  expect(disclosure).not.toHaveProperty('endedAtMs');
});

const contactOf = (world: World) => contactByEmail(world, 0);

const ignored = ({ logs }: World) => logs.filter(({ event }) => event === 'ignored');

const pinned = async (world: World) =>
  (await world.items(statusKind).read(statusKind.key('portal')))?.value.portal;

const ACCOUNT_FAILS = { path: 'account-info', kind: 'status' as const, status: 500, rate: 1 };

it('events of another portal, about the id of a record of ours change nothing, and are counted', async () => {
  const world = await createWorld();
  const contact = await contactOf(world);
  await settleDown(world);
  const before = await world.states();
  await tellOfOtherPortal(world, contact);
  await settleDown(world);
  expect(await world.states()).toEqual(before);
  const counted = ignored(world).map(({ fields }) => fields as { reason: string; count: number });
  expect(counted.map(({ reason }) => reason)).toEqual(counted.map(() => 'other-portal'));
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(world.queues.live.size()).toBe(0);
});

it('while HubSpot does not tell whose portal is ours events wait, ours and others’, and what was asked for here goes on', async () => {
  const world = await createWorld({ pinned: false });
  const contact = await contactOf(world);
  const other = await contactByEmail(world, 1);
  await tellOfOtherPortal(world, contact);
  await world.portal.change({ faults: [ACCOUNT_FAILS] });
  const wish: WorkMessage = { ...other, purpose: 'manual', eventKeys: ['manual:1'] };
  await world.queues.live.send([wish]);
  await settleDown(world);
  expect(await pinned(world)).toBeUndefined();
  expect(await world.states()).toMatchObject([{ id: other.id, outcome: { kind: 'enriched' } }]);
  const left = world.queues.live.size();
  expect(left).toBeGreaterThan(1);

  await world.portal.change({ faults: [] });
  await world.clock.sleep(6 * MINUTE_MS);
  await liveOn(world, { forMs: 2 * MINUTE_MS, everyMs: MINUTE_MS });
  expect(await pinned(world)).toEqual({ portalId: '24170001' });
  expect(world.queues.live.size()).toBe(0);
  expect(await world.state(contact)).toMatchObject({ outcome: { kind: 'enriched' } });
  expect((await world.states()).filter(({ forgottenAtMs }) => forgottenAtMs !== undefined)).toEqual([]);
});

describe('the sweep', () => {
  it('reports 0 without a mark, 1 for the mark of another installation, 0 for its own', async () => {
    const { world, told } = await watched();
    expect(await told()).toEqual([0]);
    await markOther(world);
    expect(await told()).toEqual([1]);
    await leaveMark(world.services);
    expect(await told()).toEqual([0]);
  });

  it("does not mistake a person's text in the description for a mark", async () => {
    const { world, told } = await watched();
    const { hubSpot } = world.services;
    const { objectType, name } = MARKED_PROPERTY;
    await hubSpot.describeProperty(objectType, { name, description: 'Ask Mina [installation unknown]' });
    expect(await told()).toEqual([0]);
  });

  it('reports the other gauges, but not installations, while HubSpot does not answer', async () => {
    const { world, told, emitted } = await watched();
    await markOther(world);
    world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1 }] });
    expect(await told()).toEqual([]);
    expect(emitted.map(({ metric }) => metric)).toContain('budgetUsed');
    world.portal.change({ faults: [] });
    expect(await told()).toEqual([1]);
  });
});

async function watched() {
  const emitted: Measurement[] = [];
  const world = await createWorld({
    watch: {
      metrics: { emit: (measurements) => void emitted.push(...measurements) },
      invoked: () => undefined,
      answered: () => undefined,
    },
  });
  /** What one sweep says of installations. */
  const told = async () => {
    emitted.length = 0;
    await world.processes.reconcile();
    return emitted.flatMap(({ metric, value }) => (metric === 'otherInstallation' ? [value] : []));
  };
  return { world, told, emitted };
}

function markOther({ services: { hubSpot } }: World) {
  return leaveMark({ hubSpot, digest: createDigest('the secret of another installation') });
}
