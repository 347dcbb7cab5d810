import { expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { openConsole } from '../../../harness/console.ts';
import { contact } from '../../../harness/people.ts';
import { settleDown } from '../../../harness/steps.ts';
import { createWorld } from '../../../harness/world.ts';

it.each([
  ['grant', '--credits', '500', '--note', 'invoice'],
  ['reconcile', '--balance', '8000', '--yes'],
  ['set-back', '--note', 'a wrong clock', '--yes'],
])('a machine with a wrong clock books nothing: ledger %s', async (...command) => {
  const world = await createWorld();
  await contact(world);
  await settleDown(world);
  const { services } = world;
  const before = await world.ledger();
  const ledger = {
    ...services.ledger,
    newest: async () => ({ ...before.at(-1), atMs: world.clock.now() + DAY_MS }),
  };
  const run = (offsetMs: number) => {
    const questions = { ...services.questions, referenceClock: { offsetMs: () => offsetMs } };
    const isSetBack = command[0] === 'set-back';
    const seen = {
      ...services,
      questions,
      ...(isSetBack && { ledger: { ...ledger, setBack: async () => before.at(-1) } }),
    };
    return openConsole({ ...world, services: seen as typeof services })('ledger', ...command);
  };
  expect(await run(-DAY_MS)).toBeUndefined();
  expect(await world.ledger()).toEqual(before);
  expect(await run(0)).toContain('Booked: ');
});
