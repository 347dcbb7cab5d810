import { describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '#shared/vendor';
import { clientOver, created, success } from './fake-service.ts';

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
