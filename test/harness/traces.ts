import { allKeys, forgetPerson, identifierKeys, type Question } from '#shared/questions';
import type { Person } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { openMemoryStore } from './memory-items.ts';
import { profileUrlOf } from './people.ts';
import { askByHand, settleDown } from './steps.ts';
import { createWorld, type World } from './world.ts';

type Known = Person & { readonly networkSlug: string; readonly mobile: string };

const POLICY = { questions: { wantEmail: true, wantPhone: true } };

/** A world in which a test searches every stored item. */
export async function createWatchedWorld(hubSpot: Partial<SandboxSettings> = {}) {
  const store = openMemoryStore();
  const world = await createWorld({ policy: POLICY, hubSpot, store });
  /** Finds texts in all places: the kind of a stored item, queue, log. */
  const placesOf = (texts: readonly string[]): string[] => {
    const holds = (value: unknown) =>
      texts.some((text) => JSON.stringify(value).toLowerCase().includes(text));
    const found = store.database.prepare('SELECT key, body FROM items').all().filter(holds);
    return [
      ...found.map(({ key }) => String(key).split('#')[1] ?? ''),
      ...(Object.values(world.queues).some((queue) => holds(queue.accepted())) ? ['queue'] : []),
      ...(holds(world.logs) ? ['log'] : []),
    ];
  };
  return { world, placesOf };
}

/** A person who is also in lists of the company, with a unique last name, and a colleague. */
export function twoOfOneCompany({ dataService: { world } }: World): [Known, Known] {
  const isKnown = (person: Person): person is Known =>
    person.networkSlug !== undefined &&
    person.mobile !== undefined &&
    person.job.email !== undefined &&
    person.job.seniority === 'C-Suite' &&
    person.nextJob === undefined;
  const known = world.people.filter(isKnown);
  for (const one of known) {
    const colleagues = world.people.filter((each) => each !== one && each.job.company === one.job.company);
    const other = colleagues.find(isKnown);
    if (other && !colleagues.some(({ lastName }) => lastName === one.lastName)) return [one, other];
  }
  throw new Error('The stand-in knows too few people.');
}

export function tracesOf({ firstName, lastName, networkSlug, mobile, job }: Known): string[] {
  return [job.email ?? '', networkSlug, mobile, `${firstName} ${lastName}`].map((text) => text.toLowerCase());
}

export function questionsAbout(one: Known): Question[] {
  const domain = one.job.company.domains[0];
  const search = { q_organization_domains: [domain], per_page: 100, include_email: 'include' };
  return [
    {
      operation: 'personProfile',
      by: { profileUrl: `https://linkedin.com/in/${one.networkSlug}` },
      options: ['email', 'phone'],
    },
    { operation: 'reversePhone', by: { phone: one.mobile }, options: [] },
    { operation: 'searchPeople', by: { search: JSON.stringify(search) }, options: [] },
    {
      operation: 'searchEmployees',
      by: { search: JSON.stringify({ company_domain: domain, limit: 100 }) },
      options: [],
    },
  ];
}

/** Stores a person in as many stores as possible, and a colleague. */
export async function populated(hubSpot: Partial<SandboxSettings> = {}) {
  const watched = await createWatchedWorld(hubSpot);
  const { world } = watched;
  const [one, other] = twoOfOneCompany(world);
  const contact = await world.portal.create('contacts', { email: one.job.email ?? '' });
  await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(other) });
  await world.portal.create('companies', { domain: one.job.company.domains[0] });
  await settleDown(world, { workers: 2 });
  for (const question of questionsAbout(one)) {
    const result = await askByHand(world, question);
    if (result.kind !== 'found') throw new Error(`${question.operation}: ${JSON.stringify(result)}`);
  }
  const byEmail = allKeys(identifierKeys({ emails: [one.job.email ?? ''] }, world.services.digest));
  return { ...watched, one, other, contact, forget: () => forgetPerson(world.services.forgetting, byEmail) };
}
