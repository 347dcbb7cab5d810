import { expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { createFuse, type FusePlan } from '../harness/fuse.ts';
import { contact } from '../harness/people.ts';
import { STRIDE } from '../harness/repeated.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';
import { openConsole } from '../laws/simulation/console.ts';

const FATES: readonly Omit<FusePlan, 'at'>[] = [
  { kind: 'death', effect: 'none' },
  { kind: 'death', effect: 'done' },
  { kind: 'error', effect: 'none' },
];

async function enriched() {
  const world = await createWorld();
  const record = await contact(world);
  const before = await valuesOf(world, record);
  await settleDown(world);
  return { world, record, before, spent: world.charged() };
}

type World = Awaited<ReturnType<typeof createWorld>>;

async function valuesOf(world: World, record: Parameters<World['state']>[0]) {
  const values = Object.entries(await world.portal.properties(record));
  return Object.fromEntries(values.filter(([name]) => !/^(?:enrichment_|lastmodified|hs_last)/.test(name)));
}

it.each(FATES)(
  'an undo that is cut off at any one of its calls is whole once it is typed again: %j',
  async (fate) => {
    for (let at = 1; ; at += STRIDE) {
      const { world, record, before, spent } = await enriched();
      const fuse = createFuse();
      fuse.arm({ ...fate, at });
      const words = ['undo', `${record.objectType}/${record.id}`, '--yes', '--json'];
      await openConsole({ ...world, services: world.servicesOfPerson(fuse) })(...words);
      const isThrough = fuse.calls() < at;
      await liveOn(world, { forMs: HOUR_MS });
      await openConsole(world)(...words);
      await liveOn(world, { forMs: HOUR_MS });
      expect({ at, values: await valuesOf(world, record) }).toEqual({ at, values: before });
      expect([world.charged(), await isDrained(world)]).toEqual([spent, true]);
      if (isThrough) break;
    }
  },
);
