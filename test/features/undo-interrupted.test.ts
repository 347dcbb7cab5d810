import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

it('an undo of 55 records shows its progress, stops between two batches at Ctrl-C, and goes on when repeated', async () => {
  const world = await createWorld();
  const records: RecordName[] = [];
  for (let index = 0; index < 55; index += 1) records.push(await contact(world, index));
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  const left = async () => {
    const titles = await Promise.all(
      records.map(async (record) => (await world.portal.properties(record))['jobtitle']),
    );
    return titles.filter((title) => title).length;
  };
  expect(await left()).toBe(55);
  // A progress bar is shown after two seconds.
  let nowMs = 0;
  const clock = { ...world.clock, monotonic: () => (nowMs += 3_000) };
  const interruption = new AbortController();
  const shown: string[] = [];
  const err = (text: string) => {
    shown.push(text);
    if (/(?:^|\D)0\D+55\D/.test(text))
      interruption.abort(new CliError('Stopped.', { exit: EXIT.failed, code: 'stopped' }));
  };
  const screen = { clock, err, signal: interruption.signal, terminal: { ask: async () => 'no' } };
  const words = ['undo', '--from', '2026-01-01', '--yes'];
  expect(await openConsole(world, screen)(...words)).toBeUndefined();
  expect(await left()).toBe(5);
  await openConsole(world)(...words);
  expect(await left()).toBe(0);
});
