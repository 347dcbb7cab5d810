import { describe, expect, it } from 'vitest';
import { DEFAULT_FIELDS } from '#inside/field-policy/default-fields.ts';
import type { MappingInput } from '#inside/field-policy/mapping.ts';
import { type FieldRule, leftoversOf, mapAnswer } from '#shared/field-policy';
import type { Person } from '#shared/vendor';
import { COLOURS, definitionOf, definitionsOf, INDUSTRY } from '../definitions.ts';

function rule(property: string, from: FieldRule['from'], change: Partial<FieldRule> = {}): FieldRule {
  return { property, from, convert: 'text', write: 'fill-blank', ...change };
}

function valuesOf(input: MappingInput): Record<string, string> {
  return Object.fromEntries(mapAnswer(input).proposed.map(({ property, value }) => [property, value]));
}

describe('paths', () => {
  const definitions = definitionsOf(definitionOf('a'), definitionOf('b'), definitionOf('c'));

  it('read a slash as a step, and after "raw." a dotted key of the vendor as one key', () => {
    const answer = {
      headquarters: { city: 'Graz' },
      raw: { 'role_count.it': 'Flat', role_count: { it: 'Nested' } },
    };
    const rules = [
      rule('a', 'raw.role_count.it'),
      rule('b', 'headquarters/city'),
      rule('c', ['headquarters', 'city']),
    ];
    expect(valuesOf({ rules, answer, definitions })).toEqual({ a: 'Flat', b: 'Graz', c: 'Graz' });
  });

  it('find nothing that is not the own data of the answer', () => {
    const rules = [rule('a', 'constructor/name'), rule('b', 'name/length'), rule('c', '__proto__')];
    expect(mapAnswer({ rules, answer: { name: 'x' }, definitions })).toEqual({ proposed: [], dropped: [] });
  });
});

describe('properties', () => {
  const rules = [rule('jobtitle', 'title')];
  const answer: Person = { title: 'Buyer' };

  it.each([
    ['is missing', [], 'no-property'],
    ['is read-only', [definitionOf('jobtitle', { readOnly: true })], 'read-only-property'],
  ])('one that %s is dropped with its reason', (_, definitions, code) => {
    const mapping = mapAnswer({ rules, answer, definitions: definitionsOf(...definitions) });
    expect(mapping).toMatchObject({ proposed: [], dropped: [{ property: 'jobtitle', code }] });
  });

  it('of a rule that is optional are passed over in silence, and of one that a person has named are told', () => {
    const closed = definitionsOf(definitionOf('jobtitle', { readOnly: true }));
    const silent = rules.map((one) => ({ ...one, optional: true }));
    for (const definitions of [definitionsOf(), closed]) {
      expect(mapAnswer({ rules: silent, answer, definitions })).toEqual({ proposed: [], dropped: [] });
      expect(mapAnswer({ rules: [...silent, ...rules], answer, definitions }).dropped).toHaveLength(1);
    }
    const all = { rules: DEFAULT_FIELDS.contacts, answer, definitions: definitionsOf() };
    expect(mapAnswer(all)).toEqual({ proposed: [], dropped: [] });
  });
});

describe('several rules of one property', () => {
  const definitions = definitionsOf(definitionOf('country'));
  const rules = [
    rule('country', 'countryCode', { convert: 'country-name' }),
    rule('country', 'country', { convert: 'country-name' }),
  ];

  it('give one reason when none fits', () => {
    const { proposed, dropped } = mapAnswer({
      rules,
      answer: { countryCode: '??', country: 'Nowhere' },
      definitions,
    });
    expect(proposed).toEqual([]);
    expect(dropped).toMatchObject([{ property: 'country', code: 'unknown-country' }]);
  });
});

describe('a company', () => {
  const NUMBER = { type: 'number', fieldType: 'number' };
  const definitions = definitionsOf(
    ...['name', 'domain', 'founded_year', 'city', 'country', 'phone', 'linkedin_company_page'].map((name) =>
      definitionOf(name),
    ),
    definitionOf('numberofemployees', NUMBER),
    definitionOf('annualrevenue', NUMBER),
    INDUSTRY,
  );
  const answer = {
    name: 'Nordwind Kranbau',
    domain: 'nordwind-kranbau.example',
    pageUrl: 'network.example/company/nordwind',
    industry: 'Software Development',
    foundedYear: 1998,
    employeeRange: '51-200',
    phone: '0316 123456',
    headquarters: { city: 'Graz', country: 'Austria' },
    revenue: { amount: 12_500_000, currency: 'USD', year: 2025 },
  };

  it('is mapped to the types of the portal', () => {
    const currency = 'USD';
    expect(valuesOf({ rules: DEFAULT_FIELDS.companies, answer, definitions, currency })).toEqual({
      name: 'Nordwind Kranbau',
      domain: 'nordwind-kranbau.example',
      industry: 'COMPUTER_SOFTWARE',
      annualrevenue: '12500000',
      founded_year: '1998',
      phone: '+43316123456',
      linkedin_company_page: 'https://network.example/company/nordwind',
      city: 'Graz',
      country: 'Austria',
    });
  });

  it('keeps an amount in another currency out', () => {
    for (const [currency, code] of [
      ['JPY', 'other-currency'],
      [undefined, 'unknown-currency'],
    ] as const) {
      const wish = { rules: DEFAULT_FIELDS.companies, answer, definitions, currency };
      const { proposed, dropped } = mapAnswer(wish);
      expect(proposed.map(({ property }) => property)).not.toContain('annualrevenue');
      expect(dropped).toContainEqual(expect.objectContaining({ property: 'annualrevenue', code }));
    }
  });
});

describe('the code of a state', () => {
  const definitions = definitionsOf(definitionOf('hs_state_code'));
  const rules = [rule('hs_state_code', 'state', { convert: 'state-code' })];

  it.each([
    [{ state: 'New York', countryCode: 'US' }, 'NY'],
    [{ state: 'wa', country: 'USA' }, 'WA'],
    [{ state: 'Western Australia', countryCode: 'AU' }, 'WA'],
    [{ state: 'Québec', countryCode: 'CA' }, 'QC'],
  ])('of %j is %s', (answer, code) => {
    expect(valuesOf({ rules, answer, definitions })).toEqual({ hs_state_code: code });
  });

  it('is not looked for where states have none, and told where a state is unknown', () => {
    for (const answer of [{ state: 'Bavaria', countryCode: 'DE' }, { state: 'Bavaria' }])
      expect(mapAnswer({ rules, answer, definitions })).toEqual({ proposed: [], dropped: [] });
    const { dropped } = mapAnswer({ rules, answer: { state: 'Bavaria', countryCode: 'US' }, definitions });
    expect(dropped).toMatchObject([{ property: 'hs_state_code', code: 'unknown-state' }]);
  });
});

it('what no rule takes is named by its path; what a condition reads or a rule refuses is taken', () => {
  const answer = {
    name: 'Nordwind',
    type: null,
    funding: { total: 5, investors: ['A', 'B'] },
    revenue: { amount: 1, currency: 'USD', year: 2025 },
    headquarters: { city: 'Graz', country: 'Austria' },
  };
  const rules = [
    rule('a', 'name'),
    rule('b', 'revenue/amount', { currency: { from: 'revenue/currency' } }),
    rule('c', ['headquarters'], { write: 'never' }),
    rule('d', 'funding/total'),
  ];
  expect(leftoversOf(answer, rules)).toEqual(['funding/investors', 'revenue/year']);
});

it('choices are to be added, and those that the portal lacks are told', () => {
  const rules = [rule('colours', 'tints', { convert: 'list' })];
  const mapping = mapAnswer({
    rules,
    answer: { tints: ['Red', 'Mauve'] },
    definitions: definitionsOf(COLOURS),
  });
  expect(mapping.proposed).toMatchObject([{ value: 'red', appends: true }]);
  expect(mapping.dropped).toMatchObject([{ property: 'colours', code: 'no-option' }]);
});
