import { describe, expect, it } from 'vitest';
import type { OperationName } from '#shared/vendor';
import { clientOver, created, failureOf } from './fake-service.ts';

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
