import { expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { identifierKeys } from '#shared/questions';
import { recordKind } from '#shared/records';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { sweeps } from '../harness/removals.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const RETENTION = {
  contacts: [
    { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }], days: 150 },
    { name: 'leads', days: 100 },
  ],
};

const profileKeys = (world: World, index: number) =>
  identifierKeys({ profileUrls: [profileUrlOf(somePerson(world, index))] }, world.services.digest).sure;

async function endOf(world: World, index: number): Promise<number | undefined> {
  const items = await world.services.forgetting.disclosures.of(profileKeys(world, index));
  expect(items.length).toBeGreaterThan(0);
  return items.find(({ person }) => profileKeys(world, index).includes(person))?.endedAtMs;
}

/** A contact that remembers identifiers of another person, as after a wrong match. */
async function mismatched(world: World, record: RecordName, other: number): Promise<void> {
  const state = await world.state(record);
  if (!state) throw new Error('no state');
  const key = recordKind.key(state);
  const expectedVersion = (await world.items(recordKind).read(key))?.version;
  const identifiers = [...(state.identifiers ?? []), ...profileKeys(world, other)];
  await world.items(recordKind).write({ key, value: { ...state, identifiers }, expectedVersion });
}

async function oneHundredDaysLater(world: World): Promise<void> {
  await world.clock.sleep(101 * DAY_MS);
  await sweeps(world);
}

const keeping = () => createWorld({ policy: { privacy: { retention: RETENTION } } });

it('a removal ends the disclosures of its own person, and not those of another to whom a wrong match led', async () => {
  const world = await keeping();
  const first = await contact(world);
  const second = await contact(world, 1, { lifecyclestage: 'customer' });
  await settleDown(world);
  await mismatched(world, first, 1);
  await oneHundredDaysLater(world);
  expect((await world.portal.properties(first))['jobtitle']).toBeUndefined();
  expect((await world.portal.properties(second))['jobtitle']).toBeDefined();
  expect(await endOf(world, 0)).toBeGreaterThan(0);
  expect(await endOf(world, 1)).toBeUndefined();
  await world.clock.sleep(50 * DAY_MS);
  await sweeps(world);
  expect(await endOf(world, 1)).toBeGreaterThan(0);
});

it('a removal does not end disclosures whose values went to a record that still holds them', async () => {
  const world = await keeping();
  const first = await contact(world);
  const second = await contact(world, 2, { lifecyclestage: 'customer' });
  await settleDown(world);
  await mismatched(world, first, 1);
  // The second contact had the other profile then, and no longer does: no link leads from the profile to it.
  const identifiers = profileKeys(world, 1);
  const atMs = world.clock.now();
  await world.services.forgetting.disclosures.delivered(
    { person: identifiers[0] ?? '', identifiers },
    {
      ...{ record: recordKey(second), operation: 'personProfile', properties: ['jobtitle'] },
      ...{ atMs, askedAtMs: atMs },
    },
  );
  await oneHundredDaysLater(world);
  expect(await endOf(world, 0)).toBeGreaterThan(0);
  expect(await endOf(world, 1)).toBeUndefined();
});
