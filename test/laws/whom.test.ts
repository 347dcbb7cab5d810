import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { LoggedRequest } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { PortalState } from '../../infra/sandbox/hubspot/state.ts';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { somePerson } from '../harness/people.ts';
import { repeated } from '../harness/repeated.ts';
import { type ContactRule, ruledWorld } from '../harness/ruled-world.ts';
import { liveOn, verify } from '../harness/steps.ts';
import type { World } from '../harness/world.ts';
import { paidRequests } from './simulation/oracle/requests.ts';

/** A request is sent by what was read at most so long before, and by a few seconds of HubSpot's own. */
const READ_MS = MINUTE_MS + 3 * SECOND_MS;
const LIVED_MS = 8 * MINUTE_MS;

const STAGES = ['lead', 'customer', 'opportunity', 'other', ''] as const;
const CITIES = ['Ulm', 'Bonn', ''] as const;
const VALUES = { lifecyclestage: STAGES, city: CITIES } as const;

const property = fc.constantFrom('lifecyclestage' as const, 'city' as const);

/** A condition, and whether it holds as this test understands it. */
const condition = property.chain((name) => {
  const some = fc.uniqueArray(fc.constantFrom(...VALUES[name].filter(Boolean)), { minLength: 1 });
  return fc.oneof(
    some.map((list) => ({ property: name, in: list })),
    some.map((list) => ({ property: name, not: list })),
    some.map((list) => ({ property: name, in: list, orBlank: true as const })),
    fc.constant({ property: name, blank: true as const }),
    fc.constant({ property: name, filled: true as const }),
  );
});
type Condition = typeof condition extends fc.Arbitrary<infer T> ? T : never;

const rule = fc.record({
  when: fc.array(condition, { minLength: 1, maxLength: 2 }),
  enrich: fc.boolean(),
});
const edit = fc.record({
  contact: fc.nat(2),
  atMs: fc.integer({ min: 0, max: 3 * MINUTE_MS }),
  name: property,
  value: fc.nat(4),
});
const scenario = fc.record({
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
  edits: fc.array(edit, { minLength: 2, maxLength: 10 }),
  latencyMs: fc.constantFrom(3_000, 35_000, 50_000),
  perMinute: fc.constantFrom(1, 2, 20),
  /** The first worker stands still after one of its first requests to HubSpot, so that what it read grows old. */
  pause: fc.record({ at: fc.integer({ min: 1, max: 3 }), forMs: fc.constantFrom(70_000, 120_000) }),
});

function holds(one: Condition, values: Readonly<Record<string, string>>): boolean {
  const value = values[one.property] ?? '';
  if ('blank' in one) return value === '';
  if ('filled' in one) return value !== '';
  if (value === '') return 'orBlank' in one;
  return 'in' in one ? one.in.some((each) => each === value) : one.not.every((each) => each !== value);
}

type Drawn = typeof rule extends fc.Arbitrary<infer T> ? T : never;

function isAdmitted(rules: readonly Drawn[], values: Readonly<Record<string, string>>): boolean {
  return rules.find(({ when }) => when.every((one) => holds(one, values)))?.enrich ?? false;
}

/** What HubSpot held of a contact at each moment of a time: at its beginning, and after each change in it. */
function heldWithin(
  { portal }: World,
  { id }: RecordName,
  { fromMs, toMs }: { fromMs: number; toMs: number },
) {
  const history = (portal.sandbox.state() as PortalState).records['0-1'][id]?.history ?? {};
  const entries = Object.keys(VALUES).flatMap((name) =>
    (history[name] ?? []).map(({ value, timestamp }) => ({ name, value, timestamp })),
  );
  const at = (ms: number) => {
    const before = entries.filter(({ timestamp }) => timestamp <= ms);
    const inOrder = before.toSorted((a, b) => a.timestamp - b.timestamp);
    return Object.fromEntries(inOrder.map(({ name, value }) => [name, value]));
  };
  const changes = entries.map(({ timestamp }) => timestamp).filter((ms) => ms > fromMs && ms <= toMs);
  return [fromMs, ...changes].map(at);
}

async function requestsOf(world: World) {
  const answer = await world.dataService.handle(new Request(`${DATA_SERVICE_URL}/_sandbox/requests`));
  const { requests } = (await answer.json()) as { requests: readonly LoggedRequest[] };
  return paidRequests(requests).map(({ atMs, path }) => ({
    atMs,
    path: decodeURIComponent(path),
  }));
}

it('a request is only sent for a contact that a rule admitted within the minute before', async () => {
  let refused = 0;
  const law = fc.asyncProperty(scenario, async ({ rules, edits, latencyMs, perMinute, pause }) => {
    const contacts: ContactRule[] = rules.map((one, nth) => ({ ...one, name: `rule ${nth}` }));
    const world = await ruledWorld(
      { contacts },
      {
        policy: { questions: { fallThrough: true, contacts: ['personProfile', 'reverseEmail'] } },
        dataService: { latencyMs, rateLimitPerMinute: perMinute },
      },
    );
    const made: { readonly record: RecordName; readonly slug: string; readonly email: string }[] = [];
    for (const nth of [0, 1, 2]) {
      const { job } = somePerson(world, nth);
      // Nobody has the profile: the address is asked about after it, when the first read is old.
      const known = { slug: `nobody-${nth}-at-all`, email: job.email ?? '' };
      const hs_linkedin_url = `https://www.linkedin.com/in/${known.slug}`;
      const lifecyclestage = STAGES[nth] ?? '';
      const properties = { hs_linkedin_url, email: known.email, lifecyclestage };
      made.push({ record: await world.portal.create('contacts', properties), ...known });
    }
    world.processes.planForNext({ ...pause, among: 'hubspot', effect: 'done', kind: 'pause' });
    const people = edits.map(async ({ contact, atMs, name, value }) => {
      await world.clock.sleep(atMs);
      const { record } = made[contact] ?? {};
      const text = VALUES[name][value % VALUES[name].length] ?? '';
      if (record) await world.portal.edit(record, { [name]: text });
    });
    await Promise.all([...people, liveOn(world, { forMs: LIVED_MS, everyMs: MINUTE_MS })]);
    await verify(world);
    for (const { atMs, path } of await requestsOf(world)) {
      const about = made.find(({ slug, email }) => path.includes(slug) || path.includes(email));
      if (!about) throw new Error(`Nobody is asked about by ${path}.`);
      const seen = heldWithin(world, about.record, { fromMs: atMs - READ_MS, toMs: atMs });
      expect([path, seen.some((values) => isAdmitted(rules, values))]).toEqual([path, true]);
    }
    refused += (await world.states()).filter(({ outcome }) => outcome?.kind === 'skipped').length;
  });
  await fc.assert(law, { seed: 20_261_123, numRuns: repeated(100) });
  // Otherwise it would show nothing.
  expect(refused).toBeGreaterThan(10);
});
