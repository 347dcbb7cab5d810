import { expect } from 'vitest';
import type { Fields } from './answer.ts';
import { PERSON_OPTIONS } from './endpoints.ts';

/** What each option buys of a person. */
export const PERSON_SWITCHES = [
  { option: 'include_email', field: 'email' },
  { option: 'include_phone', field: 'mobile_number' },
];

/** The field is in what a search answers with its option alone, and not where it is excluded or untold. */
export async function expectSwitched(
  { option, field }: (typeof PERSON_SWITCHES)[number],
  search: (params: Fields) => Promise<readonly Fields[]>,
): Promise<void> {
  const having = async (params: Fields) => (await search(params)).filter((record) => field in record).length;
  expect(await having({ [option]: 'include' })).toBeGreaterThan(0);
  expect(await having({ ...PERSON_OPTIONS, [option]: 'exclude' })).toBe(0);
  expect(await having({})).toBe(0);
}
