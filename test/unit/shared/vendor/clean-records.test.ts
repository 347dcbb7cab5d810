import { describe, expect, it } from 'vitest';
import {
  canonicalFields,
  canonicalRecord,
  type UnusableField,
} from '#inside/vendor/data-service/canonical-records.ts';
import { LOOKUPS, lookupsOf } from '#shared/questions';
import { FIELD_OF_OPTION, type OperationName } from '#shared/vendor';
import { generatedAnswers } from '../../../tools/mapping/generated-answers.ts';
import { NOON_MS } from './fake-service.ts';

type Row = readonly [field: string, given: unknown, expected: unknown];

function fieldOf(record: object, field: string, unusable: readonly UnusableField[]) {
  const values: Readonly<Record<string, unknown>> = { ...record };
  return { value: values[NAMES[field] ?? field] ?? rawOf(values)[field], unusable };
}

function rawOf({ raw }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...(raw as object | undefined) };
}

function read(record: object, operation: OperationName, askedDomain = 'acme.example') {
  const unusable: UnusableField[] = [];
  const onUnusable = (field: UnusableField) => unusable.push(field);
  const context = { nowMs: NOON_MS, askedDomain };
  return { record: canonicalRecord(record, operation, { context, onUnusable }), unusable };
}

function personField(field: string, given: unknown) {
  const { record, unusable } = read({ [field]: given }, 'reversePhone');
  return fieldOf(record, field, unusable);
}

function companyField(field: string, given: unknown, domain?: string) {
  const { record, unusable } = read({ [field]: given }, 'companyProfile', domain);
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

describe('a field of a person', () => {
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
    ['shoe_size', 'n/a', 'n/a'],
  ])('%s %j: %j', (field, given, expected) => {
    const { value, unusable } = personField(field, given);
    expect(unusable.length === 0 ? value : `!${unusable[0]?.why}`).toEqual(expected);
    if (unusable.length > 0) expect(value).toBeUndefined();
  });
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
    ['annual_revenue', { amount: 5_000, currency: 'XXX', year: 2099 }, { amount: 5_000 }],
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
    ['technology', { tools: ['HubSpot', 'n/a'] }, { tools: ['HubSpot'] }],
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

it.each(lookupsOf('person').concat(lookupsOf('company')))('%s yields the fields that are read', (name) => {
  const { yields, options } = LOOKUPS[name];
  const isBought = (field: string) =>
    Object.entries(FIELD_OF_OPTION).some(([option, bought]) => bought === field && option in options);
  // A reverse lookup reads an address and a phone too, and never gets one.
  const isNeverGiven = (field: string) => !isBought(field) && ['email', 'mobilePhone'].includes(field);
  const read = canonicalFields(name).filter((field) => !isBought(field) && !isNeverGiven(field));
  expect([...yields].sort()).toEqual(read.sort());
});

describe('a clean answer', () => {
  const answers = generatedAnswers('everything');

  it.each([
    ['person', answers.contacts, 'personProfile'],
    ['company', answers.companies, 'companyProfile'],
  ] as const)('about a %s comes whole', (_, all, operation) => {
    for (const answer of all) {
      const { record, unusable } = read(answer, operation);
      expect(unusable).toEqual([]);
      expect(valuesIn(record)).toEqual(valuesIn(answer));
    }
  });
});

/** All texts and numbers of a record, whatever their names. */
function valuesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(valuesIn).sort();
}
