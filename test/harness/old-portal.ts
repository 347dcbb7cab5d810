import { expect } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { openConsole } from './console.ts';
import type { RecordName } from './hubspot-portal.ts';
import { somePerson } from './people.ts';
import { liveOn, settleDown } from './steps.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** Creates people from before the installation. By default, the data service does not know one in three. */
export async function oldPortal(
  people: number,
  { isKnown = (index: number) => index % 3 !== 0, ...options }: WorldOptions & Known = {},
): Promise<OldPortal> {
  const policy = { budgets: { perDay: 10_000 }, questions: { wantEmail: false }, ...options.policy };
  const world = await createWorld({ agedMs: DAY_MS, ...options, policy });
  const made: RecordName[] = [];
  for (let index = 0; index < people; index += 1) {
    const known = somePerson(world, index).job.email ?? '';
    const email = isKnown(index) ? known : `zoe.quill${index}@${known.split('@')[1]}`;
    made.push(await world.portal.create('contacts', { email }));
  }
  return { ...(await aged(world)), people: made };
}

export type OldPortal = World & { readonly people: readonly RecordName[] };

interface Known {
  readonly isKnown?: (index: number) => boolean;
}

/** Moves to the day of the installation. The existing records have cost nothing. */
export async function aged(world: World): Promise<World> {
  await settleDown(world);
  await world.clock.sleep(DAY_MS + HOUR_MS);
  await liveOn(world, { forMs: 10 * MINUTE_MS });
  expect(world.charged()).toBe(0);
  world.wire.forget();
  return world;
}

/** Runs the operator's commands; with `--json`, returns their output. */
export function operator(world: World) {
  const run = openConsole(world);
  return async (...argv: readonly string[]) => {
    const printed = await run(...argv, '--json');
    return printed === undefined ? undefined : JSON.parse(printed);
  };
}

/** Runs minute by minute until the backfill stops by itself: done, paused or stopped. */
export async function untilEnded(world: World, id: string): Promise<void> {
  const command = operator(world);
  for (let minute = 0; minute < 60; minute += 1) {
    const { state } = await command('backfill', 'status', id);
    if (state === 'done' || state === 'paused' || state === 'stopped') return;
    await minutes(world, 1);
  }
}

type Operator = ReturnType<typeof operator>;

export async function begun(command: Operator, objects: string, ...more: readonly string[]): Promise<string> {
  const { id } = await command('backfill', 'quote', '--objects', objects, ...more);
  await command('backfill', 'run', id, '--yes');
  return id;
}

export const minutes = (world: World, count: number) =>
  liveOn(world, { forMs: count * MINUTE_MS, everyMs: MINUTE_MS });
