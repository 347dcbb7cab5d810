import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import { allKeys, forgetPerson, identifierKeys } from '#shared/questions';
import { listManyCharges, longestUpTo, monthsOf } from '#shared/spend';
import { openSqliteStore, type SqliteStore } from '#shared/store/adapters';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { recall } from '../harness/removals.ts';
import { enrichedContact, settleDown, settled } from '../harness/steps.ts';
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
    return (await listManyCharges(services.ledgerStore, query)).charges.length;
  };
  expect([await chargesOf(first), await chargesOf(second)]).toEqual([1, 0]);
});

it('a person who is forgotten in one portal is suppressed in both, and is forgotten in the other as well', async () => {
  const { ofFirst, namesake, ofSecond, charged } = await samePerson();
  expect(await forgetPerson(first.services.forgetting, keysOf(first))).toMatchObject({ records: 1 });
  expect(await first.state(ofFirst)).toMatchObject({ forgottenAtMs: expect.any(Number) });
  expect(await second.state(ofSecond)).not.toHaveProperty('forgottenAtMs');

  const again = await settled(second, contact(second));
  expect(await second.state(again)).toMatchObject({ outcome: { reason: { code: 'forgotten' } } });
  expect(second.charged()).toBe(charged);

  expect(await forgetPerson(second.services.forgetting, keysOf(second))).toMatchObject({ records: 1 });
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
