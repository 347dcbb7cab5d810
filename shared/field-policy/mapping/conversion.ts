import type { PropertyDefinition } from '#shared/crm';
import {
  countryCode,
  countryName,
  countrySpellings,
  hasStateCodes,
  stateCode,
  toDomain,
  toE164,
  toUrl,
} from '#shared/identity';
import { rowText, sentenceRow, type TextParamsOf, unreachable } from '#shared/kernel';
import type { Conversion } from '../field-rule.ts';
import { epochOf, holdsSeveral, toCalendarDate } from '../normal-form.ts';
import { matchOption, nearestOption } from './options.ts';

/** Longest string that HubSpot stores in a property (properties guide). */
const STRING_MAX_LENGTH = 65_536;

export interface ConversionInput {
  /** The value in the answer, of any JSON type. */
  readonly value: unknown;
  readonly convert: Conversion;
  readonly definition: PropertyDefinition;
  /** ISO code of the record's country, for states and for phones in national form. */
  readonly country?: string | undefined;
}

/**
 * Result of a conversion. `value`: a value that fits the property and is not empty. `left` has a reason for each member
 * of a list that does not fit. `unknown`: the vendor has no value. `unfit`: why the vendor's value cannot be written.
 */
type Converted =
  | { readonly kind: 'value'; readonly value: string; readonly left: readonly Misfit[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unfit'; readonly why: Misfit };

/** A misfit whose text has no parameters. */
type PlainMisfit = Exclude<MisfitCode, 'unusable' | 'no-option' | 'unwritten-type' | 'other-currency'>;

/** Converts a value of an answer to the text of the account's property. */
export function convertValue(input: ConversionInput): Converted {
  const texts = textsOf(input.value).filter((text) => text.trim() !== '');
  if (texts.length === 0) return isKnown(input.value) ? unfit('no-plain-value') : { kind: 'unknown' };
  const [text] = texts;
  if (input.convert === 'list') return fitList(texts, input.definition);
  if (text === undefined || texts.length > 1) return unfit('unwanted-list');
  const result = convertText(text, input);
  return typeof result === 'string' ? fitType(result, input) : result;
}

function convertText(text: string, { convert, country }: ConversionInput): string | Converted {
  switch (convert) {
    case 'text':
    case 'option':
    case 'list':
      return text;
    case 'number':
      return plainNumber(text) ?? unfit('not-a-number');
    case 'year':
      return /^[12]\d{3}$/.test(text) ? text : unfit('not-a-year');
    case 'phone':
      return toE164(text, country) ?? unfit('not-a-phone');
    case 'email':
      return /^[^\s@;,:<>"]+@[^\s@;,]+\.[^\s@;,.]+$/.test(text) ? text.toLowerCase() : unfit('not-an-email');
    case 'domain':
      return toDomain(text) ?? unfit('not-a-domain');
    case 'url':
      return toUrl(text) ?? unfit('not-an-address');
    case 'date':
      return toCalendarDate(text) ?? unfit('not-a-date');
    case 'is-public':
      return isPublic(text);
    case 'country-code':
      return countryCode(text) ?? unfit('unknown-country');
    case 'state-code':
      if (!hasStateCodes(country)) return { kind: 'unknown' };
      return stateCode(text, country) ?? unfit('unknown-state');
    case 'country-name':
      return countryName(countryCode(text) ?? '') ?? unfit('unknown-country');
    default:
      return unreachable(convert);
  }
}

/** Checks the converted text against the property's type in the account. */
function fitType(text: string, { definition, convert }: ConversionInput): Converted {
  switch (definition.type) {
    case 'string':
      return text.length <= STRING_MAX_LENGTH ? fits(text) : unfit('too-long');
    case 'number':
      return plainNumber(text) === undefined ? unfit('not-a-number') : fits(text);
    case 'phone_number':
      return toE164(text) === undefined ? unfit('not-a-phone') : fits(text);
    case 'date': {
      const date = toCalendarDate(text);
      return date === undefined ? unfit('not-a-date') : fits(date);
    }
    case 'datetime': {
      const ms = epochOf(text);
      return ms === undefined ? unfit('not-a-date') : fits(new Date(ms).toISOString());
    }
    case 'bool':
      return fitBoolean(text);
    case 'enumeration':
      return fitOption(text, { definition, convert });
    default:
      return unfit(misfit('unwritten-type', { type: definition.type }));
  }
}

const COUNTRIES: ReadonlySet<string> = new Set(['country-code', 'country-name']);

function fitOption(
  text: string,
  { definition, convert }: Pick<ConversionInput, 'definition' | 'convert'>,
): Converted {
  const country = COUNTRIES.has(convert) ? countryCode(text) : undefined;
  const spellings = country === undefined ? [text] : [text, ...countrySpellings(country)];
  for (const spelling of spellings) {
    const option = matchOption(spelling, definition.options);
    if (option !== undefined) return fits(option);
  }
  const sameCountry =
    country && definition.options.find(({ label, hidden }) => !hidden && countryCode(label) === country);
  return sameCountry ? fits(sameCountry.value) : unfit(noOption(text, definition));
}

function fitList(texts: readonly string[], definition: PropertyDefinition): Converted {
  const members = texts.flatMap((text) => text.split(';')).flatMap((member) => member.trim() || []);
  if (definition.type === 'string')
    return fitType(members.join('; '), { value: '', convert: 'text', definition });
  if (!holdsSeveral(definition)) return unfit('list-for-one-value');
  const options = members.map((member) => matchOption(member, definition.options));
  const found = options.filter((option) => option !== undefined);
  const unmatched = members.filter((_, index) => options[index] === undefined);
  const left = unmatched.map((member) => noOption(member, definition));
  if (found.length === 0) return unfit(left[0] ?? 'empty-list');
  return { kind: 'value', value: [...new Set(found)].join(';'), left };
}

function fitBoolean(text: string): Converted {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'yes') return fits('true');
  if (word === 'false' || word === 'no') return fits('false');
  return unfit('not-yes-or-no');
}

/**
 * Returns the texts of a value. A number or a boolean is spelled plainly, a list yields its members, an object yields
 * nothing.
 */
function textsOf(value: unknown): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [String(value)] : [];
  if (typeof value === 'string' || typeof value === 'boolean') return [String(value)];
  return Array.isArray(value)
    ? value.flatMap((member) => (Array.isArray(member) ? [] : textsOf(member)))
    : [];
}

function isKnown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((member) => typeof member === 'object' && member !== null);
  return (typeof value === 'object' && value !== null) || typeof value === 'number';
}

/** Reads a company's type, such as `Public Company` or `Privately Held`. */
function isPublic(text: string): string | Converted {
  if (/\bpublic(?:ly)?\b/i.test(text)) return 'true';
  return /\b(?:privat|self|partner|propriet|non-?profit)/i.test(text)
    ? 'false'
    : unfit('not-public-or-private');
}

function plainNumber(text: string): string | undefined {
  return /^-?\d{1,21}(\.\d+)?$/.test(text) ? text : undefined;
}

function noOption(text: string, { options }: PropertyDefinition): Misfit {
  return misfit('no-option', { text, nearest: nearestOption(text, options) });
}

function fits(value: string): Converted {
  return { kind: 'value', value, left: [] };
}

function unfit(why: Misfit | PlainMisfit): Converted {
  return { kind: 'unfit', why: typeof why === 'string' ? misfit(why, {} as never) : why };
}

/** Why a value of an answer is not written, by code. */
export const MISFITS = {
  unusable: sentenceRow<{ why: string }>(
    { why: 'masked' },
    ({ why }) => `the vendor's value is not usable (${why})`,
  ),
  'role-mailbox': 'the address of an office or a machine, not of a person',
  'other-person': "the address has another person's name",
  'other-employer': 'the address belongs to another employer than the answer names',
  'no-plain-value': 'the answer holds no plain value',
  'unwanted-list': 'the answer holds a list where one value is wanted',
  'list-for-one-value': 'a list, and the property holds one value',
  'empty-list': 'an empty list',
  'not-a-number': 'a range or a text, not a number',
  'not-a-year': 'not a year',
  'not-a-phone': 'not a phone number that can be completed',
  'not-an-email': 'not an email address',
  'not-a-domain': 'not an internet domain',
  'not-an-address': 'not a web address',
  'not-a-date': 'not a date',
  'not-yes-or-no': 'neither yes nor no',
  'not-public-or-private': 'neither public nor private',
  'unknown-country': 'not a known country',
  'unknown-state': 'not a known state of its country',
  'too-long': 'longer than HubSpot stores',
  'no-option': sentenceRow<{ text: string; nearest: string | undefined }>(
    { text: 'Widgets', nearest: 'WIDGETRY' },
    ({ text, nearest }) =>
      `HubSpot has no option for "${text}"${nearest === undefined ? '' : `; the nearest is "${nearest}"`}`,
  ),
  'unwritten-type': sentenceRow({ type: 'json' }, ({ type }) => `HubSpot type ${type} is not written`),
  'no-property': 'HubSpot has no such property',
  'read-only-property': 'the property is read-only',
  'unknown-currency': 'the currency of the account is not known',
  'other-currency': sentenceRow<{ found: string | undefined; currency: string }>(
    { found: 'USD', currency: 'EUR' },
    ({ found, currency }) => `an amount in ${found ?? 'no currency'}, and the account counts in ${currency}`,
  ),
} as const;

export type MisfitCode = keyof typeof MISFITS;

/** A value that does not fit, with the reason for a person. */
export interface Misfit {
  readonly code: MisfitCode;
  readonly reason: string;
}

export function misfit<Code extends MisfitCode>(
  code: Code,
  params: TextParamsOf<(typeof MISFITS)[Code]>,
): Misfit {
  return { code, reason: rowText(MISFITS[code], params) };
}

/** Words for a code alone. The words of some codes would need values of the answer. */
export function misfitWords(code: string): string {
  const row = Object.hasOwn(MISFITS, code) ? MISFITS[code as MisfitCode] : undefined;
  return typeof row === 'string' ? row : "the answer's value does not fit";
}
