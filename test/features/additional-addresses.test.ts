import { describe, expect, it } from 'vitest';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Without a bought address no answer tells what only the contact holds. */
const quiet = () => createWorld({ policy: { questions: { wantEmail: false } } });

const FORGOTTEN = { kind: 'skipped', reason: { code: 'forgotten' } };

async function expectForgotten(world: World, email: string): Promise<void> {
  const charged = world.charged();
  const again = await world.portal.create('contacts', { email });
  await settleDown(world);
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
    await world.portal.erase(record);
    await settleDown(world);
    await expectForgotten(world, person.job.email ?? '');
  });

  it('an address that was added after the enrichment', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(person) });
    await settleDown(world);
    const charged = world.charged();
    await world.portal.edit(record, { hs_additional_emails: person.job.email ?? '' });
    await settleDown(world);
    expect(world.charged()).toBe(charged);
    await world.portal.erase(record);
    await settleDown(world);
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
    const merged = await world.portal.merge(known, other);
    await settleDown(world);
    await world.portal.erase(merged);
    await settleDown(world);
    await expectForgotten(world, person.job.email ?? '');
  });
});

it('a contact with the address of somebody who was forgotten among its additional ones is left alone', async () => {
  const world = await quiet();
  const [gone, other] = [somePerson(world), somePerson(world, 1)];
  const record = await world.portal.create('contacts', { email: gone.job.email ?? '' });
  await settleDown(world);
  await world.portal.erase(record);
  await settleDown(world);
  const charged = world.charged();
  const again = await world.portal.create('contacts', {
    ...{ hs_linkedin_url: profileUrlOf(other), hs_additional_emails: ` ${gone.job.email?.toUpperCase()} ` },
  });
  await settleDown(world);
  expect((await world.state(again))?.outcome).toMatchObject(FORGOTTEN);
  expect(world.charged()).toBe(charged);
});
