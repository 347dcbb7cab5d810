import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import type { FusePlan } from '../harness/fuse.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import { liveOn, settleDown } from '../harness/steps.ts';
import { populated, tracesOf } from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

const SILENT = { lostEvents: ['privacyDeletion', 'deletion', 'restore', 'merge'] };
const FATES = ['kept', 'erased', 'archived', 'restored', 'merged', 'unreadable'] as const;
type Fate = (typeof FATES)[number];

/** Where sweeps die: at any call, or at one of those to HubSpot. */
const strike = fc.oneof(
  fc.record({
    at: fc.integer({ min: 1, max: 160 }),
    effect: fc.constantFrom('none' as const, 'done' as const),
  }),
  fc.record({
    at: fc.integer({ min: 1, max: 8 }),
    effect: fc.constantFrom('none' as const, 'done' as const),
    among: fc.constant('hubspot' as const),
  }),
);

const strikes = fc.array(strike, { minLength: 1, maxLength: 6 });

/** Some sweeps die, each at its place, and the others come through. */
async function liveThrough(
  world: World,
  { deaths, forMs }: { deaths: readonly Omit<FusePlan, 'kind'>[]; forMs: number },
) {
  const untilMs = world.clock.now() + forMs;
  for (let nth = 0; world.clock.now() < untilMs; nth += 1) {
    const death = deaths[nth % (deaths.length + 1)];
    world.processes.planForSweeps(death ? { strike: { ...death, kind: 'death' } } : {});
    await world.clock.sleep(3 * HOUR_MS);
    // A sweep that dies throws.
    await world.processes.reconcile().catch(() => undefined);
  }
  world.processes.planForSweeps({});
  await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 3 * HOUR_MS });
}

async function befall(world: World, record: RecordName, fate: Fate): Promise<void> {
  const { portal } = world;
  if (fate === 'erased' || fate === 'unreadable') await portal.erase(record);
  if (fate === 'archived' || fate === 'restored') await portal.archive(record);
  if (fate === 'merged') await portal.merge(await contact(world, 20 + (Number(record.id) % 7)), record);
}

describe('whatever happens to contacts without an event, and to the sweeps that audit them', () => {
  it('forgets each erased person and no other', async () => {
    const scenario = fc.record({
      fates: fc.array(fc.constantFrom(...FATES), { minLength: 2, maxLength: 6 }),
      deaths: strikes,
      isForeign: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ fates, deaths, isForeign }) => {
        const world = await createWorld({ hubSpot: SILENT });
        // Somebody has to be left, or nothing shows that the token still sees contacts.
        const people = await Promise.all(['kept' as const, ...fates].map((_, nth) => contact(world, nth)));
        await settleDown(world);
        for (const [nth, fate] of fates.entries()) await befall(world, people[nth + 1] as RecordName, fate);
        const unreadable = fates.flatMap((fate, nth) =>
          fate === 'unreadable' ? [people[nth + 1]?.id ?? ''] : [],
        );
        await world.portal.change({
          faults: unreadable.map((recordId) => ({
            path: 'contacts/batch/read',
            kind: 'status' as const,
            status: 500,
            rate: 1,
            recordId,
          })),
          ...(isForeign && { portalId: 99 }),
        });
        await liveThrough(world, { deaths, forMs: DAY_MS / 2 });
        for (const [nth, fate] of fates.entries())
          if (fate === 'restored') await world.portal.restore(people[nth + 1] as RecordName);
        await liveThrough(world, { deaths, forMs: 4 * DAY_MS });
        const forgotten = await Promise.all(
          people.map(async (record) => (await world.state(record))?.forgottenAtMs !== undefined),
        );
        expect(forgotten).toEqual([false, ...fates.map((fate) => fate === 'erased' && !isForeign)]);
      }),
      { seed: 20_261_121, numRuns: repeated(12) },
    );
  }, 120_000);

  it('leaves no data of the person, at whatever call the sweep crashes', async () => {
    await fc.assert(
      fc.asyncProperty(strikes, async (deaths) => {
        const { world, placesOf, one, other, contact: erased } = await populated(SILENT);
        const others = placesOf(tracesOf(other));
        await world.portal.erase(erased);
        await liveThrough(world, { deaths, forMs: 2 * DAY_MS });
        expect(placesOf(tracesOf(one))).toEqual([]);
        expect(placesOf(tracesOf(other))).toEqual(others);
      }),
      { seed: 20_261_121, numRuns: repeated(8) },
    );
  }, 120_000);
});
