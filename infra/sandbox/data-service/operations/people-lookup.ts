import { badRequest, notFound } from '../errors.ts';
import { placeMatcher } from '../filters/matching.ts';
import type { Operation, View } from '../operation.ts';
import { contactCredits, readContactOptions, readText } from '../parameters.ts';
import { personRecord } from '../records/person-record.ts';
import { jobAt } from '../world/employment.ts';
import { fold } from '../world/folding.ts';
import type { Person } from '../world/types.ts';
import { namesakeKey } from '../world/world.ts';
import { readCompanyDomain } from './company-identity.ts';

/** Spec: "People lookup". */
export const peopleLookup: Operation = {
  name: 'people-lookup',
  method: 'GET',
  path: '/api/v1/people/lookup',
  successStatus: 200,
  read: ({ query }) => {
    const domainText = readText(query, 'company_domain');
    const firstName = readText(query, 'first_name');
    if (domainText === undefined || firstName === undefined) {
      throw badRequest('Missing required parameters: company_domain and first_name are required');
    }
    const wanted: Wanted = {
      domain: readCompanyDomain(domainText),
      firstName,
      lastName: readText(query, 'last_name'),
      title: readText(query, 'title'),
      location: readText(query, 'location'),
    };
    const options = readContactOptions(query);
    return {
      price: { per: 'request', base: 1, full: 1 + contactCredits(options) },
      answer: (view) => {
        const person = bestMatch(wanted, view);
        if (person === undefined) throw notFound('No profile found matching the provided criteria');
        return { resultCount: 1, body: { data: personRecord(person, view.nowMs, options) } };
      },
    };
  },
};

interface Wanted {
  readonly domain: string;
  readonly firstName: string;
  readonly lastName: string | undefined;
  readonly title: string | undefined;
  readonly location: string | undefined;
}

/**
 * Finds the best match. Names must agree. Title and location decide among several people. If they are equal, the
 * first person is returned.
 */
function bestMatch(wanted: Wanted, { world, nowMs }: View): Person | undefined {
  const company = world.companyByDomain.get(wanted.domain);
  if (company === undefined) return undefined;
  const lastName = wanted.lastName === undefined ? undefined : fold(wanted.lastName);
  const namesakes = (world.namesakes.get(namesakeKey(company, wanted.firstName)) ?? []).filter(
    (person) =>
      jobAt(person, nowMs).company === company &&
      (lastName === undefined || fold(person.lastName) === lastName),
  );
  return bestOf(namesakes, (person) => titleScore(wanted, person, nowMs) + locationScore(wanted, person));
}

function bestOf<T>(items: readonly T[], scoreOf: (item: T) => number): T | undefined {
  let best: { readonly item: T; readonly score: number } | undefined;
  for (const item of items) {
    const score = scoreOf(item);
    if (best === undefined || score > best.score) best = { item, score };
  }
  return best?.item;
}

/** An equal title scores most, a contained title less, a shared word least. */
function titleScore({ title }: Wanted, person: Person, nowMs: number): number {
  if (title === undefined) return 0;
  const wanted = fold(title);
  const held = fold(jobAt(person, nowMs).title);
  if (held === wanted) return 6;
  if (held.includes(wanted) || wanted.includes(held)) return 4;
  const words = new Set(held.split(' '));
  return wanted.split(' ').some((word) => words.has(word)) ? 2 : 0;
}

function locationScore({ location }: Wanted, person: Person): number {
  if (location === undefined) return 0;
  if (fold(location) === 'remote') return person.isRemote ? 3 : 0;
  if (placeMatcher([location])(person.place)) return 3;
  return placeMatcher(location.split(','))(person.place) ? 1 : 0;
}
