import { beforeAll, describe, expect, it } from 'vitest';
import type { Fields } from './answer.ts';
import type { FieldRow } from './field-kinds.ts';
import {
  COMPANY_INFO_ROWS,
  COMPANY_PROFILE_ROWS,
  COMPANY_SEARCH_ROWS,
  CONTACT_ROWS,
  EMPLOYEE_ROWS,
  FUNDING_ROUND_ROWS,
  PAGINATION_ROWS,
  PERSON_ROWS,
  PREVIOUS_COMPANY_ROWS,
  PROFILE_GROUP_ROWS,
  WORKSPACE_ROWS,
} from './field-rows.ts';
import { askForEverything } from './record-sets.ts';
import { named, useSamples } from './samples.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);
const sets = new Map<string, readonly Fields[]>();

beforeAll(async () => {
  const everything = await askForEverything(target, samples);
  for (const [name, records] of Object.entries(everything)) sets.set(name, records);
});

const PERSON_WITH_CONTACT = [...PERSON_ROWS, ...CONTACT_ROWS];

const TABLES: readonly (readonly [set: string, rows: readonly FieldRow[]])[] = [
  ['Check API key', WORKSPACE_ROWS],
  ['People search', PERSON_WITH_CONTACT],
  ['People lookup', PERSON_WITH_CONTACT],
  ['People profile', PERSON_WITH_CONTACT],
  ['Reverse email lookup', PERSON_ROWS],
  ['Reverse phone lookup', PERSON_ROWS],
  ['Company search', COMPANY_SEARCH_ROWS],
  ['Employee search', EMPLOYEE_ROWS],
  ['previous_companies', PREVIOUS_COMPANY_ROWS],
  ['company_info', COMPANY_INFO_ROWS],
  ['pagination', PAGINATION_ROWS],
  ['Company profile', COMPANY_PROFILE_ROWS],
  ...Object.entries(PROFILE_GROUP_ROWS),
  ['last_funding_round', FUNDING_ROUND_ROWS],
  ['funding_rounds', FUNDING_ROUND_ROWS],
];

describe.each(TABLES)('record of %s', (set, rows) => {
  it.each(named(rows, ([key, kind]) => `${key}: ${kind.name}`))('has %s', (_, [key, kind]) => {
    const values = recordsIn(set).flatMap((record) => valuesUnder(record, key));
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !kind.isMet(value))).toEqual([]);
  });

  it('omits a field without a value', () => {
    const entries = recordsIn(set).flatMap((record) => Object.entries(record));
    expect(entries.filter(([, value]) => isNothing(value))).toEqual([]);
  });
});

const NEVER_RETURNED = ['Reverse email lookup', 'Reverse phone lookup'].flatMap((set) =>
  CONTACT_ROWS.map(([key]) => ({ set, key })),
);

it.each(NEVER_RETURNED)('record of $set has no $key', ({ set, key }) => {
  expect(recordsIn(set).filter((record) => key in record)).toEqual([]);
});

it('gives a stock symbol only to companies that are publicly traded', () => {
  const listed = recordsIn('Company profile').filter((record) => 'stock_symbol' in record);
  expect(listed.map((record) => record['type']).filter((type) => type !== 'Public')).toEqual([]);
});

function recordsIn(set: string): readonly Fields[] {
  const records = sets.get(set);
  if (records === undefined || records.length === 0) throw new Error(`No record of ${set} came.`);
  return records;
}

/** The value under the key, or all values of the group. */
function valuesUnder(record: Fields, key: string): unknown[] {
  const isWanted = key.endsWith('.*')
    ? (own: string) => own.startsWith(key.slice(0, -1))
    : (own: string) => own === key;
  return Object.entries(record).flatMap(([own, value]) => (isWanted(own) ? [value] : []));
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}
