import { describe, expect, it } from 'vitest';
import { quoteRecord } from '#inside/requests/quote.ts';
import { DAY_MS, seededRandom } from '#shared/kernel';
import type { LoggedRequest } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { changed } from '../harness/changed.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { operatorOf } from '../harness/policy-change.ts';
import {
  refreshAfter,
  settleDown,
  settledContact,
  settledRecord,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const PEOPLE = 12;

/** Each person and company in several records, each time by another identifier that its answers tell, in any order. */
function mix(world: World) {
  const random = seededRandom(7);
  const wanted = Array.from({ length: PEOPLE }, (_, index) => {
    const person = somePerson(world, index);
    const company = someCompany(world, index);
    const url = profileUrlOf(person);
    const known = { firstname: person.firstName, email: `somebody${index}@gmail.com` };
    return [
      ['contacts', { hs_linkedin_url: url }],
      ['contacts', { email: person.job.email ?? '' }],
      ['contacts', { hs_linkedin_url: `${url}/`, ...known }],
      ['companies', { linkedin_company_page: `https://www.linkedin.com/company/${company.networkSlug}` }],
      ['companies', { domain: company.domains[0] }],
      ['companies', { website: `https://www.${company.domains[0]}/about` }],
    ] as const;
  });
  return wanted
    .flat()
    .map((each) => ({ each, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each);
}

/** Who was paid for more than once, by the vendor's own log. */
async function boughtTwice(world: World): Promise<string[]> {
  const answer = await world.dataService.handle(new Request(`${DATA_SERVICE_URL}/_sandbox/requests`));
  const { requests } = (await answer.json()) as { requests: readonly LoggedRequest[] };
  const bought = requests.flatMap(({ path, credits }) => (credits > 0 ? [aboutWhom(world, path)] : []));
  return [...new Set(bought)].filter((who) => bought.filter((each) => each === who).length > 1).sort();
}

function aboutWhom(world: World, path: string): string {
  const { pathname, searchParams } = new URL(path, DATA_SERVICE_URL);
  const [email, url, domain] = ['email', 'network_url', 'domain'].map((name) => searchParams.get(name) ?? '');
  const slug = url?.split('/').at(-1);
  if (pathname.includes('/company/')) {
    const { companies } = world.dataService.world;
    return `company ${companies.find(({ domains, networkSlug }) => networkSlug === slug || domains.includes(domain ?? ''))?.id}`;
  }
  const { people } = world.dataService.world;
  return `person ${people.find(({ networkSlug, job }) => networkSlug === slug || job.email === email)?.networkSlug}`;
}

/** Those of whom a record by the profile came first: an answer by it tells no address that was not bought. */
function firstByProfile(world: World): string[] {
  const records = mix(world).map(([, properties]) => JSON.stringify(properties));
  const people = Array.from({ length: PEOPLE }, (_, index) => somePerson(world, index));
  const place = (text: string) => records.findIndex((record) => record.includes(text));
  return people
    .filter(({ networkSlug, job }) => place(networkSlug) < place(job.email ?? ''))
    .map(({ networkSlug }) => `person ${networkSlug}`)
    .sort();
}

const ENRICHED = { enrichment_status: 'enriched' };

describe('records of one person or company under several identifiers', () => {
  it('are answered by what was bought for one of them and tells the other', async () => {
    const world = await createWorld({
      policy: { questions: { wantEmail: false } },
      dataService: { rateLimitPerMinute: 1_000 },
    });
    for (const [objectType, properties] of mix(world)) {
      const record = await settledRecord(world, objectType, properties);
      expect(await world.portal.properties(record)).toMatchObject(ENRICHED);
    }
    const others = firstByProfile(world);
    expect(await boughtTwice(world)).toEqual(others);
    expect(others.length).toBeLessThan(PEOPLE);
    expect(world.charged()).toBe(2 * PEOPLE + others.length);
  });

  it('are answered by an address that was bought with a profile', async () => {
    const { world, record: first } = await worldWithContact();
    const { email = '' } = await world.portal.properties(first);
    await world.portal.archive(first);
    const second = await settledRecord(world, 'contacts', { email });
    expect(await world.portal.properties(second)).toMatchObject({ ...ENRICHED, enrichment_credits: '0' });
    expect(world.charged()).toBe(3);
  });

  it('are not answered by a newer answer that no longer names their address', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const first = await settledContact(world);
    const { email = '' } = await world.portal.properties(first);
    changed(job, { email: `new.${email}` });
    await refreshAfter(world, 181 * DAY_MS);
    await world.portal.archive(first);
    const charged = world.charged();
    const second = await settledRecord(world, 'contacts', { email });
    expect(await world.portal.properties(second)).toMatchObject({ enrichment_status: 'unmatched' });
    expect(world.charged()).toBe(charged + 1);
  });
});

describe('a second contact of one person, known by another identifier', () => {
  const twins = async (policy: NonNullable<WorldOptions['policy']> = {}) => {
    const world = await createWorld({ policy });
    const person = somePerson(world);
    const first = await settledRecord(world, 'contacts', { email: person.job.email ?? '' });
    expect(world.charged()).toBe(1);
    return { world, person, first };
  };

  it('gets the stored answer, and no address that the first contact holds', async () => {
    const { world, person } = await twins();
    const second = await settledContact(world);
    expect(world.charged()).toBe(1);
    const { email = '', ...properties } = await world.portal.properties(second);
    expect(email).toBe('');
    expect(properties).toMatchObject({ ...ENRICHED, enrichment_credits: '0', jobtitle: person.job.title });
    expect((await world.state(second))?.waiting).toBeUndefined();
  });

  it('is quoted the price that it costs', async () => {
    const { world, first } = await twins();
    const old = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(somePerson(world)) });
    const quote = () => quoteRecord(operatorOf(world), old, undefined);
    expect(await quote()).toMatchObject({ credits: 0 });
    await world.portal.archive(first);
    expect(await quote()).toMatchObject({ credits: 3 });
  });

  it('of which the first has a profile and an address of its own gets no address either', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    await settledContact(world, 0, { email: job.email ?? '' });
    expect(world.charged()).toBe(1);
    const second = await settledContact(world);
    expect(world.charged()).toBe(1);
    expect(await world.portal.properties(second)).toMatchObject(ENRICHED);
  });

  it('gets an address once the first contact is gone or has none', async () => {
    for (const leave of ['archive', 'empty'] as const) {
      const { world, first } = await twins();
      if (leave === 'archive') await world.portal.archive(first);
      else await world.portal.edit(first, { email: '' });
      await settleDown(world);
      const charged = world.charged();
      const second = await settledContact(world);
      expect(world.charged()).toBe(charged + 3);
      expect((await world.portal.properties(second))['email']).toBe(somePerson(world).job.email);
    }
  });

  it('is not bought an address alone', async () => {
    const world = await createWorld({ policy: { fields: { contacts: [ADDRESS, PROFILE] } } });
    const { job } = somePerson(world);
    await contact(world, 0, { email: job.email ?? '' });
    const second = await settledContact(world);
    expect(world.charged()).toBe(0);
    expect((await world.state(second))?.outcome).toMatchObject({
      kind: 'skipped',
      reason: { code: 'address-taken' },
    });
  });

  it('is bought an address for a property that is not unique in HubSpot', async () => {
    const own = { ...ADDRESS, property: 'work_email', convert: 'text' } as const;
    const world = await createWorld({ policy: { fields: { contacts: [own] } } });
    const { job } = somePerson(world);
    await contact(world, 0, { email: job.email ?? '', work_email: 'x@firm-x.com' });
    await settledContact(world);
    expect(world.charged()).toBe(3);
  });
});

const ADDRESS = { property: 'email', from: 'email', convert: 'email', write: 'fill-blank' } as const;

const PROFILE = {
  property: 'hs_linkedin_url',
  from: 'profileUrl',
  convert: 'url',
  write: 'fill-blank',
} as const;

it.each([
  [
    'person',
    (world: World) => [
      ['email', somePerson(world).job.email ?? ''],
      ['profile', profileUrlOf(somePerson(world))],
    ],
  ],
  [
    'company',
    (world: World) => [
      ['company', someCompany(world).domains[0]],
      ['company', `https://www.linkedin.com/company/${someCompany(world).networkSlug}`],
    ],
  ],
] as const)(
  'a lookup at the command line of a %s whose stored answer has the identifier costs nothing',
  async (_, lookups) => {
    const world = await createWorld();
    const lookUp = (args: readonly string[]) => operator(world)('lookup', ...args, '--yes');
    const [first = [], second = []] = lookups(world);
    const bought = await lookUp(first);
    const charged = world.charged();
    expect(charged).toBe(bought.credits);
    expect(await lookUp(second)).toMatchObject({ credits: 0, fromStore: true, record: bought.record });
    expect(world.charged()).toBe(charged);
  },
);
