import { describe, expect, it } from 'vitest';
import { ENRICHMENT_PROPERTIES, ENRICHMENT_STATUSES } from '#shared/field-policy/enrichment-properties.ts';
import { countryCode, countryName, countrySpellings } from '#shared/field-policy/mapping/countries.ts';
import { industryOption } from '#shared/field-policy/mapping/industry-options.ts';
import { createNormalise } from '#shared/field-policy/normal-form.ts';
import { areVariants } from '#shared/identity/nicknames.ts';
import { addressKey, domainLabel, profileKey, registrableDomain } from '#shared/identity/web-address.ts';
import { definitionOf, definitionsOf } from '../definitions.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const CODES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(
  (code) => countryName(code) !== undefined,
);

describe('countries', () => {
  it('are the 249 of the standard', () => expect(CODES).toHaveLength(249));

  it('are found again under each of their spellings, and under no other country', () => {
    for (const code of CODES) {
      for (const spelling of countrySpellings(code))
        expect([spelling, countryCode(spelling)]).toEqual([spelling, code]);
    }
  });
});

describe('industries', () => {
  it('are found without regard to case, ampersand and punctuation', () => {
    for (const name of [
      'Book & Periodical Publishing',
      'book and periodical publishing',
      'BOOK AND PERIODICAL, PUBLISHING',
    ]) {
      expect(industryOption(name)).toBe('PUBLISHING');
    }
    expect(industryOption('constructor')).toBeUndefined();
    expect(industryOption('')).toBeUndefined();
  });
});

describe('nicknames', () => {
  it('join names of one line only', () => {
    expect(areVariants('bob', 'robert')).toBe(true);
    expect(areVariants('harry', 'henry')).toBe(true);
    expect(areVariants('harold', 'henry')).toBe(false);
    expect(areVariants('bob', 'bob the unknown')).toBe(false);
  });
});

describe('web addresses', () => {
  it('have an owner and a label', () => {
    expect(registrableDomain('https://a.shop.example.co.uk/x')).toBe('example.co.uk');
    expect(domainLabel('example.co.uk')).toBe('example');
    expect(registrableDomain('localhost')).toBeUndefined();
  });

  it('have keys for comparison', () => {
    expect(addressKey('HTTPS://www.Example.com/A/')).toBe('example.com/a');
    expect(profileKey('https://de.network.example/in/mira/?x=1#y')).toBe('network.example/in/mira');
    expect(profileKey('network.co.uk/in/mira')).toBe('network.co.uk/in/mira');
  });
});

describe('normal forms', () => {
  const definitions = definitionsOf(
    definitionOf('number', { type: 'number' }),
    definitionOf('moment', { type: 'datetime' }),
    definitionOf('choice', { type: 'enumeration', fieldType: 'select' }),
    definitionOf('flag', { type: 'bool' }),
    definitionOf('phone', { fieldType: 'phonenumber' }),
  );
  const normalise = createNormalise(definitions);

  it.each([
    ['number', ' 007.50 ', '7.5'],
    ['number', 'Seven', 'seven'],
    ['moment', '2021-03-04T00:00:00Z', '1614816000000'],
    ['moment', '1614816000000', '1614816000000'],
    ['choice', ' Mixed Case ', 'Mixed Case'],
    ['flag', 'TRUE', 'true'],
    ['phone', '(415) 555-0132', '4155550132'],
    ['phone', 'on request', 'on request'],
    ['undefined_property', '+1 415-555-0132', '+14155550132'],
    ['undefined_property', 'A/B Testing', 'a/b testing'],
  ])('of %s: %s is %s', (property, value, form) => expect(normalise(property, value)).toBe(form));
});

describe('our own properties', () => {
  it('are these six', () => {
    expect(ENRICHMENT_PROPERTIES.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'enrichment_status enumeration',
      'enrichment_last_at datetime',
      'enrichment_reason string',
      'enrichment_credits number',
      'enrichment_source string',
      'enrichment_requested bool',
    ]);
  });

  it('have an option for each status', () => {
    expect(ENRICHMENT_PROPERTIES[0]?.options?.map(({ value }) => value)).toEqual([...ENRICHMENT_STATUSES]);
  });
});
