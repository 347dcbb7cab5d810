import { rowText, sentenceRow, type TextParamsOf } from '#shared/kernel';

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
  'calculated-property': 'HubSpot calculates the property',
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
