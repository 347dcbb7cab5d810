import { expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { cardOf, homeOf } from '../harness/at-the-screen.ts';
import { contact, somePerson } from '../harness/people.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

/** A contact with another name than the answer about its address. */
async function contradicted() {
  const world = await createWorld();
  const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
  await settleDown(world);
  const card = cardOf(world, record);
  const [found] = (await card.show()).view.findings;
  if (found?.kind !== 'contradiction') throw new Error('The record has no contradiction.');
  const named = { finding: found.kind, foundAtMs: found.foundAtMs } as const;
  return { world, record, card, named };
}

it('shows the values of one record to two users, each for ten minutes, and to none after a privacy deletion', async () => {
  const { world, record, named } = await contradicted();
  const look = { kind: 'preview', ...named } as const;
  const [first, second] = [homeOf(world, { userId: 1001 }), homeOf(world, { userId: 2002 })];
  await cardOf(world, record, '1001').ask({ ...look, id: 'preview-first' });
  await world.clock.sleep(6 * MINUTE_MS);
  await cardOf(world, record, '2002').ask({ ...look, id: 'preview-second' });
  expect(await first.reply('preview-first')).toMatchObject({ kind: 'previewed' });
  expect(await second.reply('preview-second')).toMatchObject({ kind: 'previewed' });
  expect(await second.reply('preview-first')).toBeUndefined();
  await world.clock.sleep(5 * MINUTE_MS);
  expect(await first.reply('preview-first')).toMatchObject({ kind: 'refused' });
  expect(await second.reply('preview-second')).toMatchObject({ kind: 'previewed' });
  await cardOf(world, record, '1001').ask({ ...look, id: 'preview-third' });
  await world.portal.erase(record);
  await settleDown(world);
  for (const [home, id] of [
    [first, 'preview-third'],
    [second, 'preview-second'],
  ] as const)
    expect(JSON.stringify((await home.reply(id)) ?? {})).not.toContain('proposed');
});

it('shows whose name a contradicting answer has, and accepting it leaves the name of the record', async () => {
  const { world, record, card, named } = await contradicted();
  const { progress } = await card.ask({ id: 'preview-name-1', kind: 'preview', ...named });
  if (progress?.reply?.kind !== 'previewed') throw new Error(JSON.stringify(progress));
  const { changes } = progress.reply;
  const { firstName, lastName } = somePerson(world);
  expect(changes.slice(0, 2)).toEqual([
    { property: 'firstname', label: 'First Name', now: 'Xanthippe', proposed: firstName, isKept: true },
    { property: 'lastname', label: 'Last Name', now: 'Quux', proposed: lastName, isKept: true },
  ]);
  const exported = await openConsole(world)('review', 'export');
  expect(exported).toContain(`"firstname ${firstName}, lastname ${lastName}, company `);
  await card.ask({ id: 'accept-name-1', kind: 'accept', ...named });
  const after = await world.portal.properties(record);
  expect(after).toMatchObject({ firstname: 'Xanthippe', lastname: 'Quux' });
  for (const { property, now, isKept } of changes)
    if (isKept) expect(after[property] ?? null).toBe(now);
    else expect(after[property] ?? '').not.toBe('');
});

it('shows no value of a record that HubSpot no longer has', async () => {
  const { world, record, card, named } = await contradicted();
  await world.portal.archive(record);
  const { progress } = await card.ask({ id: 'preview-gone-1', kind: 'preview', ...named });
  expect(progress?.reply).toMatchObject({ kind: 'previewed', changes: [] });
});

it('shows for a proposal only the values that accepting writes', async () => {
  const world = await createWorld({ policy: { fields: { contacts: { jobtitle: { shadow: true } } } } });
  const record = await contact(world);
  await settleDown(world);
  const card = cardOf(world, record);
  const [finding] = (await card.show()).view.findings;
  expect(finding?.kind).toBe('proposal');
  const named = { finding: 'proposal', foundAtMs: finding?.foundAtMs ?? 0 } as const;
  const { progress } = await card.ask({ id: 'preview-offer-1', kind: 'preview', ...named });
  expect(progress?.reply).toMatchObject({ kind: 'previewed' });
  expect(JSON.stringify(progress?.reply)).toContain('jobtitle');
  expect(JSON.stringify(progress?.reply)).not.toContain('isKept');
});
