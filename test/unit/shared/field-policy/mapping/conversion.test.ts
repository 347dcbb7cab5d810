import { describe, expect, it } from 'vitest';
import type { Conversion } from '#inside/field-policy/field-rule.ts';
import {
  type ConversionInput,
  convertValue,
  MISFITS,
  type MisfitCode,
} from '#inside/field-policy/mapping.ts';
import type { PropertyDefinition } from '#shared/crm';
import { catalogueFaults } from '../../../../harness/catalogue.ts';
import { COLOURS, definitionOf, INDUSTRY, optionsOf } from '../definitions.ts';

const TEXT = definitionOf('text');
const NUMBER = definitionOf('number', { type: 'number', fieldType: 'number' });

function convert(value: unknown, how: Conversion, definition: PropertyDefinition = TEXT, country?: string) {
  const input: ConversionInput = { value, convert: how, definition, country };
  return convertValue(input);
}

function value(text: string, left: MisfitCode[] = []) {
  return { kind: 'value', value: text, left: left.map((code) => expect.objectContaining({ code })) };
}

const unfit = (code: MisfitCode) => ({ kind: 'unfit', why: { code } });

it('every value that does not fit has a reason', () => {
  expect(catalogueFaults(MISFITS)).toEqual([]);
});

it.each([undefined, null, [], {}.constructor.prototype.nothing])(
  '%j, which the vendor does not know, proposes nothing',
  (nothing) => {
    expect(convert(nothing, 'text')).toEqual({ kind: 'unknown' });
  },
);

describe('texts', () => {
  it('are kept; numbers and booleans are spelt out', () => {
    expect(convert('Head of Sales', 'text')).toEqual(value('Head of Sales'));
    expect(convert(42, 'text')).toEqual(value('42'));
    expect(convert(false, 'text')).toEqual(value('false'));
  });

  it('are dropped when HubSpot would not store them whole', () => {
    expect(convert('x'.repeat(65_536), 'text').kind).toBe('value');
    expect(convert('x'.repeat(65_537), 'text')).toMatchObject(unfit('too-long'));
  });

  it('are not made of objects or of lists', () => {
    expect(convert({ a: 1 }, 'text').kind).toBe('unfit');
    expect(convert(['a', 'b'], 'text').kind).toBe('unfit');
    expect(convert(['a'], 'text')).toEqual(value('a'));
  });
});

describe('numbers', () => {
  it.each([
    [51, '51'],
    ['51', '51'],
    [-2.5, '-2.5'],
    [0, '0'],
    [1_200_000_000, '1200000000'],
  ])('%j is written as %s', (given, text) => expect(convert(given, 'number', NUMBER)).toEqual(value(text)));

  it.each(['51-200', '51 to 200', '1,200', '$10M', '10+', 1e300, Number.NaN])(
    '%j is not a number',
    (given) => {
      expect(convert(given, 'number', NUMBER).kind).toBe('unfit');
      expect(convert(given, 'text', NUMBER).kind).toBe('unfit');
    },
  );

  it('a year has four digits', () => {
    expect(convert(1998, 'year')).toEqual(value('1998'));
    expect(convert('1998', 'year', NUMBER)).toEqual(value('1998'));
    for (const no of [98, 19_980, 'in 1998', 0, 1998.5]) expect(convert(no, 'year').kind).toBe('unfit');
  });
});

describe('phones', () => {
  it.each([
    ['+1 (415) 555-0132', undefined, '+14155550132'],
    ['(415) 555-0132', 'US', '+14155550132'],
    ['030 123456', 'DE', '+4930123456'],
    ['+44 20 7946 0018 ext. 7', undefined, '+442079460018 ext 7'],
  ])('%s in %s is %s', (given, country, text) => {
    expect(convert(given, 'phone', TEXT, country)).toEqual(value(text));
    const phone = definitionOf('phone', { type: 'phone_number', fieldType: 'phonenumber' });
    expect(convert(given, 'phone', phone, country)).toEqual(value(text));
  });

  it.each([
    ['(415) 555-0132', undefined],
    ['(415) 555-0132', 'XX'],
    ['12', 'US'],
    ['+1 415', undefined],
    ['call me', 'US'],
  ])('%s in %s is no number that can be completed', (given, country) => {
    expect(convert(given, 'phone', TEXT, country).kind).toBe('unfit');
  });
});

describe('addresses', () => {
  it.each([
    ['https://www.Example.com/about', 'example.com'],
    ['shop.example.com', 'shop.example.com'],
    ['info@example.com', 'example.com'],
  ])('the domain of %s is %s', (given, text) => expect(convert(given, 'domain')).toEqual(value(text)));

  it.each(['localhost', '10.0.0.1', 'co.uk', 'no domain'])('%s is no domain', (given) => {
    expect(convert(given, 'domain').kind).toBe('unfit');
  });

  it('a web address gets its scheme', () => {
    expect(convert('example.com/in/a', 'url')).toEqual(value('https://example.com/in/a'));
    expect(convert('http://example.com', 'url')).toEqual(value('http://example.com'));
    for (const no of [
      'javascript://example.com/x',
      'ftp://example.com',
      'not an address',
      'nowhere',
      'https://a@b.com',
    ]) {
      expect(convert(no, 'url').kind).toBe('unfit');
    }
  });

  it('an email is one address in lower case', () => {
    expect(convert('Anna.Weber@Example.com', 'email')).toEqual(value('anna.weber@example.com'));
    for (const no of ['anna', 'anna@example', 'a@b.com, c@d.com', 'a b@c.com', 'mailto:zoe@acme.com'])
      expect(convert(no, 'email').kind).toBe('unfit');
  });
});

describe('dates', () => {
  const date = definitionOf('since', { type: 'date', fieldType: 'date' });
  const moment = definitionOf('at', { type: 'datetime', fieldType: 'date' });

  it('take the form of the property', () => {
    expect(convert('2021-03-04', 'date', date)).toEqual(value('2021-03-04'));
    expect(convert('2021-03-04T23:30:00Z', 'date', date)).toEqual(value('2021-03-04'));
    expect(convert('2021-03-04', 'date', moment)).toEqual(value('2021-03-04T00:00:00.000Z'));
    expect(convert('2021-03-04', 'date')).toEqual(value('2021-03-04'));
  });

  it.each(['2021-02-30', '2021-13-01', '04.03.2021', 'March 2021', 2021, 20_210_304])(
    '%j is no date',
    (given) => {
      expect(convert(given, 'date', date).kind).toBe('unfit');
    },
  );
});

describe('countries', () => {
  it.each([
    ['US', 'United States', 'US'],
    ['usa', 'United States', 'US'],
    ['United States of America', 'United States', 'US'],
    ['U.K.', 'United Kingdom', 'GB'],
    ['Czech Republic', 'Czechia', 'CZ'],
    ['Cote d’Ivoire', 'Ivory Coast', 'CI'],
    ['Korea, Republic of', 'South Korea', 'KR'],
    ['Österreich', 'Austria', 'AT'],
    ['Brasil', 'Brazil', 'BR'],
  ])('%s is %s, %s', (given, name, code) => {
    expect(convert(given, 'country-name')).toEqual(value(name));
    expect(convert(given, 'country-code')).toEqual(value(code));
  });

  it('finds the option of a portal that writes countries as the standard lists them', () => {
    const listed = definitionOf('country', {
      type: 'enumeration',
      options: optionsOf({
        '1': 'Iran, Islamic Republic of',
        '2': 'Saint Vincent and the Grenadines',
        '3': 'England',
        '4': 'United Kingdom of Great Britain and Northern Ireland',
        '5': 'United Kingdom',
        '6': 'Congo',
        '7': 'Schweiz',
      }),
    });
    expect(convert('Iran', 'country-name', listed)).toEqual(value('1'));
    expect(convert('VC', 'country-code', listed)).toEqual(value('2'));
    expect(convert('CH', 'country-code', listed)).toEqual(value('7'));
    expect(convert('GB', 'country-name', listed)).toEqual(value('5'));
    expect(convert('CD', 'country-name', listed).kind).toBe('unfit');
  });

  it('are dropped where nobody knows them', () => {
    expect(convert('Atlantis', 'country-name').kind).toBe('unfit');
    expect(convert('EU', 'country-code').kind).toBe('unfit');
  });
});

describe('options', () => {
  it.each([
    ['COMPUTER_SOFTWARE', 'COMPUTER_SOFTWARE'],
    ['Computer Software', 'COMPUTER_SOFTWARE'],
    ['Hospital and Health Care', 'HOSPITAL_HEALTH_CARE'],
    ['Software Development', 'COMPUTER_SOFTWARE'],
    ['IT Services and IT Consulting', 'INFORMATION_TECHNOLOGY_AND_SERVICES'],
    ['Marketing & Advertising', 'MARKETING_AND_ADVERTISING'],
    ['Professional Training & Coaching', 'PROFESSIONAL_TRAINING_COACHING'],
  ])('%s is the industry %s', (given, option) => {
    expect(convert(given, 'option', INDUSTRY)).toEqual(value(option));
  });

  it('are only those of the portal', () => {
    expect(convert('Widget Making', 'option', INDUSTRY)).toMatchObject(unfit('no-option'));
    // The table knows banking; this portal has no such option.
    expect(convert('Banks', 'option', INDUSTRY).kind).toBe('unfit');
    const hidden = { ...INDUSTRY, options: INDUSTRY.options.map((option) => ({ ...option, hidden: true })) };
    expect(convert('Computer Software', 'option', hidden).kind).toBe('unfit');
  });

  it('of a switch are true and false', () => {
    const flag = definitionOf('flag', { type: 'bool', fieldType: 'booleancheckbox' });
    expect(convert('Yes', 'option', flag)).toEqual(value('true'));
    expect(convert(false, 'option', flag)).toEqual(value('false'));
    expect(convert('maybe', 'option', flag).kind).toBe('unfit');
  });
});

describe('lists', () => {
  it('become the choices that exist, and tell of the others', () => {
    expect(convert(['Blue', 'Mauve', 'red', 'Blue'], 'list', COLOURS)).toEqual(
      value('blue;red', ['no-option']),
    );
    expect(convert('Red; Green', 'list', COLOURS)).toEqual(value('red;green'));
    expect(convert(['Mauve'], 'list', COLOURS).kind).toBe('unfit');
  });

  it('are joined in a text', () => {
    expect(convert(['Cranes', 'Hoists'], 'list')).toEqual(value('Cranes; Hoists'));
  });

  it('do not fit where one value is wanted', () => {
    expect(convert(['Computer Software'], 'list', INDUSTRY).kind).toBe('unfit');
  });
});
