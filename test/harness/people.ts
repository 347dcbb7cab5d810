import type { Company, Person } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { Properties, RecordName } from './hubspot-portal.ts';
import type { World } from './world.ts';

/** The n-th person whom the data service can find in every way, and who stays in the job. */
export function somePerson(world: Pick<World, 'dataService'>, index = 0): Known {
  const found = knownIn(world.dataService.world.people)[index];
  if (!found) throw new Error('The stand-in knows too few people.');
  return found;
}

type Known = Person & { readonly networkSlug: string };

/** All worlds of a process share their people. */
const known = new WeakMap<readonly Person[], readonly Known[]>();

function knownIn(people: readonly Person[]): readonly Known[] {
  const before = known.get(people);
  if (before) return before;
  const made = people.filter(
    (person): person is Known =>
      person.networkSlug !== undefined &&
      person.mobile !== undefined &&
      person.job.email !== undefined &&
      person.job.seniority !== undefined &&
      person.nextJob === undefined &&
      person.place.city !== undefined,
  );
  known.set(people, made);
  return made;
}

/** A person who will have another title in a company of another industry, because names of one industry share words. */
export function jobChanger(world: World, { withinMs }: { withinMs: number }) {
  const nowMs = world.clock.now();
  const found = world.dataService.world.people.find(
    ({ networkSlug, nextJob, job }) =>
      networkSlug !== undefined &&
      job.email !== undefined &&
      nextJob !== undefined &&
      nextJob.startMs > nowMs &&
      nextJob.startMs < nowMs + withinMs &&
      nextJob.company.industry !== job.company.industry &&
      nextJob.title !== job.title,
  );
  if (!found?.nextJob || !found.networkSlug) throw new Error('No person changes jobs in that time.');
  return { ...found, networkSlug: found.networkSlug, nextJob: found.nextJob };
}

export function profileUrlOf({ networkSlug }: { readonly networkSlug: string }): string {
  return `https://www.linkedin.com/in/${networkSlug}`;
}

/** The n-th company of the data service. */
export function someCompany(world: Pick<World, 'dataService'>, index = 0): Company {
  const found = world.dataService.world.companies[index];
  if (!found) throw new Error('The stand-in knows too few companies.');
  return found;
}

/** Creates a contact that is found by a person's profile. A question about it costs three credits. */
export function contact(world: World, index = 0, more: Properties = {}): Promise<RecordName> {
  return world.portal.create('contacts', {
    hs_linkedin_url: profileUrlOf(somePerson(world, index)),
    ...more,
  });
}

/** Creates a contact that is found by a person's address. A question about it costs one credit. */
export function contactByEmail(world: World, index = 0, more: Properties = {}): Promise<RecordName> {
  return world.portal.create('contacts', { email: somePerson(world, index).job.email ?? '', ...more });
}

/** Creates a company that is found by its domain. A question about it costs one credit. */
export function createCompany(world: World, index = 0, more: Properties = {}): Promise<RecordName> {
  return world.portal.create('companies', { domain: someCompany(world, index).domains[0] ?? '', ...more });
}

/** Creates contacts that are found by their profiles, from the person `from` on. */
export async function contactsBy(
  world: World,
  count: number,
  { by = {}, from = 0 }: { readonly by?: Properties; readonly from?: number } = {},
): Promise<RecordName[]> {
  const made: RecordName[] = [];
  for (let index = from; index < from + count; index += 1) {
    const properties = { hs_linkedin_url: profileUrlOf(somePerson(world, index)) };
    made.push(await world.portal.create('contacts', properties, [], by));
  }
  return made;
}
