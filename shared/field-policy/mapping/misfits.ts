import { sentenceRow } from '#shared/kernel';

/** Why a value of an answer is not written, by code. */
export const MISFITS = {
  unusable: sentenceRow<{ why: string }>(
    { why: 'masked' },
    ({ why }) => `the vendor's value is not usable (${why})`,
  ),
  'role-mailbox': sentenceRow({}, () => 'the address of an office or a machine, not of a person'),
  'other-person': sentenceRow({}, () => "the address has another person's name"),
  'other-employer': sentenceRow({}, () => 'the address belongs to another employer than the answer names'),
  'no-plain-value': sentenceRow({}, () => 'the answer holds no plain value'),
  'unwanted-list': sentenceRow({}, () => 'the answer holds a list where one value is wanted'),
  'list-for-one-value': sentenceRow({}, () => 'a list, and the property holds one value'),
  'empty-list': sentenceRow({}, () => 'an empty list'),
  'not-a-number': sentenceRow({}, () => 'a range or a text, not a number'),
  'not-a-year': sentenceRow({}, () => 'not a year'),
  'not-a-phone': sentenceRow({}, () => 'not a phone number that can be completed'),
  'not-an-email': sentenceRow({}, () => 'not an email address'),
  'not-a-domain': sentenceRow({}, () => 'not an internet domain'),
  'not-an-address': sentenceRow({}, () => 'not a web address'),
  'not-a-date': sentenceRow({}, () => 'not a date'),
  'not-yes-or-no': sentenceRow({}, () => 'neither yes nor no'),
  'not-public-or-private': sentenceRow({}, () => 'neither public nor private'),
  'unknown-country': sentenceRow({}, () => 'not a known country'),
  'unknown-state': sentenceRow({}, () => 'not a known state of its country'),
  'too-long': sentenceRow({}, () => 'longer than HubSpot stores'),
  'no-option': sentenceRow<{ text: string; nearest: string | undefined }>(
    { text: 'Widgets', nearest: 'WIDGETRY' },
    ({ text, nearest }) =>
      `HubSpot has no option for "${text}"${nearest === undefined ? '' : `; the nearest is "${nearest}"`}`,
  ),
  'unwritten-type': sentenceRow({ type: 'json' }, ({ type }) => `HubSpot type ${type} is not written`),
  'no-property': sentenceRow({}, () => 'HubSpot has no such property'),
  'calculated-property': sentenceRow({}, () => 'HubSpot calculates the property'),
  'read-only-property': sentenceRow({}, () => 'the property is read-only'),
  'unknown-currency': sentenceRow({}, () => 'the currency of the account is not known'),
  'other-currency': sentenceRow<{ found: string | undefined; currency: string }>(
    { found: 'USD', currency: 'EUR' },
    ({ found, currency }) => `an amount in ${found ?? 'no currency'}, and the account counts in ${currency}`,
  ),
} as const;

export type MisfitCode = keyof typeof MISFITS;
type MisfitParams<Code extends MisfitCode> = Parameters<(typeof MISFITS)[Code]['text']>[0];

/** A value that does not fit, with the reason for a person. */
export interface Misfit {
  readonly code: MisfitCode;
  readonly reason: string;
}

export function misfit<Code extends MisfitCode>(code: Code, params: MisfitParams<Code>): Misfit {
  const text: (params: never) => string = MISFITS[code].text;
  return { code, reason: text(params as never) };
}
