import { describe, expect, it } from 'vitest';
import {
  answered,
  clientOver,
  created,
  type DriftNotice,
  failureOf,
  NOON_MS,
  success,
} from './fake-service.ts';

const PHONE = { phone: '+1 202-555-0123' };
const DOMAIN = { company_domain: 'acme.example' };

const PERSON = {
  id: 'p1',
  name: 'Jane Roe',
  first_name: 'Jane',
  last_name: 'Roe',
  title: 'CTO',
  seniority: 'C-Team',
  network_url: 'https://network.example/in/jane-roe',
  job_start_date: '2020-01-02',
  city: 'Utrecht',
  state: 'Utrecht',
  country: 'Netherlands',
  country_code: 'NL',
  country_region: 'EMEA',
  email: 'jane@acme.example',
  mobile_number: '+12025550123',
  organization_id: 'o1',
  'organizations.name': 'Acme',
  'organizations.network_url': 'https://network.example/company/acme',
  'organizations.primary_domain': 'acme.example',
  'organizations.website_url': 'https://acme.example',
  'organizations.founded_year': 1999,
};

const COMPANY = {
  id: 'o1',
  name: 'Acme',
  about_us: 'Anvils',
  founded_year: 1999,
  employee_count_range: '11 to 50',
  employee_on_network_growth_rate: -1.5,
  'headquarters.city': 'Utrecht',
  'headquarters.country_name': 'Netherlands',
  has_cio: 'Unknown',
  has_web_app: true,
  valid_email_count: '12',
  'role_count.engineer': 4,
  'open_roles_count.sales': 0,
  'industry_details.naics_code': '1;2',
  'technologies.crm': 'HubSpot',
  'website_traffic.total_monthly': 1234,
  'iosstore.top_rating': 4.5,
  'iosstore.last_update': '2029-01-01',
  'androidstore.download_count': '1,000+',
  monthly_google_adspend: 0,
};

describe('a record', () => {
  it.each([
    PERSON,
    { id: 'p1' },
    {},
    { ...PERSON, shoe_size: 38, 'organizations.ticker': null, nested: { a: [1] } },
  ])('of a person comes as it was sent: %j', async (record) => {
    const { client } = clientOver(() => success(record));
    const answer = await client.call('reversePhone', PHONE);
    expect(answer).toMatchObject({ records: [record], results: 1, rate: undefined, drift: [] });
  });

  it('of a company search comes as it was sent, groups included', async () => {
    const { client } = clientOver(() => created([COMPANY, { ...COMPANY, 'unknown.key': [] }]));
    const { records, drift, results } = await client.call('searchCompanies', { person_titles: ['CTO'] });
    expect({ records, drift, results }).toEqual({
      records: [COMPANY, { ...COMPANY, 'unknown.key': [] }],
      drift: [],
      results: 2,
    });
  });
});

describe('a record of unexpected type', () => {
  it('is no reason to count fewer results than are paid for', async () => {
    const { client } = clientOver(() => created([PERSON, 'Jane Roe', null, []]));
    const answer = await client.call('searchPeople', { person_titles: ['CTO'] });
    expect(answer).toMatchObject({ records: [PERSON], results: 4, drift: ['[]'] });
  });

  it('is reported once for each operation', async () => {
    const notices: DriftNotice[] = [];
    const { client } = clientOver((request) => (request.method === 'POST' ? created([7]) : success([7])), {
      onDrift: (notice) => notices.push(notice),
    });
    await client.call('searchPeople', { person_titles: ['CTO'] });
    await client.call('searchPeople', { person_titles: ['CEO'] });
    await client.call('searchCompanies', { person_titles: ['CTO'] });
    expect(notices).toEqual([
      { operation: 'searchPeople', field: '[]' },
      { operation: 'searchCompanies', field: '[]' },
    ]);
  });
});

describe('the envelope', () => {
  it.each<[object, string[]]>([
    [{ data: {}, statusCode: 200, message: 'Success' }, []],
    [{ data: {}, statusCode: 201, message: 'Success' }, ['envelope.statusCode']],
    [{ data: {}, message: 'Success' }, ['envelope.statusCode']],
    [{ data: {}, statusCode: '200', message: 'Success' }, ['envelope.statusCode']],
    [{ data: {}, statusCode: 200, message: ['Success'] }, ['envelope.message']],
    [{ data: {}, statusCode: 200 }, ['envelope.message']],
  ])('%j drifts in %j and still answers', async (body, drift) => {
    const { client } = clientOver(() => answered(200, body));
    expect((await client.call('reversePhone', PHONE)).drift).toEqual(drift);
  });

  it('drifts where an employee search lacks its company and its pagination', async () => {
    const { client } = clientOver(() => success([], { pagination: { has_more: 'no', total: 3 } }));
    const answer = await client.call('searchEmployees', DOMAIN);
    expect(answer.drift).toEqual(['company_info', 'pagination.has_more']);
    expect(answer.pagination).toBeUndefined();
    expect(answer.companyInfo).toBeUndefined();
  });

  it.each<[string, string]>([
    ['', 'not JSON'],
    ['<html></html>', 'not JSON'],
    ['{"data":{"id":"p1"', 'not JSON'],
    ['[]', 'not a JSON object'],
    ['null', 'not a JSON object'],
    ['{"statusCode":200,"message":"Success"}', 'lacks data'],
    ['{"statusCode":200,"message":"Success","data":null}', 'lacks data'],
    ['{"statusCode":404,"message":"Not Found","error":"No profile"}', 'lacks data'],
    ['{"statusCode":200,"message":"Success","data":[]}', 'does not fit the operation'],
    ['{"statusCode":200,"message":"Success","data":"x"}', 'does not fit the operation'],
  ])('%j is an error that says so', async (body, words) => {
    const { client } = clientOver(() => answered(200, body));
    const failure = await failureOf(client.call('reversePhone', PHONE));
    expect(failure).toMatchObject({
      code: 'DATA_SERVICE_MALFORMED_ANSWER',
      status: 200,
      creditsMayBeSpent: true,
      retryable: false,
    });
    expect(failure.message).toContain(words);
  });

  it('of a search must hold a list', async () => {
    const { client } = clientOver(() => created({ id: 'p1' }));
    const failure = await failureOf(client.call('searchPeople', { person_titles: ['CTO'] }));
    expect(failure.code).toBe('DATA_SERVICE_MALFORMED_ANSWER');
  });
});

const headers = {
  'x-ratelimit-limit': '20',
  'x-ratelimit-remaining': '7',
  'x-ratelimit-reset': String(NOON_MS / 1_000 + 30),
};
const rate = { limit: 20, remaining: 7, resetAtMs: NOON_MS + 30_000 };

it.each([
  [headers, rate],
  [
    { ...headers, date: 'Tue, 01 Jan 2030 12:00:01 GMT' },
    { ...rate, serverDateMs: NOON_MS + 1_000 },
  ],
  [{ ...headers, 'x-ratelimit-reset': String(NOON_MS + 30_000) }, rate],
  [
    { ...headers, 'x-ratelimit-reset': `${NOON_MS / 1_000 + 30}.5` },
    { ...rate, resetAtMs: NOON_MS + 30_500 },
  ],
  [{ ...headers, 'x-ratelimit-remaining': 'few' }, undefined],
  [{ ...headers, 'x-ratelimit-limit': '-1' }, undefined],
  [{ 'x-ratelimit-limit': '20' }, undefined],
])('the rate headers %j are returned with the answer and carried on errors', async (given, expected) => {
  const { client } = clientOver((request) =>
    request.url.endsWith('auth')
      ? answered(200, { data: {}, statusCode: 200, message: 'Success' }, given)
      : answered(402, {}, given),
  );
  expect((await client.call('checkKey', {})).rate).toEqual(expected);
  expect((await failureOf(client.call('reversePhone', PHONE))).rate).toEqual(expected);
});
