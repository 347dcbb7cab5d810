import { describe, expect, it } from 'vitest';
import { canonicalRecord, type UnusableField } from '#inside/vendor/data-service/canonical-records.ts';
import { LOOKUPS } from '#shared/questions';
import { FIELD_OF_OPTION, type Lookup } from '#shared/vendor';
import { canonicalAnswers, generatedAnswers } from '../../../tools/mapping/generated-answers.ts';
import { NOON_MS } from './fake-service.ts';

type Row = readonly [field: string, given: unknown, expected: unknown];

function fieldOf(record: object, field: string, unusable: readonly UnusableField[]) {
  const values: Readonly<Record<string, unknown>> = { ...record };
  return { value: values[NAMES[field] ?? field] ?? rawOf(values)[field], unusable };
}

function rawOf({ raw }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...(raw as object | undefined) };
}

function read(record: object, about: Lookup['about'], askedDomain = 'acme.example') {
  const unusable: UnusableField[] = [];
  const onUnusable = (field: UnusableField) => unusable.push(field);
  const context = { nowMs: NOON_MS, askedDomain };
  return { record: canonicalRecord(record, about, { context, onUnusable }), unusable };
}

function personField(field: string, given: unknown) {
  const { record, unusable } = read({ [field]: given }, 'person');
  return fieldOf(record, field, unusable);
}

function companyField(field: string, given: unknown, domain?: string) {
  const { record, unusable } = read({ [field]: given }, 'company', domain);
  return fieldOf(record, field, unusable);
}

/** The canonical name of each field that has another one. */
const NAMES: Readonly<Record<string, string>> = {
  first_name: 'firstName',
  last_name: 'lastName',
  country_code: 'countryCode',
  job_start_date: 'jobStartDate',
  mobile_number: 'mobilePhone',
  network_url: 'profileUrl',
  organization_id: 'employerId',
  'organizations.name': 'employerName',
  'organizations.primary_domain': 'employerDomain',
  'organizations.website_url': 'employerWebsite',
  'organizations.founded_year': 'employerFoundedYear',
  primary_domain: 'domain',
  website_url: 'website',
  employee_count: 'employeeCount',
  company_size: 'employeeRange',
  founded_year: 'foundedYear',
  annual_revenue: 'revenue',
};

it.each<Row>([
  ['email', 'Jane@Acme.example', 'jane@acme.example'],
  ['email', 'm***h@maskco.com', '!masked'],
  ['first_name', '🚀 JANE', 'JANE'],
  ['last_name', 'S***h', '!masked'],
  ['name', 'LinkedIn Member', '!placeholder'],
  ['title', 'Job Title', '!placeholder'],
  ['city', '*****', '!masked'],
  ['state', 'xxx', '!placeholder'],
  ['country_code', 'XK', 'XK'],
  ['country_code', 'n/a', '!placeholder'],
  ['job_start_date', '2024-03-01T00:00:00+02:00', '2024-03-01'],
  ['job_start_date', '2030-06-01', '2030-06-01'],
  ['job_start_date', '2044-01-01', '!sentinel'],
  ['mobile_number', '+10000000000', '!sentinel'],
  ['network_url', 'https://network.example/in/null', '!placeholder'],
  ['organization_id', '0', '!sentinel'],
  ['organizations.name', 'Smith &amp; Sons', 'Smith & Sons'],
  ['organizations.name', 'Company Name', '!placeholder'],
  ['organizations.primary_domain', 'gmail.com', '!shared-host'],
  ['organizations.website_url', 'https://gmail.com', '!shared-host'],
  ['organizations.founded_year', 2087, '!sentinel'],
  ['title', '', undefined],
  ['title', 7, '!malformed'],
  ['title', ['CTO'], '!malformed'],
  ['title', null, undefined],
  ['organizations.founded_year', '1999', '!malformed'],
  ['shoe_size', 'n/a', '!placeholder'],
  ['shoe_size', '<b>XL</b>', 'XL'],
  ['shoe_size', 'False', 'False'],
  ['shoe_size', 0, 0],
])('a field of a person %s %j: %j', (field, given, expected) => {
  const { value, unusable } = personField(field, given);
  expect(unusable.length === 0 ? value : `!${unusable[0]?.why}`).toEqual(expected);
  if (unusable.length > 0) expect(value).toBeUndefined();
});

describe('a field of a company', () => {
  it.each<Row>([
    ['name', 'Company Name', '!placeholder'],
    ['primary_domain', 'https://www.Acme.example/', 'acme.example'],
    ['website_url', 'https://gmail.com', '!shared-host'],
    ['website_url', 'https://facebook.com/acme', 'https://facebook.com/acme'],
    ['description', '<p>We make&nbsp;pumps.</p>', 'We make pumps.'],
    ['employee_count', 0, '!sentinel'],
    ['company_size', '0', '!sentinel'],
    ['company_size', '11-50', '11-50'],
    ['founded_year', 2031, '!sentinel'],
    ['founded_year', 1899, 1899],
    ['phone', '+10000000000', '!sentinel'],
    ['annual_revenue', { amount: 0, currency: 'USD', year: 2029 }, '!sentinel'],
    ['annual_revenue', { currency: 'USD' }, undefined],
    [
      'annual_revenue',
      { amount: 5_000, currency: 'eur', year: 2029 },
      { amount: 5_000, currency: 'EUR', year: 2029 },
    ],
  ])('%s %j: %j', (field, given, expected) => {
    const { value, unusable } = companyField(field, given);
    expect(unusable.length === 0 ? value : `!${unusable[0]?.why}`).toEqual(expected);
    if (unusable.length > 0) expect(value).toBeUndefined();
  });

  it.each<Row>([
    ['domains', ['acme.example', 'facebook.com', 'acme.test'], ['acme.example', 'acme.test']],
    ['headquarters', { city: '*****', country: 'Kosovo' }, { country: 'Kosovo' }],
    ['annual_revenue', { amount: 5_000, currency: 'XXX', year: 2099 }, { amount: 5_000 }],
    ['technology', { tools: ['HubSpot', 'n/a'] }, { tools: ['HubSpot'] }],
    ['domains', ['acme.example', 4, 'acme.test', null], ['acme.example', 'acme.test']],
    ['headquarters', { city: 5, state: 'Utrecht' }, { state: 'Utrecht' }],
    ['technology', 'CRM', undefined],
    ['shoe_size', { left: [38, 'n/a'], right: null, sole: { of: ' ' } }, { left: [38] }],
    [
      'locations',
      [{ city: 'Ghent', is_headquarters: 'yes' }, 'Utrecht', { city: 'Utrecht' }],
      [{ city: 'Ghent' }, { city: 'Utrecht' }],
    ],
    ['contacts', [{ name: 'LinkedIn Member', title: 'CTO', email: 'x@' }], [{ title: 'CTO' }]],
    ['funding', { total_funding: 0, investors: ['Roe &amp; Co'] }, { investors: ['Roe & Co'] }],
  ])('is cleaned in its parts: %s', (field, given, expected) => {
    expect(companyField(field, given).value).toEqual(expected);
  });

  it('keeps a shared host that the question asked for', () => {
    expect(companyField('primary_domain', 'facebook.com', 'facebook.com').value).toBe('facebook.com');
    expect(companyField('website_url', 'https://facebook.com', 'facebook.com').value).toBe(
      'https://facebook.com',
    );
    expect(companyField('primary_domain', 'gmail.com', 'facebook.com').value).toBeUndefined();
  });
});

it.each([
  ['contacts', 'personProfile'],
  ['companies', 'companyProfile'],
] as const)('of %s: %s yields the fields that its answers have without options', (type, name) => {
  const bought: ReadonlySet<string> = new Set(Object.values(FIELD_OF_OPTION));
  const fields = canonicalAnswers('everything')[type].flatMap(Object.keys);
  const found = [...new Set(fields)].filter((field) => !bought.has(field));
  expect([...LOOKUPS[name].yields].sort()).toEqual(found.sort());
});

const answers = generatedAnswers('everything');

it.each([
  ['person', answers.contacts, 'person'],
  ['company', answers.companies, 'company'],
] as const)('a clean answer about a %s comes whole', (_, all, about) => {
  for (const answer of all) {
    const { record, unusable } = read(answer, about);
    expect(unusable).toEqual([]);
    expect(valuesIn(record)).toEqual(valuesIn(answer));
  }
});

/** All texts and numbers of a record, whatever their names. */
function valuesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(valuesIn).sort();
}
