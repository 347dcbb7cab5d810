import { describe, expect, it } from 'vitest';
import {
  AUTH,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  createCaller,
  EMPLOYEE_SEARCH,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './caller.ts';

const LIMIT = 'Invalid limit value. Must be between 1 and 100';
const COMPANY_PAGE = 'Invalid company page URL format; must be a company page URL';
const NAMES = 'Missing required parameters: company_domain and first_name are required';

describe('parameters', () => {
  const { get, post, bill } = createCaller();

  const gets: [string, Record<string, string>, string][] = [
    [EMPLOYEE_SEARCH, { company_domain: 'a.com', limit: '0' }, LIMIT],
    [EMPLOYEE_SEARCH, { company_domain: 'a.com', limit: '101' }, LIMIT],
    [EMPLOYEE_SEARCH, { company_domain: 'a.com', limit: '1.5' }, LIMIT],
    [EMPLOYEE_SEARCH, {}, 'Either company_domain or company_linkedin_url is required'],
    [PEOPLE_LOOKUP, { first_name: 'Ann' }, NAMES],
    [PEOPLE_LOOKUP, { company_domain: 'a.com', first_name: ' ' }, NAMES],
    [PEOPLE_LOOKUP, { company_domain: 'not a domain', first_name: 'Ann' }, 'Invalid company domain format'],
    [PEOPLE_PROFILE, {}, 'Missing required parameter: network_url'],
    [PEOPLE_PROFILE, { network_url: 'https://elsewhere.com/in/ann' }, 'Invalid profile URL format'],
    [PEOPLE_PROFILE, { network_url: 'linkedin.com/company/acme' }, 'Invalid profile URL format'],
    [REVERSE_EMAIL, {}, 'Missing required parameter: email'],
    [REVERSE_EMAIL, { email: 'ann@' }, 'Invalid email address format'],
    [REVERSE_PHONE, {}, 'Missing required parameter: phone'],
    [REVERSE_PHONE, { phone: 'call me' }, 'Invalid phone number format'],
    [COMPANY_PROFILE, {}, 'Either domain or linkedin_url parameter is required'],
    [COMPANY_PROFILE, { network_url: 'https://www.linkedin.com/in/ann' }, COMPANY_PAGE],
  ];
  it.each(gets)('refuses %s with %j', async (path, query, text) => {
    const { status, body } = await get(path, query);
    expect([status, body]).toEqual([400, { statusCode: 400, message: 'Bad Request', error: text }]);
  });

  const posts: [string, unknown, string][] = [
    [PEOPLE_SEARCH, { per_page: 101, person_titles: ['CEO'] }, LIMIT],
    [PEOPLE_SEARCH, { page: 2, include_email: 'include' }, 'At least one search criterion is required'],
    [PEOPLE_SEARCH, { person_titles: [], colour: 'red' }, 'At least one search criterion is required'],
    [COMPANY_SEARCH, { extra: 'include' }, 'At least one search filter is required'],
    [
      COMPANY_SEARCH,
      { organization_industry: 'Retail' },
      'organization_industry must be an array of strings',
    ],
    [
      COMPANY_SEARCH,
      { organization_industry: ['Retail'], extra: 'yes' },
      'Invalid extra value. Must be include or exclude',
    ],
  ];
  it.each(posts)('refuses %s with %j', async (path, sent, text) => {
    const { status, body } = await post(path, sent);
    expect([status, body]).toEqual([400, { statusCode: 400, message: 'Bad Request', error: text }]);
  });

  it('charges nothing for any of them', async () => {
    expect(await bill()).toMatchObject({ creditsCharged: 0, byStatus: { 400: gets.length + posts.length } });
  });
});

describe('records that do not exist', () => {
  const { get } = createCaller();
  it.each([
    [
      EMPLOYEE_SEARCH,
      { company_domain: 'nobody-at-all.com' },
      'Company not found or has insufficient employee data',
    ],
    [
      PEOPLE_LOOKUP,
      { company_domain: 'nobody-at-all.com', first_name: 'A' },
      'No profile found matching the provided criteria',
    ],
    [
      PEOPLE_PROFILE,
      { network_url: 'linkedin.com/in/nobody' },
      'Profile not found for the provided profile URL',
    ],
    [COMPANY_PROFILE, { domain: 'nobody-at-all.com' }, 'No company found matching the provided criteria'],
    [REVERSE_EMAIL, { email: 'a@nobody-at-all.com' }, 'No profile found for the provided email address'],
    [REVERSE_PHONE, { phone: '+12125559999' }, 'No profile found for the provided phone number'],
  ] as [string, Record<string, string>, string][])('%s says so', async (path, query, text) => {
    const { status, body } = await get(path, query);
    expect([status, body]).toEqual([404, { statusCode: 404, message: 'Not Found', error: text }]);
  });
});

describe('order of the checks', () => {
  const bad = { headers: { 'x-api-key': 'sandbox-key-old' } };

  it('tells an absent key from one that is not valid', async () => {
    const { sandbox, send } = createCaller();
    const absent = await sandbox.handle(new Request(`http://data-service.test${AUTH}`));
    expect(await absent.json()).toEqual({
      statusCode: 401,
      message: 'Unauthorized',
      error: 'API key is required',
    });
    const { status, body } = await send(AUTH, bad);
    expect([status, body.error]).toEqual([401, 'Invalid or missing API key']);
    expect(await send(AUTH, { headers: { 'x-api-key': 'sandbox-key-2' } })).toMatchObject({ status: 200 });
  });

  it('is key, rate, parameters, credits, record', async () => {
    const { send, get, settings, clock } = createCaller({
      settings: { rateLimitPerMinute: 1, creditBalance: 0 },
    });
    expect((await get(PEOPLE_PROFILE)).status).toBe(400);
    expect((await send(PEOPLE_PROFILE, bad)).status).toBe(401);
    const late = await get(PEOPLE_PROFILE);
    expect(late.body).toEqual({
      statusCode: 429,
      message: 'Rate Limit Exceeded',
      error: 'Too many requests within the limit',
    });
    clock.advance(60_000);
    const poor = await get(PEOPLE_PROFILE, { network_url: 'linkedin.com/in/nobody' });
    expect(poor.body).toEqual({
      statusCode: 402,
      message: 'Insufficient credits',
      error: 'Not sufficient credit available for request',
    });
    clock.advance(60_000);
    await settings({ creditBalance: 1 });
    expect((await get(PEOPLE_PROFILE, { network_url: 'linkedin.com/in/nobody' })).status).toBe(404);
  });

  it('answers an unknown path without taking it for a missing record', async () => {
    const { get } = createCaller();
    expect((await get('/api/v1/nowhere')).body).toMatchObject({ statusCode: 404, error: 'Not Found' });
    expect((await get(PEOPLE_SEARCH)).status).toBe(404);
  });
});
