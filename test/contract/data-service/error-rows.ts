import type { Fields } from './answer.ts';
import {
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  EMPLOYEE_SEARCH,
  type Endpoint,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './endpoints.ts';

/** What exists, for the parts of a wrong request that are right. */
export interface Existing {
  readonly domain: string;
  readonly companyUrl: string;
  readonly profileUrl: string;
}

export interface ErrorRow {
  readonly when: string;
  readonly endpoint: Endpoint;
  readonly params: (existing: Existing) => Fields;
  readonly status: number;
  readonly message: string;
  /** A pattern where the specification leaves a word open. */
  readonly text: string | RegExp;
}

type Wrong = Fields | ((existing: Existing) => Fields);

const rowsOf =
  (status: number, message: string) =>
  (endpoint: Endpoint, text: string | RegExp, cases: Readonly<Record<string, Wrong>>): ErrorRow[] =>
    Object.entries(cases).map(([when, wrong]) => ({
      when: `${endpoint.operation}, ${when}`,
      endpoint,
      params: typeof wrong === 'function' ? wrong : () => wrong,
      status,
      message,
      text,
    }));

const bad = rowsOf(400, 'Bad Request');
const missing = rowsOf(404, 'Not Found');

const SIZE_TEXT = 'Invalid limit value. Must be between 1 and 100';
const sizes = (name: 'limit' | 'per_page', rest: (existing: Existing) => Fields) =>
  Object.fromEntries(
    [0, -1, 101, 1_000_000].map((size) => [
      `${name} ${size}`,
      (existing: Existing) => ({ ...rest(existing), [name]: size }),
    ]),
  );
const someone = () => ({ person_titles: ['Engineer'] });

const NO_DOMAINS = ['not a domain', 'nodots', 'two..dots.com', '@', 'name@mail.com'];
const NO_PROFILES = ['not a url', 'https://example.com/in/somebody', 'https://'];
const NO_EMAILS = ['nobody', 'nobody@', '@example.com', 'a@b@example.com', 'no body@example.com'];
const NO_PHONES = ['not a phone', '12', '+', '+1202555010012345678'];
const each = (name: string, values: readonly string[], rest: Fields = {}) =>
  Object.fromEntries(values.map((value) => [`${name} "${value}"`, { ...rest, [name]: value }]));

/** The specification's rows of status 400, in its order. */
export const BAD_REQUEST_ROWS: readonly ErrorRow[] = [
  ...bad(
    EMPLOYEE_SEARCH,
    SIZE_TEXT,
    sizes('limit', ({ domain }) => ({ company_domain: domain })),
  ),
  ...bad(PEOPLE_SEARCH, SIZE_TEXT, sizes('per_page', someone)),
  ...bad(COMPANY_SEARCH, SIZE_TEXT, sizes('per_page', someone)),
  ...bad(PEOPLE_SEARCH, 'At least one search criterion is required', {
    'nothing given': {},
    'paging and enrichment only': { page: 1, per_page: 10, include_email: 'include' },
    'an empty filter': { person_titles: [] },
  }),
  ...bad(COMPANY_SEARCH, 'At least one search filter is required', {
    'nothing given': {},
    'paging and options only': { page: 1, per_page: 10, funding: 'include' },
    'an empty filter': { organization_industry: [] },
  }),
  ...bad(EMPLOYEE_SEARCH, 'Either company_domain or company_linkedin_url is required', {
    'nothing given': {},
    'no company given': { title: 'Engineer', limit: 5 },
  }),
  ...bad(PEOPLE_LOOKUP, 'Missing required parameters: company_domain and first_name are required', {
    'nothing given': {},
    'no first_name': ({ domain }) => ({ company_domain: domain }),
    'no company_domain': { first_name: 'Ada' },
  }),
  ...bad(
    PEOPLE_LOOKUP,
    'Invalid company domain format',
    each('company_domain', NO_DOMAINS, { first_name: 'Ada' }),
  ),
  ...bad(PEOPLE_PROFILE, 'Missing required parameter: network_url', { 'no network_url': {} }),
  ...bad(REVERSE_EMAIL, 'Missing required parameter: email', { 'no email': {} }),
  ...bad(REVERSE_PHONE, 'Missing required parameter: phone', { 'no phone': {} }),
  ...bad(PEOPLE_PROFILE, /^Invalid (?:\w+ )*profile (?:\w+ )*format$/, {
    ...each('network_url', NO_PROFILES),
    'the URL of a company': ({ companyUrl }) => ({ network_url: companyUrl }),
  }),
  ...bad(REVERSE_EMAIL, /^Invalid email (?:\w+ )*format$/, each('email', NO_EMAILS)),
  ...bad(REVERSE_PHONE, /^Invalid phone (?:\w+ )*format$/, each('phone', NO_PHONES)),
  ...bad(COMPANY_PROFILE, 'Either domain or linkedin_url parameter is required', {
    'nothing given': {},
    'options only': { include_funding: 'include' },
  }),
  ...bad(COMPANY_PROFILE, 'Invalid company page URL format; must be a company page URL', {
    'the URL of a person': ({ profileUrl }) => ({ network_url: profileUrl }),
    'the URL of nothing': { network_url: 'https://example.com/company/somebody' },
  }),
];

const NO_COMPANY = 'no-such-company-4711.com';
const NO_NAME = 'Qzxvwqzxvw';
const noSuch = (url: string) => `${url}-no-such-4711`;

/** The specification's rows of status 404, in its order. */
export const NOT_FOUND_ROWS: readonly ErrorRow[] = [
  ...missing(EMPLOYEE_SEARCH, 'Company not found or has insufficient employee data', {
    'company_domain of nobody': { company_domain: NO_COMPANY },
    'company_network_url of nobody': ({ companyUrl }) => ({ company_network_url: noSuch(companyUrl) }),
  }),
  ...missing(PEOPLE_LOOKUP, 'No profile found matching the provided criteria', {
    'company unknown': { company_domain: NO_COMPANY, first_name: 'Ada' },
    'first name unknown': ({ domain }) => ({ company_domain: domain, first_name: NO_NAME }),
  }),
  ...missing(PEOPLE_PROFILE, 'Profile not found for the provided profile URL', {
    'profile of nobody': ({ profileUrl }) => ({ network_url: noSuch(profileUrl) }),
  }),
  ...missing(COMPANY_PROFILE, 'No company found matching the provided criteria', {
    'domain of nobody': { domain: NO_COMPANY },
    'page of nobody': ({ companyUrl }) => ({ network_url: noSuch(companyUrl) }),
  }),
  ...missing(REVERSE_EMAIL, 'No profile found for the provided email address', {
    'email of nobody': { email: `nobody@${NO_COMPANY}` },
  }),
  ...missing(REVERSE_PHONE, 'No profile found for the provided phone number', {
    'phone of nobody': { phone: '+19005550123' },
  }),
];
