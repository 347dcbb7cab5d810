import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { createFuse, type FusePlan } from '../harness/fuse.ts';
import { somePerson } from '../harness/people.ts';
import { accept, acceptAll, undecided } from '../harness/review.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const FATES = [
  { kind: 'death', effect: 'none' },
  { kind: 'death', effect: 'done' },
  { kind: 'error', effect: 'none' },
] as const;

const shadowed = async () => {
  const world = await createWorld({ policy: { mode: 'shadow' } });
  const record = await world.portal.create('contacts', { email: somePerson(world).job.email ?? '' });
  return { world, record };
};

/** What direct writing leaves of it, so that both can be compared. */
async function written(world: World) {
  const [state] = await world.states();
  if (!state) throw new Error('no state');
  const { enrichment_last_at: _, lastmodifieddate: __, ...values } = await world.portal.properties(state);
  return { values, ownership: Object.keys(state.ownership).sort(), credits: state.creditsSpent };
}

async function undisturbed() {
  const { world } = await shadowed();
  await settleDown(world);
  await acceptAll(world);
  return written(world);
}

describe('a proposal', () => {
  it.each(FATES)('is there once, at whichever call its worker is cut off: %j', async (fate: Fate) => {
    for (let at = 1; ; at += 1) {
      const { world, record } = await shadowed();
      world.processes.planForNext({ ...fate, at });
      await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
      // An answer in doubt proposes nothing.
      const isDoubt = (await world.state(record))?.outcome?.kind === 'failed';
      const kinds = (await undecided(world)).map(({ kind }) => kind);
      expect({ at, kinds }).toEqual({ at, kinds: isDoubt ? [] : ['proposal'] });
      expect(await world.portal.appWrites()).toEqual({ recordWrites: 0, propertyWrites: 0 });
      if ((world.processes.fuses[0]?.calls() ?? 0) < at) break;
    }
  });

  it.each(FATES)('is written once, at whichever call who accepts it is cut off: %j', async (fate: Fate) => {
    const whole = await undisturbed();
    for (let at = 1; ; at += 1) {
      const { world, record } = await shadowed();
      await settleDown(world);
      const spent = world.charged();
      const fuse = createFuse();
      fuse.arm({ ...fate, at });
      await accept(world, [record], { fuse }).catch(() => undefined);
      const isThrough = fuse.calls() < at;
      await liveOn(world, { forMs: HOUR_MS, everyMs: 10 * MINUTE_MS });
      // Whoever is not told that it is done accepts it once more.
      await acceptAll(world);
      await liveOn(world, { forMs: HOUR_MS, everyMs: 10 * MINUTE_MS });
      expect({ at, ...(await written(world)) }).toEqual({ at, ...whole });
      expect({ at, left: await undecided(world) }).toEqual({ at, left: [] });
      expect([world.charged(), await isDrained(world)]).toEqual([spent, true]);
      if (isThrough) break;
    }
  });
});

type Fate = Omit<FusePlan, 'at'>;
