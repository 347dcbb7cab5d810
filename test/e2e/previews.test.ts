import { expect, it } from 'vitest';
import { MINUTE_MS } from '#inside/kernel/clock.ts';
import { cardOf, homeOf } from '../builders/at-the-screen.ts';
import { contact } from '../builders/people.ts';
import { settleDown } from '../builders/steps.ts';
import { createWorld } from '../builders/world.ts';

it('shows the values of one record to two users, each for ten minutes, and to none after a privacy deletion', async () => {
  const world = await createWorld();
  const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
  await settleDown(world);
  const [finding] = (await cardOf(world, record).show()).view.findings;
  if (!finding) throw new Error('The record has no finding.');
  const look = { kind: 'preview', finding: finding.kind, foundAtMs: finding.foundAtMs } as const;
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
