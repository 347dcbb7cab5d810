import { describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName, pagesOf, type SearchOperation } from '#shared/vendor';
import { clientOver, created, failureOf, success } from './fake-service.ts';

const PERSON_URL = 'https://network.example/in/jane-roe';

/** Operation, parameters, and the request that they must become. */
const GETS: readonly (readonly [OperationName, params: object, path: string])[] = [
  ['checkKey', {}, '/api/v1/public/auth'],
  [
    'searchEmployees',
    { company_domain: 'acme.example', title: 'Head of R&D', limit: 5, offset: 0 },
    '/api/v1/company/employee-search?company_domain=acme.example&title=Head%20of%20R%26D&limit=5&offset=0',
  ],
  [
    'lookUpPerson',
    { company_domain: 'acme.example', first_name: ' Jörg ', include_email: 'include' },
    '/api/v1/people/lookup?company_domain=acme.example&first_name=J%C3%B6rg&include_email=include',
  ],
  [
    'personProfile',
    { network_url: PERSON_URL, include_phone: 'exclude' },
    '/api/v1/people/profile?network_url=https%3A%2F%2Fnetwork.example%2Fin%2Fjane-roe&include_phone=exclude',
  ],
  [
    'companyProfile',
    { domain: 'acme.example', include_funding: 'include' },
    '/api/v1/company/profile?domain=acme.example&include_funding=include',
  ],
  [
    'reverseEmail',
    { email: 'jane+x@acme.example' },
    '/api/v1/people/lookup/email?email=jane%2Bx%40acme.example',
  ],
  ['reversePhone', { phone: '+1 202-555-0123' }, '/api/v1/people/lookup/phone?phone=%2B1%20202-555-0123'],
];

it.each(GETS)('a GET operation %s carries its parameters in the query', async (operation, params, path) => {
  const { client, requests } = clientOver((request) => success(request.url.includes('search') ? [] : {}));
  await client.call(operation, params as never);
  const url = `https://data.example${path}`;
  const headers = { accept: 'application/json', 'x-api-key': 'key-1' };
  expect(requests).toEqual([expect.objectContaining({ method: 'GET', url, timeoutMs: 30_000, headers })]);
  expect(requests[0]?.body).toBeUndefined();
});

describe('a POST operation', () => {
  it('searchPeople carries its parameters in the body', async () => {
    const { client, requests } = clientOver(() => created([]));
    const params = {
      person_titles: ['CTO'],
      organization_has_web_app: false,
      organization_appstore_rating: { min: 3, max: 5 },
      organization_roles_count: [{ department: 'sales', range: { min: 1, max: 9 } }],
      page: 2,
      per_page: 50,
      include_email: 'include',
    } as const;
    await client.call('searchPeople', params);
    expect(requests[0]).toMatchObject({ method: 'POST', url: 'https://data.example/api/v1/people/search' });
    expect(requests[0]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-key': 'key-1',
    });
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(params);
  });

  it('searchCompanies carries its parameters in the body', async () => {
    const { client, requests } = clientOver(() => created([]));
    const params = {
      q_organization_domains: ['acme.example'],
      technology: 'include',
      extra: 'exclude',
    } as const;
    await client.call('searchCompanies', params);
    expect(requests[0]?.url).toBe('https://data.example/api/v1/company/search');
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(params);
  });
});

describe('the request path', () => {
  it('uses a fresh connection for everything that costs, and the pool for what is free', async () => {
    const { client, requests } = clientOver(() => success({}));
    await client.call('checkKey', {});
    await client.call('reversePhone', { phone: '+1 202-555-0123' });
    expect(requests.map((request) => request.freshConnection)).toEqual([false, true]);
  });

  it('passes on the time of a single call', async () => {
    const { client, requests } = clientOver(() => success({}));
    await client.call('personProfile', { network_url: PERSON_URL }, { timeoutMs: 77 });
    expect(requests[0]).toMatchObject({ timeoutMs: 77 });
  });

  it('knows nine operations', () => {
    expect(Object.keys(OPERATIONS)).toHaveLength(9);
  });

  it('is not built with an address or a key that cannot be used', () => {
    expect(() => clientOver(() => success({}), { baseUrl: 'data.example' })).toThrow('base address');
    expect(() => clientOver(() => success({}), { apiKey: '' })).toThrow('API key');
    expect(() => clientOver(() => success({}), { apiKey: 'a\nb' })).toThrow('API key');
  });
});

const CRITERION = 'At least one search criterion is required';
const LIMIT = 'Invalid limit value. Must be between 1 and 100';
const LOOKUP = 'Missing required parameters: company_domain and first_name are required';
const EMPLOYEES = 'Either company_domain or company_linkedin_url is required';
const PROFILE = 'Either domain or linkedin_url parameter is required';
const WRONG_KIND = 'Invalid company page URL format; must be a company page URL';

/** Calls without regard to types, as a form or a script might. */
async function refusalOf(operation: OperationName, params: object) {
  const { client, requests } = clientOver(() => created([]));
  const failure = await failureOf(client.call(operation, params as never));
  expect(requests).toHaveLength(0);
  expect(failure).toMatchObject({
    code: 'DATA_SERVICE_INVALID_PARAMETER',
    retryable: false,
    creditsMayBeSpent: false,
    operation,
  });
  return failure.message;
}

it.each<[OperationName, object, string]>([
  ['searchPeople', {}, CRITERION],
  ['searchPeople', { page: 1, per_page: 5, include_email: 'include' }, CRITERION],
  ['searchPeople', { person_titles: [] }, CRITERION],
  ['searchPeople', { person_titles: [' ', ''], person_location: null }, CRITERION],
  ['searchPeople', { organization_funding_amount: {} }, CRITERION],
  ['searchCompanies', { extra: 'include' }, 'At least one search filter is required'],
  ['searchPeople', { person_titles: ['CTO'], per_page: 0 }, LIMIT],
  ['searchPeople', { person_titles: ['CTO'], per_page: 101 }, LIMIT],
  ['searchCompanies', { person_titles: ['CTO'], per_page: 2.5 }, LIMIT],
  ['searchEmployees', { company_domain: 'acme.example', limit: 0 }, LIMIT],
  ['searchEmployees', { company_domain: 'acme.example', limit: 101 }, LIMIT],
  ['searchEmployees', { company_domain: 'acme.example', limit: '10' }, LIMIT],
  ['searchEmployees', { title: 'CTO' }, EMPLOYEES],
  ['searchEmployees', { company_domain: ' ' }, EMPLOYEES],
  ['searchEmployees', { company_domain: 'acme' }, 'Invalid company domain format'],
  ['searchEmployees', { company_network_url: 'https://network.example/in/jane-roe' }, WRONG_KIND],
  ['lookUpPerson', {}, LOOKUP],
  ['lookUpPerson', { company_domain: 'acme.example' }, LOOKUP],
  ['lookUpPerson', { first_name: 'Jane' }, LOOKUP],
  ['lookUpPerson', { first_name: '  ', company_domain: 'acme.example' }, LOOKUP],
  [
    'lookUpPerson',
    { first_name: 'Jane', company_domain: 'https://acme.example' },
    'Invalid company domain format',
  ],
  ['personProfile', {}, 'Missing required parameter: network_url'],
  ['personProfile', { network_url: 'jane roe' }, 'Invalid profile URL format'],
  ['personProfile', { network_url: 'https://network.example/company/acme' }, 'Invalid profile URL format'],
  ['companyProfile', {}, PROFILE],
  ['companyProfile', { include_funding: 'include' }, PROFILE],
  ['companyProfile', { domain: 'co.uk' }, 'Invalid domain format'],
  ['companyProfile', { network_url: 'https://network.example/in/jane-roe' }, WRONG_KIND],
  ['companyProfile', { network_url: 'acme' }, 'Invalid company page URL format'],
  ['reverseEmail', {}, 'Missing required parameter: email'],
  ['reverseEmail', { email: 'jane.roe' }, 'Invalid email address format'],
  ['reversePhone', { phone: '' }, 'Missing required parameter: phone'],
  ['reversePhone', { phone: '123' }, 'Invalid phone number format'],
])('before anything is sent, the vendor’s own words refuse %s %j: %s', async (operation, params, message) => {
  expect(await refusalOf(operation, params)).toBe(message);
});

describe('before anything is sent, our own words refuse', () => {
  it.each<[OperationName, object, string]>([
    ['searchPeople', { person_titels: ['CTO'] }, 'Unknown parameter: person_titels'],
    [
      'searchCompanies',
      { person_titles: ['CTO'], include_email: 'include' },
      'Unknown parameter: include_email',
    ],
    [
      'reverseEmail',
      { email: 'jane@acme.example', include_phone: 'include' },
      'Unknown parameter: include_phone',
    ],
    ['checkKey', { key: 'x' }, 'Unknown parameter: key'],
    ['searchPeople', { person_titles: 'CTO' }, 'Invalid person_titles value. Must be a list'],
    ['searchPeople', { person_titles: ['CTO', 7] }, 'Invalid person_titles value. Must be a string'],
    ['searchPeople', { q_organization_domains: ['acme'] }, 'Invalid domain format'],
    ['searchPeople', { person_titles: ['CTO'], page: 0 }, 'Invalid page value. Must be 1 or more'],
    [
      'searchEmployees',
      { company_domain: 'acme.example', offset: -1 },
      'Invalid offset value. Must be 0 or more',
    ],
    [
      'searchPeople',
      { organization_has_web_app: 'yes' },
      'Invalid organization_has_web_app value. Must be true or false',
    ],
    [
      'searchPeople',
      { person_titles: ['CTO'], include_email: true },
      'Invalid include_email value. Must be one of: include, exclude',
    ],
    [
      'searchEmployees',
      { company_domain: 'acme.example', seniority: 'Boss' },
      'Invalid seniority value. Must be one of: C-Suite, VP, Director, Manager, Senior, Staff, Intern',
    ],
    ['searchPeople', [], 'Parameters must be an object'],
  ])('%s %j: %s', async (operation, params, message) => {
    expect(await refusalOf(operation, params)).toBe(message);
  });

  it.each([
    { department: 'sales' },
    { range: { min: 1, max: 2 } },
    { department: 7, range: { min: 1, max: 2 } },
    { department: 'sales', range: { min: 2, max: 1 } },
    { department: 'sales', range: { min: 1, max: 2 }, more: 1 },
    'sales',
  ])('the department range %j', async (item) => {
    const message = await refusalOf('searchPeople', { organization_roles_count: [item] });
    expect(message).toMatch(/^Invalid organization_roles_count/);
  });
});

it('a filter that is empty is left out beside one that is not', async () => {
  const { client, requests } = clientOver(() => created([]));
  await client.call('searchPeople', {
    person_titles: ['CTO', ' ', ' CEO '],
    person_location: [],
    organization_roles_count: [],
  });
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ person_titles: ['CTO', 'CEO'] });
});

const FILTER = { person_titles: ['CTO'] };
const DOMAIN = { company_domain: 'acme.example' };

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

type Client = ReturnType<typeof clientOver>['client'];

function pages<Name extends SearchOperation>(
  client: Client,
  operation: Name,
  params: object,
  maxResults: number,
) {
  return pagesOf({ operation, maxResults, ask: (page) => client.call(operation, { ...params, ...page }) });
}

function numbered(from: number, to: number) {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: String(from + index) }));
}

/** A service that knows so many people, companies or employees, and turns pages as specified. */
function serviceWith(
  total: number,
  pagination: (page: { offset: number; limit: number }) => object | undefined,
) {
  const sizes: number[] = [];
  const made = clientOver((request) => {
    if (request.method === 'POST') {
      const { page, per_page } = JSON.parse(request.body ?? '');
      const found = numbered((page - 1) * per_page, Math.min(total, page * per_page));
      sizes.push(found.length);
      return created(found);
    }
    const query = new URL(request.url).searchParams;
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const found = numbered(offset, Math.min(total, offset + limit));
    sizes.push(found.length);
    return success(found, { company_info: {}, pagination: pagination({ offset, limit }) });
  });
  return { ...made, sizes };
}

function honest(total: number) {
  return serviceWith(total, ({ offset, limit }) => ({
    total,
    limit,
    offset,
    has_more: offset + limit < total,
  }));
}

describe('pages by number', () => {
  it.each<[number, number, number[]]>([
    [1_000, 1, [1]],
    [1_000, 20, [20]],
    [1_000, 100, [100]],
    [1_000, 101, [50, 50]],
    [1_000, 250, [83, 83, 83]],
    [1_000, 300, [100, 100, 100]],
    [120, 300, [100, 20]],
    [200, 300, [100, 100, 0]],
    [0, 300, [0]],
  ])('of %i results, at most %i: %j', async (total, maxResults, expected) => {
    const { client, sizes } = honest(total);
    const people = (await collect(pages(client, 'searchPeople', FILTER, maxResults))).flatMap(
      ({ records }) => records,
    );
    expect(sizes).toEqual(expected);
    expect(people.map((person) => person['id'])).toEqual(numbered(0, people.length).map(({ id }) => id));
  });

  it('never pay for more than allowed, whatever the maximum', async () => {
    for (let maxResults = 1; maxResults <= 420; maxResults += 1) {
      const { client, sizes } = honest(10_000);
      await collect(pages(client, 'searchCompanies', FILTER, maxResults));
      const paid = sizes.reduce((sum, size) => sum + size, 0);
      expect(paid).toBeLessThanOrEqual(maxResults);
      expect(paid).toBeGreaterThan(maxResults - sizes.length);
    }
  });

  it('end after a page with more results than asked for, which are paid for too', async () => {
    const { client, requests } = clientOver(() => created(numbered(0, 150)));
    await collect(pages(client, 'searchCompanies', FILTER, 200));
    expect(requests).toHaveLength(1);
  });
});

describe('pages by offset', () => {
  it.each<[number, number, number[]]>([
    [1_000, 1, [1]],
    [1_000, 250, [100, 100, 50]],
    [120, 300, [100, 20]],
    [200, 300, [100, 100]],
    [0, 300, [0]],
  ])('of %i results, at most %i: %j', async (total, maxResults, expected) => {
    const { client, sizes } = honest(total);
    const employees = (await collect(pages(client, 'searchEmployees', DOMAIN, maxResults))).flatMap(
      ({ records }) => records,
    );
    expect(sizes).toEqual(expected);
    expect(employees.at(-1)?.['id']).toBe(numbered(0, employees.length).at(-1)?.id);
  });

  it('end at an empty page whatever has_more says', async () => {
    const { client, sizes } = serviceWith(100, () => ({ has_more: true }));
    await collect(pages(client, 'searchEmployees', DOMAIN, 300));
    expect(sizes).toEqual([100, 0]);
  });
});

describe('paging', () => {
  it('asks for nothing beyond what is consumed', async () => {
    const { client, requests } = honest(1_000);
    for await (const page of pages(client, 'searchPeople', FILTER, 300)) if (page.records.length > 0) break;
    expect(requests).toHaveLength(1);
  });

  it('keeps the filters and options of the search on every page', async () => {
    const { client, requests } = honest(1_000);
    await collect(pages(client, 'searchPeople', { ...FILTER, include_email: 'include' }, 200));
    expect(requests.map((request) => JSON.parse(request.body ?? ''))).toEqual([
      { ...FILTER, include_email: 'include', page: 1, per_page: 100 },
      { ...FILTER, include_email: 'include', page: 2, per_page: 100 },
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d as a maximum',
    async (maxResults) => {
      const { client, requests } = honest(1_000);
      await expect(collect(pages(client, 'searchPeople', FILTER, maxResults))).rejects.toThrow('maxResults');
      await expect(collect(pages(client, 'searchEmployees', DOMAIN, maxResults))).rejects.toThrow(
        'maxResults',
      );
      expect(requests).toHaveLength(0);
    },
  );
});
