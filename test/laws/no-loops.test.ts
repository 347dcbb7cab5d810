import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { encodeMessage } from '#shared/work-queue';
import { FORMS, propertiesOf, typeOf, type Wanted } from '../harness/forms.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { repeated } from '../harness/repeated.ts';
import { isDrained, liveOn, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const scenario = fc.record({
  seed: fc.nat(1_000_000),
  wanted: fc.array(fc.record({ form: fc.constantFrom(...FORMS, 'bare' as const), who: fc.nat(5) }), {
    minLength: 1,
    maxLength: 9,
  }),
  workers: fc.integer({ min: 1, max: 3 }),
  knowsOwnApp: fc.boolean(),
  outOfOrder: fc.boolean(),
  duplicateRate: fc.constantFrom(0, 0.5, 1),
  unchangedWrites: fc.constantFrom('ignored' as const, 'recorded' as const),
  formatPhones: fc.boolean(),
});

/** HubSpot lets no two contacts have one email. */
async function createAll(world: World, wanted: readonly Wanted[]): Promise<RecordName[]> {
  const taken = new Set<string>();
  const created: RecordName[] = [];
  for (const each of wanted) {
    const properties = propertiesOf(world, each);
    if (properties['email'] && taken.has(properties['email'])) continue;
    if (properties['email']) taken.add(properties['email']);
    created.push(await world.portal.create(typeOf(each), properties));
  }
  return created;
}

it('law 7: enriching again writes nothing and spends nothing, whatever came in which order and how often', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ seed, wanted, workers, knowsOwnApp, ...hubSpot }) => {
      const world = await createWorld({ seed, knowsOwnApp, hubSpot });
      const records = await createAll(world, wanted);
      await settleDown(world, { workers });
      await liveOn(world, { forMs: 20 * MINUTE_MS });
      expect(await isDrained(world)).toBe(true);
      expect((await world.states()).length).toBe(records.length);
      const questions = world.wire.questions();
      expect(new Set(questions).size).toBe(questions.length);

      const charged = world.charged();
      const written = await world.portal.appWrites();
      for (const record of records) {
        await world.portal.redeliver(record);
        const message = { ...record, purpose: 'manual', eventKeys: [`manual:${record.id}`] } as const;
        world.queues.live.inject(encodeMessage(message));
      }
      await settleDown(world, { workers });
      await liveOn(world, { forMs: 20 * MINUTE_MS });
      expect(await world.portal.appWrites()).toEqual(written);
      expect(world.charged()).toBe(charged);
      expect(await isDrained(world)).toBe(true);
    }),
    { numRuns: repeated(15), seed: 20_261_121, endOnFailure: true },
  );
});
