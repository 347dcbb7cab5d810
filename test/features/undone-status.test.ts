import { describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { cardOf } from '../harness/at-the-screen.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { reject } from '../harness/review.ts';
import { settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function enriched() {
  const world = await createWorld();
  const record = await contact(world);
  await settleDown(world);
  expect(await statusOf(world, record)).toMatchObject({ status: 'enriched', source: 'personProfile' });
  return { world, record };
}

async function statusOf(world: World, record: RecordName) {
  const { enrichment_status, enrichment_source, enrichment_next_check_at } =
    await world.portal.properties(record);
  return { status: enrichment_status, source: enrichment_source ?? '', next: enrichment_next_check_at ?? '' };
}

describe('a record of which everything was undone', () => {
  it('is neither called enriched nor up to date, in HubSpot and on the card', async () => {
    const { world, record } = await enriched();
    await undo(world, record);
    expect(await statusOf(world, record)).toEqual({ status: 'skipped', source: '', next: '' });
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'skipped' } });
  });

  it('is not bought again, and stays so, when a person changes something else', async () => {
    const { world, record } = await enriched();
    await undo(world, record);
    const spent = world.charged();
    await world.portal.edit(record, { phone: '+1 415 555 0100' });
    await settleDown(world);
    expect(world.charged()).toBe(spent);
    expect(await statusOf(world, record)).toEqual({ status: 'skipped', source: '', next: '' });
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ outcome: { kind: 'skipped' } });
  });

  it('is called enriched again, with its source, once a person asks for it', async () => {
    const { world, record } = await enriched();
    await undo(world, record);
    const spent = world.charged();
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    const after = await statusOf(world, record);
    expect(after).toEqual({
      status: 'enriched',
      source: 'personProfile',
      next: expect.stringMatching(/^20/),
    });
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: somePerson(world).job.title });
    expect(world.charged()).toBe(spent);
  });
});

it('a record of which one value was undone is still called enriched', async () => {
  const { world, record } = await enriched();
  const before = await statusOf(world, record);
  await undo(world, record, { property: 'jobtitle' });
  expect(await statusOf(world, record)).toEqual(before);
});

describe('a record that a person marked as a wrong match', () => {
  const ID = '11111111-2222-4333-8444-555555555555';
  const run = (record: RecordName) => ({ recordId: record.id, number: 1 });

  it('is called unmatched, in HubSpot and on the card', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    const { view } = await card.ask({ id: `${ID}-wrong-match`, kind: 'wrong-match', run: run(record) });
    expect(await statusOf(world, record)).toEqual({ status: 'unmatched', source: '', next: '' });
    expect(view.standing).toMatchObject({ outcome: { kind: 'unmatched' } });
  });

  it('is called so also where people have changed every value since', async () => {
    const { world, record } = await enriched();
    const written = Object.entries(await world.portal.properties(record));
    const ours = written.filter(([name]) => !/^(?:hs_|enrichment_|createdate|lastmodified)/.test(name));
    await world.portal.edit(record, Object.fromEntries(ours.map(([name]) => [name, ''])));
    await settleDown(world);
    await cardOf(world, record).ask({ id: `${ID}-wrong-match`, kind: 'wrong-match', run: run(record) });
    expect(await statusOf(world, record)).toMatchObject({ source: '', next: '' });
  });
});

describe('a record of which a person rejected a review item', () => {
  const isOver = { source: '', next: '' };
  const { contacts } = parsePolicy({ budgets: { perDay: 1 } }).fields;
  const SHADOWED = Object.fromEntries(contacts.map(({ property }) => [property, { shadow: true }]));

  it('no longer waits for a person in HubSpot, where the answer was about somebody else', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    await settleDown(world);
    expect(await statusOf(world, record)).toMatchObject({ status: 'review', source: 'personProfile' });
    await reject(world, record, 'contradiction');
    expect(await statusOf(world, record)).toEqual({ status: 'unmatched', ...isOver });
    const spent = world.charged();
    await settleDown(world);
    expect(await statusOf(world, record)).toEqual({ status: 'unmatched', ...isOver });
    expect(world.charged()).toBe(spent);
  });

  it('is not called enriched, where nothing but proposals came of the answer', async () => {
    const world = await createWorld({ policy: { fields: { contacts: SHADOWED } } });
    const record = await contact(world);
    await settleDown(world);
    expect(await statusOf(world, record)).toMatchObject({ source: 'personProfile' });
    await reject(world, record);
    expect(await statusOf(world, record)).toEqual({ status: 'skipped', ...isOver });
  });

  it('is called enriched still, where other values of the answer were written', async () => {
    const world = await createWorld({ policy: { fields: { contacts: { city: { shadow: true } } } } });
    const record = await contact(world);
    await settleDown(world);
    const before = await statusOf(world, record);
    expect(before).toMatchObject({ status: 'enriched', source: 'personProfile' });
    await reject(world, record);
    expect(await statusOf(world, record)).toEqual(before);
  });
});
