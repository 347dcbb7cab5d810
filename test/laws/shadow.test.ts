import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectType } from '#shared/crm';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { FORMS, propertiesOf, typeOf } from '../harness/forms.ts';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { repeated } from '../harness/repeated.ts';
import { acceptAll, undecided } from '../harness/review.ts';
import { isDrained, refreshAfter, settleDown } from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

type Policy = NonNullable<WorldOptions['policy']>;

/** What a person typed beside what the record is known by; some of it contradicts the answer. */
const TYPED: readonly Properties[] = [
  {},
  { jobtitle: 'Chief of Everything' },
  { company: 'A Company Of Their Own', city: 'Bonn' },
  { firstname: 'Xanthippe', lastname: 'Quux' },
  { enrichment_requested: 'true' },
];

const scenario = fc.record({
  seed: fc.nat(1_000_000),
  /** Each person and company once: of two records of one, HubSpot gives an address to whoever is written first. */
  wanted: fc.uniqueArray(
    fc.record({
      form: fc.constantFrom(...FORMS),
      who: fc.nat(11),
      typed: fc.constantFrom(...TYPED),
    }),
    { selector: ({ who }) => who, minLength: 1, maxLength: 7 },
  ),
  policy: fc.record({
    jobChange: fc.constantFrom('flag' as const, 'follow' as const),
    associate: fc.constantFrom('existing' as const, 'never' as const),
  }),
  shadow: fc.constantFrom<Policy>(
    { mode: 'shadow' },
    { fields: { contacts: { jobtitle: { shadow: true } }, companies: { industry: { shadow: true } } } },
  ),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

/** A world, and what happens in it one after the other: companies come, contacts come, everything is refreshed. */
async function begin({ seed, wanted }: Scenario, policy: Policy) {
  const world = await createWorld({ seed, policy });
  const startMs = world.clock.now();
  const records: RecordName[] = [];
  const create = async (objectType: ObjectType) => {
    for (const each of wanted.filter((one) => typeOf(one) === objectType)) {
      const typed = objectType === 'contacts' ? each.typed : {};
      records.push(await world.portal.create(objectType, { ...typed, ...propertiesOf(world, each) }));
    }
    await settleDown(world);
  };
  const refresh = async () => {
    await refreshAfter(world, startMs + 200 * DAY_MS - world.clock.now());
  };
  return { world, records, steps: [() => create('companies'), () => create('contacts'), refresh] };
}

/** Of HubSpot's own, what says when something was written, and which record of its account it is. */
const OWN = /^(?:hs_object_id|lastmodifieddate|hs_lastmodifieddate|notes_last_updated)$/;

/** By place, because ids are given as records come and are written; in which second each was asked depends on the others. */
async function shown(world: World, records: readonly RecordName[], withStatus: ReadonlySet<number>) {
  const told: Properties[] = [];
  for (const [nth, record] of records.entries()) {
    const all = Object.entries(await world.portal.properties(record)).filter(([, value]) => value);
    const kept = all.filter(
      ([name]) => !OWN.test(name) && (withStatus.has(nth) || !name.startsWith('enrichment_')),
    );
    const plain = kept.map(([name, value = '']) => {
      if (name === 'associatedcompanyid') return [name, `${records.findIndex(({ id }) => id === value)}`];
      return [name, value?.replace(/T\d{2}:\S+Z$/, '')];
    });
    told.push(Object.fromEntries(plain.sort()));
  }
  return told;
}

describe('shadow', () => {
  it('writes nothing, and accepted as a whole comes to what is written without it, at the same cost', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (drawn) => {
        const direct = await begin(drawn, drawn.policy);
        const shadow = await begin(drawn, { ...drawn.policy, ...drawn.shadow });
        const isWhole = drawn.shadow.mode === 'shadow';
        for (const [nth, step] of direct.steps.entries()) {
          await step();
          const before = await shadow.world.portal.appWrites();
          await shadow.steps[nth]?.();
          if (isWhole) expect(await shadow.world.portal.appWrites()).toEqual(before);
          const results = await acceptAll(shadow.world);
          accepted += results.length;
          expect(results.filter(({ result }) => result !== 'done')).toEqual([]);
          expect(await undecided(shadow.world, 'proposal')).toEqual([]);
          await settleDown(shadow.world);
          // What a search of HubSpot is to find has to be there for some seconds.
          for (const { world } of [direct, shadow]) await world.clock.sleep(MINUTE_MS);
          // Where there was nothing to accept, only a status is missing.
          const done = new Set(results.map(({ record }) => record.id));
          const places = shadow.records.flatMap(({ id }, place) => (!isWhole || done.has(id) ? [place] : []));
          const withStatus = new Set(places);
          expect(await shown(shadow.world, shadow.records, withStatus)).toEqual(
            await shown(direct.world, direct.records, withStatus),
          );
          expect(shadow.world.charged()).toBe(direct.world.charged());
          expect(await isDrained(shadow.world)).toBe(true);
        }
      }),
      { seed: 20_261_122, numRuns: repeated(30), endOnFailure: true },
    );
    expect(accepted).toBeGreaterThanOrEqual(repeated(30));
  });
});
