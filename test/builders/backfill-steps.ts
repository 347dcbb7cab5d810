import { expect } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import { openConsole } from '../simulation/console.ts';
import { liveOn, settleDown } from './steps.ts';
import type { World } from './world.ts';

/** The day of the installation has come: nothing of what is there has cost anything. */
export async function aged(world: World): Promise<World> {
  await settleDown(world);
  await world.clock.sleep(DAY_MS + HOUR_MS);
  await liveOn(world, { forMs: 10 * MINUTE_MS });
  expect(world.charged()).toBe(0);
  world.wire.forget();
  return world;
}

/** The operator's commands; with `--json`, what they print. */
export function operator(world: World) {
  const run = openConsole(world);
  return async (...argv: readonly string[]) => {
    const printed = await run(...argv, '--json');
    return printed === undefined ? undefined : JSON.parse(printed);
  };
}

export type Operator = ReturnType<typeof operator>;

export const minutes = (world: World, count: number) =>
  liveOn(world, { forMs: count * MINUTE_MS, everyMs: MINUTE_MS });
