import { expect, it } from 'vitest';
import { shownValue } from '#shared/crm';

const OPTIONS = [
  { value: 'COMPUTER_SOFTWARE', label: 'Computer Software' },
  { value: 'BANKING', label: 'Banking' },
];

it.each([
  ['date', [], '2026-11-21', '21 Nov 2026'],
  ['date', [], '1795219200000', '21 Nov 2026'],
  ['date', [], 'soon', 'soon'],
  ['datetime', [], '2026-11-21T23:30:00Z', '22 Nov 2026, 00:30'],
  ['bool', [], 'true', 'Yes'],
  ['bool', [{ value: 'false', label: 'Not any more' }], 'false', 'Not any more'],
  ['enumeration', OPTIONS, 'BANKING;COMPUTER_SOFTWARE', 'Banking, Computer Software'],
  ['enumeration', OPTIONS, 'GONE', 'GONE'],
  ['string', OPTIONS, 'BANKING', 'BANKING'],
  ['number', [], '2026', '2026'],
])('shows a value of type %s as HubSpot does', (type, options, value, shown) => {
  expect(shownValue({ type, options }, value, 'Europe/Amsterdam')).toBe(shown);
});
