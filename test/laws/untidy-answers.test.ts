import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_FIELDS } from '#inside/field-policy/default-fields.ts';
import { OBJECT_TYPE_ROWS, type ObjectType, type PropertyDefinition } from '#shared/crm';
import { type FieldRule, mapAnswer } from '#shared/field-policy';
import { canonicalOf, generatedAnswers } from '../tools/mapping/generated-answers.ts';

const SEED = 54;
const NOW_MS = Date.UTC(2026, 10, 21);
const CLEAN = generatedAnswers('everything');
/** A field without a row in the tables of cleaning. */
const OTHER = { shoe_size: 'XL' };
const OTHER_FIELD: FieldRule = { property: 'shoe', from: 'raw.shoe_size', convert: 'text', write: 'ours' };

/** What the world writes in place of values. */
const DIRT = {
  texts: [
    'n/a',
    'unknown',
    'TEST',
    'xxx',
    'null',
    'None',
    'TBD',
    '-',
    '.',
    '?',
    '*****',
    'S***h',
    '\u200b',
    '',
  ],
  emails: [
    'm***h@maskco.com',
    'email_not_unlocked@domain.com',
    'info@rolemail.com',
    'n/a',
    'noemail@acme.com',
  ],
  hosts: ['facebook.com', 'wixsite.com', 'gmail.com', 'acme.myshopify.com', 'linktr.ee', 'n/a', 'a***e.com'],
  urls: ['https://gmail.com', 'http://facebook.com/', 'https://linkedin.com/in/null', 'n/a', 'http://'],
  days: ['0000-00-00', '1900-01-01', '1970-01-01', '9999-12-31', '2099-01-01', 'n/a'],
  phones: ['+10000000000', '0000000', '+1 202 *** ****', 'n/a'],
  numbers: [0, -1, -250, 9999, 99_999_999, 2_147_483_647],
  ranges: ['0', '-1', '0-0', '9999', 'unknown'],
} as const;

const KINDS: Readonly<Record<string, keyof typeof DIRT>> = {
  email: 'emails',
  'organizations.primary_domain': 'hosts',
  primary_domain: 'hosts',
  'organizations.website_url': 'urls',
  website_url: 'urls',
  network_url: 'urls',
  logo_url: 'urls',
  job_start_date: 'days',
  mobile_number: 'phones',
  phone: 'phones',
  employee_count: 'numbers',
  founded_year: 'numbers',
  company_size: 'ranges',
};

/** Replaces the values of some fields, also inside objects, by dirt of their kind. */
function untidy(record: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(record).map(([field, value]) =>
    untidyValue(field, value).map((dirty): [string, unknown] => [field, dirty]),
  );
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries));
}

function untidyValue(field: string, value: unknown): fc.Arbitrary<unknown> {
  const kind = KINDS[field] ?? (typeof value === 'number' ? 'numbers' : 'texts');
  if (Array.isArray(value) || field === 'id' || field === 'currency') return fc.constant(value);
  if (typeof value === 'object' && value !== null) return untidy({ ...value });
  return fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, fc.constantFrom<unknown>(...DIRT[kind]));
}

function written(objectType: ObjectType, record: Readonly<Record<string, unknown>>) {
  const answer = canonicalOf(record, OBJECT_TYPE_ROWS[objectType].about, NOW_MS);
  const defaults = DEFAULT_FIELDS[objectType];
  const rules = [...defaults, OTHER_FIELD];
  const { proposed } = mapAnswer({
    rules,
    answer,
    definitions: definitionsFor(rules),
    currency: 'USD',
  });
  return Object.fromEntries(proposed.map(({ property, value }) => [property, value]));
}

function definitionsFor(rules: readonly FieldRule[]): Map<string, PropertyDefinition> {
  return new Map(
    rules.map(({ property: name }) => {
      return [name, { name, type: 'string', fieldType: 'text', options: [], readOnly: false }];
    }),
  );
}

const SHARED =
  /^(?:https?:\/\/)?(?:www\.)?(?:facebook\.com|wixsite\.com|gmail\.com|linktr\.ee|[a-z]+\.myshopify\.com)\/?$/;
const NO_VALUE = /[*•]{2,}|^(?:n\/a|unknown|test|x{3}|null|none|tbd|\W*)$/i;

function expectClean(values: Readonly<Record<string, string>>): void {
  for (const [property, value] of Object.entries(values)) {
    expect([property, value]).not.toEqual([property, expect.stringMatching(NO_VALUE)]);
    expect([property, value]).not.toEqual([property, expect.stringMatching(/^-\d/)]);
    expect([property, value]).not.toEqual([property, expect.stringMatching(/^(?:info|noemail|email_not)/)]);
    if (['domain', 'website'].includes(property)) expect(value).not.toMatch(SHARED);
  }
  const { numberofemployees, founded_year, start_date, annualrevenue } = values;
  for (const number of [numberofemployees, annualrevenue]) {
    if (number !== undefined) expect(Number(number)).toBeGreaterThan(0);
  }
  if (founded_year !== undefined) expect(Number(founded_year)).toBeLessThanOrEqual(2026);
  if (start_date !== undefined) expect(start_date >= '1971' && start_date < '2028').toBe(true);
  if (annualrevenue === undefined) expect(values['hs_annual_revenue_currency_code']).toBeUndefined();
}

describe.each(['contacts', 'companies'] as const)('an answer about %s', (objectType) => {
  const clean = CLEAN[objectType].map((answer) => ({ ...answer, ...OTHER }));

  it('never writes what is no value, however untidy it is', () => {
    const answers = fc.constantFrom(...clean).chain(untidy);
    fc.assert(
      fc.property(answers, (answer) => expectClean(written(objectType, answer))),
      { seed: SEED, numRuns: 200 },
    );
  });

  it('that is clean loses nothing beside an untidy field', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...clean),
        fc.constantFrom('title', 'description', 'seniority'),
        (answer, field) => {
          const before = written(objectType, answer);
          const after = written(objectType, { ...answer, [field]: 'n/a' });
          const lost = Object.keys(before).filter((property) => after[property] !== before[property]);
          expect(lost.length).toBeLessThanOrEqual(1);
          for (const property of Object.keys(after)) expect(after[property]).toBe(before[property]);
        },
      ),
      { seed: SEED, numRuns: 100 },
    );
  });
});
