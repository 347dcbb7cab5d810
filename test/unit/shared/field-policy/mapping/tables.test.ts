import countries from 'i18n-iso-countries';
import { describe, expect, it } from 'vitest';
import { industryOption, nearestOption } from '#inside/field-policy/mapping.ts';
import {
  createNormalise,
  ENRICHMENT_STATUSES,
  enrichmentProperties,
  KNOWN_INDUSTRIES,
  matchOption,
} from '#shared/field-policy';
import { countryCode, countryName, countrySpellings } from '#shared/identity';
import { industries } from '../../../../../infra/sandbox/data-service/world/tables.ts';
import { INDUSTRIES } from '../../../../../infra/sandbox/hubspot/properties.ts';
import { definitionOf, definitionsOf, optionsOf } from '../definitions.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const CODES = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter(
  (code) => countryName(code) !== undefined,
);

describe('countries', () => {
  it('are the 249 of the standard, and Kosovo', () => expect(CODES).toHaveLength(250));

  it('are found again under each of their spellings, and under no other country', () => {
    for (const code of CODES) {
      for (const spelling of countrySpellings(code))
        expect([spelling, countryCode(spelling)]).toEqual([spelling, code]);
    }
  });

  it.each([
    ['Iran, Islamic Republic of', 'IR'],
    ["Korea, Democratic People's Republic of", 'KP'],
    ['Congo, The Democratic Republic of the', 'CD'],
    ['Saint Vincent and the Grenadines', 'VC'],
    ['Republic', undefined],
    ['', undefined],
  ])('may be written as lists do: %s is %s', (name, code) => expect(countryCode(name)).toBe(code));

  it('are found under each English name that another list has for them', () => {
    const names = Object.keys(countries.getNames('en')).flatMap((code) =>
      (countries.getName(code, 'en', { select: 'all' }) ?? []).map((name) => ({ code, name })),
    );
    expect(names.length).toBeGreaterThan(250);
    const missed = names.filter(({ code, name }) => countryCode(name) !== code);
    // "Congo" alone is the standard's name of the other Congo.
    expect(missed).toEqual([{ code: 'CD', name: 'Congo' }]);
  });
});

it('industries lead to options that a new account has, and cover what the stand-in of the data service knows, but one', () => {
  const options = INDUSTRIES.map((value) => ({ value, label: value.toLowerCase().replaceAll('_', ' ') }));
  const led = KNOWN_INDUSTRIES.map((name) => industryOption(name) ?? name);
  expect(led.filter((option) => !INDUSTRIES.includes(option))).toEqual([]);
  const unmatched = industries.filter(({ name }) => matchOption(name, options) === undefined);
  // Of everything that is made, HubSpot has none for it all.
  expect(unmatched.map(({ name }) => name)).toEqual(['Manufacturing']);
});

describe('technologies', () => {
  const options = ['cloud_flare', 'amazon_web_services', 'google_apps', 'wordpress'].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));

  it.each([
    ['Cloudflare', 'cloud_flare'],
    ['AWS', 'amazon_web_services'],
    ['Google Workspace', 'google_apps'],
    ['WordPress', 'wordpress'],
    ['Drupal', undefined],
    ['', undefined],
  ])('of several names are one option: %s is %s', (name, option) => {
    expect(matchOption(name, options)).toBe(option);
  });
});

describe('the nearest option', () => {
  const options = optionsOf({ RAIL: 'Railroad Manufacture', FOOD: 'Food Services', OLD: 'Widget Making' });

  it.each([
    ['Railroad Manufacturers', 'Railroad Manufacture'],
    ['Food & Beverage Services', 'Food Services'],
    ['Legal Advice', undefined],
    ['', undefined],
  ])('by words of %s is %s', (text, label) => expect(nearestOption(text, options)).toBe(label));

  it('is none that is hidden', () => {
    const hidden = options.map((option) => ({ ...option, hidden: true }));
    expect(nearestOption('Widget Making', hidden)).toBeUndefined();
  });
});

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
])('normal forms of %s: %s is %s', (property, value, form) => expect(normalise(property, value)).toBe(form));

describe('our own properties', () => {
  it('are these, and on contacts seven more', () => {
    const named = (objectType: 'contacts' | 'companies') =>
      enrichmentProperties(objectType).map(({ name, type }) => `${name} ${type}`);
    const status = [
      'enrichment_status enumeration',
      'enrichment_last_at datetime',
      'enrichment_reason string',
      'enrichment_credits number',
      'enrichment_source string',
      'enrichment_requested bool',
      'enrichment_next_check_at date',
    ];
    expect(named('companies')).toEqual(status);
    expect(named('contacts')).toEqual([
      ...status,
      'enrichment_first_at datetime',
      'enrichment_notice_due date',
      'enrichment_notice_sent_at date',
      'enrichment_job_changed_at datetime',
      'enrichment_previous_company string',
      'enrichment_previous_title string',
      'enrichment_email_outdated bool',
    ]);
  });

  it('have an option for each status', () => {
    expect(enrichmentProperties('contacts')[0]?.options?.map(({ value }) => value)).toEqual([
      ...ENRICHMENT_STATUSES,
    ]);
  });
});
