function misfitRow<Params extends object>(example: Params, text: (params: Params) => string) {
  return { example, text };
}

/** Why a value of an answer is not written, by code. */
export const MISFITS = {
  'no-plain-value': misfitRow({}, () => 'the answer holds no plain value'),
  'unwanted-list': misfitRow({}, () => 'the answer holds a list where one value is wanted'),
  'list-for-one-value': misfitRow({}, () => 'a list, and the property holds one value'),
  'empty-list': misfitRow({}, () => 'an empty list'),
  'not-a-number': misfitRow({}, () => 'a range or a text, not a number'),
  'not-a-year': misfitRow({}, () => 'not a year'),
  'not-a-phone': misfitRow({}, () => 'not a phone number that can be completed'),
  'not-an-email': misfitRow({}, () => 'not an email address'),
  'not-a-domain': misfitRow({}, () => 'not an internet domain'),
  'not-an-address': misfitRow({}, () => 'not a web address'),
  'not-a-date': misfitRow({}, () => 'not a date'),
  'not-yes-or-no': misfitRow({}, () => 'neither yes nor no'),
  'not-public-or-private': misfitRow({}, () => 'neither public nor private'),
  'unknown-country': misfitRow({}, () => 'not a known country'),
  'unknown-state': misfitRow({}, () => 'not a known state of its country'),
  'too-long': misfitRow({}, () => 'longer than HubSpot stores'),
  'no-option': misfitRow<{ text: string; nearest: string | undefined }>(
    { text: 'Widgets', nearest: 'WIDGETRY' },
    ({ text, nearest }) =>
      `HubSpot has no option for "${text}"${nearest === undefined ? '' : `; the nearest is "${nearest}"`}`,
  ),
  'unwritten-type': misfitRow({ type: 'json' }, ({ type }) => `HubSpot type ${type} is not written`),
  'no-property': misfitRow({}, () => 'HubSpot has no such property'),
  'calculated-property': misfitRow({}, () => 'HubSpot calculates the property'),
  'read-only-property': misfitRow({}, () => 'the property is read-only'),
  'unknown-currency': misfitRow({}, () => 'the currency of the account is not known'),
  'other-currency': misfitRow<{ found: string | undefined; currency: string }>(
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
