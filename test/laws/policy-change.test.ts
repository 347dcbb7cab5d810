import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WRITE_MODES } from '#shared/field-policy';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, someCompany } from '../harness/people.ts';
import { applied, compared, heldValues, type PolicyChange, undone } from '../harness/policy-change.ts';
import { repeated } from '../harness/repeated.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const CONTACT_FIELDS = ['jobtitle', 'city', 'company', 'website', 'state', 'country'] as const;
const COMPANY_FIELDS = ['city', 'description', 'phone', 'founded_year', 'name', 'country'] as const;
const PEOPLE = 5;
const COMPANIES = 3;

/** How each of some fields is written, and perhaps one that was not there. */
const fieldsArbitrary = (names: readonly string[], added: Record<string, object>) =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names), fc.record({ write: fc.constantFrom(...WRITE_MODES) }), {
        maxKeys: 4,
      }),
      fc.boolean(),
    )
    .map(([changed, isAdded]) => ({ ...changed, ...(isAdded && added) }));

const policyArbitrary: fc.Arbitrary<PolicyChange> = fc.record({
  fields: fc.record({
    contacts: fieldsArbitrary(CONTACT_FIELDS, { fax: { from: 'name', convert: 'text', write: 'ours' } }),
    companies: fieldsArbitrary(COMPANY_FIELDS, {
      facebook_company_page: { from: 'name', convert: 'text', write: 'fill-blank' },
    }),
  }),
  jobChange: fc.constantFrom('flag', 'follow'),
  questions: fc.record({ wantEmail: fc.boolean() }),
});

/** What people do to one record: before it is enriched, or after; a blank empties the property. */
const deedArbitrary = (count: number, names: readonly string[]) =>
  fc.record({
    nth: fc.nat(count - 1),
    property: fc.constantFrom(...names),
    value: fc.constantFrom('', 'As somebody says', '1987'),
    isFirst: fc.boolean(),
  });

const storyArbitrary = fc.record({
  seed: fc.nat(1_000),
  people: fc.array(deedArbitrary(PEOPLE, CONTACT_FIELDS), { maxLength: 5 }),
  companies: fc.array(deedArbitrary(COMPANIES, COMPANY_FIELDS), { maxLength: 3 }),
  archived: fc.option(fc.nat(PEOPLE - 1)),
  policy: policyArbitrary,
});
type Story = typeof storyArbitrary extends fc.Arbitrary<infer T> ? T : never;
type Deed = Story['people'][number];

/** A portal that has been enriched, and in which people have worked since. */
async function frozen({ seed, people, companies, archived }: Story): Promise<World> {
  const world = await createWorld({ seed });
  const first = (deeds: readonly Deed[], at: number) =>
    Object.fromEntries(
      deeds
        .filter(({ nth, isFirst }) => isFirst && nth === at)
        .map(({ property, value }) => [property, value]),
    );
  const made: Record<'people' | 'companies', RecordName[]> = { people: [], companies: [] };
  for (let nth = 0; nth < PEOPLE; nth += 1) made.people.push(await contact(world, nth, first(people, nth)));
  for (let nth = 0; nth < COMPANIES; nth += 1) {
    const properties = { domain: someCompany(world, nth).domains[0], ...first(companies, nth) };
    made.companies.push(await world.portal.create('companies', properties));
  }
  await settleDown(world);
  for (const [kind, deeds] of Object.entries({ people, companies }) as ['people' | 'companies', Deed[]][])
    for (const { nth, property, value, isFirst } of deeds) {
      const record = made[kind][nth];
      if (record && !isFirst) await world.portal.edit(record, { [property]: value });
    }
  const gone = archived === null ? undefined : made.people[archived];
  if (gone) await world.portal.archive(gone);
  await settleDown(world);
  return world;
}

/** Values that the policy may write over whoever's they are. */
function isAlways({ fields = {} }: PolicyChange, property: string): boolean {
  const changes = [fields.contacts, fields.companies] as Record<string, { write?: string }>[];
  return changes.some((change) => change?.[property]?.write === 'always');
}

it('what is foretold comes true, people keep what is theirs, an undo takes all back', async () => {
  await fc.assert(
    fc.asyncProperty(storyArbitrary, async (story) => {
      const world = await frozen(story);
      const { policy } = story;
      const [charged, before, states] = [world.charged(), await heldValues(world), await world.states()];
      const { writes } = await compared(world, policy);
      expect([await heldValues(world), await world.states()]).toEqual([before, states]);

      const report = await applied(world, policy);
      expect(report).toMatchObject({ records: writes.records, written: writes.apply, waiting: 0, failed: 0 });
      const after = await heldValues(world);
      for (const { nth: _, property, value } of [...story.people, ...story.companies])
        for (const [id, properties] of Object.entries(before))
          if (properties[property] === value && value !== '' && !isAlways(policy, property))
            expect(after[id]?.[property]).toBe(value);
      expect((await applied(world, policy, 'apply-2')).written.values).toBe(0);

      expect(await undone(world)).toBe(writes.apply.values);
      expect(await heldValues(world)).toEqual(before);
      await settleDown(world);
      expect(world.charged()).toBe(charged);
    }),
    { seed: 11, numRuns: repeated(10), endOnFailure: true },
  );
});
