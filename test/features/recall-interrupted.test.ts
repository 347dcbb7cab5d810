import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, wordingText } from '#shared/kernel';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import { HUBSPOT_URL } from '../harness/addresses.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

/** More than the 50 records of a batch. */
const RECORDS = 55;

it('a recall that gets Ctrl-C during its first batch finishes the batch, and its second call writes the rest only', async () => {
  const interruption = new AbortController();
  let isRecalling = false;
  const world: World = await createWorld({
    through: (send) => async (request) => {
      const answer = await send(request);
      // HubSpot has written the first batch, and its answer arrives after the signal.
      if (isRecalling && request.url.startsWith(HUBSPOT_URL) && request.url.endsWith('/batch/update'))
        interruption.abort(new CliError('Stopped.', { exit: EXIT.failed, code: 'stopped' }));
      return answer;
    },
  });
  const records: RecordName[] = [];
  for (let index = 0; index < RECORDS; index += 1) records.push(await contact(world, index));
  await liveOn(world, { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS });
  const filled = async () => {
    const all = await Promise.all(records.map((record) => world.portal.properties(record)));
    return all.filter(({ jobtitle }) => jobtitle).length;
  };
  expect(await filled()).toBe(RECORDS);

  const refused: CliError[] = [];
  const screen = { signal: interruption.signal };
  world.wire.forget();
  isRecalling = true;
  const words = ['privacy', 'recall', '--source', 'data-service', '--yes'];
  await openConsole(world, screen, (error) => refused.push(error))(...words);
  isRecalling = false;
  const first = world.wire.writes().map(({ id }) => id);
  expect(refused.map(({ exit }) => exit)).toEqual([EXIT.failed]);
  const sentence = wordingText(refused[0]?.wording ?? '', undefined);
  const again = /privacy recall --source data-service --to \S+Z/.exec(sentence)?.[0];
  expect([new Set(first).size, await filled()]).toEqual([50, RECORDS - 50]);

  world.wire.forget();
  const out = await openConsole(world)(...(again ?? '').split(' '), '--yes', '--json');
  expect(JSON.parse(out ?? '{}')).toMatchObject({ records: RECORDS - 50, open: [] });
  const second = world.wire.writes().map(({ id }) => id);
  expect([new Set(second).size, await filled()]).toEqual([RECORDS - 50, 0]);
  expect(new Set(second).intersection(new Set(first)).size).toBe(0);
}, 60_000);
