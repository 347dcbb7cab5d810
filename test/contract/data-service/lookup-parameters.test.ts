import { describe, expect, it } from 'vitest';
import { type Fields, recordOf, textOf } from './answer.ts';
import {
  CHECK_KEY,
  COMPANY_PROFILE,
  type Endpoint,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PROFILE_OPTIONS,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './endpoints.ts';
import { PERSON_SWITCHES } from './person-switches.ts';
import { nameOf } from './record-sets.ts';
import { pick, pickWith, useSamples } from './samples.ts';
import { isOwn, targetKind, useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);
/** Of a real service only the first page of one search is known. */
const isSearchedFor = targetKind === 'service';
const found = async (endpoint: Endpoint, params: Fields = {}) => recordOf(await target.ask(endpoint, params));

describe('Check API key', () => {
  it('takes no parameters and gives the workspace', async () => {
    const { name, id, user_id } = await found(CHECK_KEY);
    expect([name, id, user_id].map((value) => typeof value)).toEqual(['string', 'string', 'string']);
  });

  it.skipIf(!isOwn)('gives one workspace for several keys of it (needs the keys of a stand-in)', async () => {
    const other = await target.ask(CHECK_KEY, {}, 'sandbox-key-2');
    expect(recordOf(other)).toEqual(await found(CHECK_KEY));
  });
});

describe('People lookup', () => {
  const identity = (person: Fields) => ({
    company_domain: person['organizations.primary_domain'],
    first_name: person['first_name'],
  });

  it('finds by company_domain and first_name', async () => {
    const [person] = samples.people;
    const { company_domain, first_name } = identity(person ?? {});
    expect(await found(PEOPLE_LOOKUP, { company_domain, first_name })).toMatchObject({
      first_name,
      'organizations.primary_domain': company_domain,
    });
  });

  it('gives the best match over all that is given', async () => {
    const person = pickWith(samples.people, 'title', 'city');
    expect((await found(PEOPLE_LOOKUP, nameOf(person)))['id']).toBe(person['id']);
  });
});

it('People profile finds by network_url', async () => {
  const person = pickWith(samples.people, 'network_url');
  expect((await found(PEOPLE_PROFILE, { network_url: person['network_url'] }))['id']).toBe(person['id']);
});

const CONTACT_SWITCHES = [PEOPLE_LOOKUP, PEOPLE_PROFILE].flatMap((endpoint) =>
  PERSON_SWITCHES.map((each) => ({ endpoint, operation: endpoint.operation, ...each })),
);

it.each(CONTACT_SWITCHES)(
  '$operation has $field, and nothing else more, with $option, and neither with exclude nor untold',
  async ({ endpoint, option, field }) => {
    const person = pickWith(samples.people, 'email', 'mobile_number', 'network_url', 'title', 'city');
    const naming =
      endpoint === PEOPLE_PROFILE ? { network_url: textOf(person, 'network_url') } : nameOf(person);
    const plain = await found(endpoint, naming);
    expect(plain).not.toHaveProperty(field);
    expect(await found(endpoint, { ...naming, [option]: 'exclude' })).toEqual(plain);
    const whole = await found(endpoint, { ...naming, [option]: 'include' });
    expect(whole).toEqual({ ...plain, [field]: person[field] });
  },
);

describe('Company profile', () => {
  it('finds by domain', async () => {
    const [company] = samples.companies;
    expect((await found(COMPANY_PROFILE, { domain: company?.domain }))['id']).toBe(company?.id);
  });

  it('finds by network_url', async () => {
    const [company] = samples.companies;
    const { network_url } = company?.profile ?? {};
    expect((await found(COMPANY_PROFILE, { network_url }))['id']).toBe(company?.id);
  });

  it.skipIf(isSearchedFor)('finds by each of its domains (needs many records)', async () => {
    const { profile, domains } = pick(samples.companies, 'company of two domains', (company) => {
      const all = company.profile['domains'];
      return Array.isArray(all) && all.length > 1 ? { ...company, domains: all } : undefined;
    });
    for (const domain of domains) {
      expect((await found(COMPANY_PROFILE, { domain }))['id']).toBe(profile['id']);
    }
  });
});

it.each([
  { option: 'include_funding', field: 'funding' },
  { option: 'include_technology', field: 'technology' },
  { option: 'include_contacts', field: 'contacts' },
])(
  'Company profile has $field, and nothing else more, with $option, and neither with exclude nor untold',
  async ({ option, field }) => {
    const { domain } = pick(samples.companies, 'company with all groups', (company) =>
      ['funding', 'technology', 'contacts'].every((key) => key in company.profile) ? company : undefined,
    );
    const ask = (params: Fields) => found(COMPANY_PROFILE, { domain, ...params });
    const { [field]: added, ...rest } = await ask({ [option]: 'include' });
    expect(added).toBeDefined();
    const plain = await ask({});
    expect(rest).toEqual(plain);
    expect(plain).not.toHaveProperty(field);
    expect(await ask({ ...PROFILE_OPTIONS, [option]: 'exclude' })).not.toHaveProperty(field);
  },
);

it('Reverse email lookup finds by email', async () => {
  const person = pickWith(samples.people, 'email');
  expect((await found(REVERSE_EMAIL, { email: person['email'] }))['id']).toBe(person['id']);
});

type Digits = readonly [area: string, exchange: string, line: string];

const PHONE_FORMS: readonly (readonly [name: string, write: (...digits: Digits) => string])[] = [
  ['international, bare', (area, exchange, line) => `+1${area}${exchange}${line}`],
  ['international with spaces', (area, exchange, line) => `+1 ${area} ${exchange} ${line}`],
  ['international without a plus', (area, exchange, line) => `1${area}${exchange}${line}`],
  ['national with brackets', (area, exchange, line) => `(${area}) ${exchange}-${line}`],
];

it.each(PHONE_FORMS)('Reverse phone lookup finds by a number written %s', async (_, write) => {
  const { person, digits } = pick(samples.people, 'North American number', (one) => {
    const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(String(one['mobile_number'])) ?? [];
    const isWhole = area !== undefined && exchange !== undefined && line !== undefined;
    return isWhole ? { person: one, digits: [area, exchange, line] as const } : undefined;
  });
  expect((await found(REVERSE_PHONE, { phone: write(...digits) }))['id']).toBe(person['id']);
});
