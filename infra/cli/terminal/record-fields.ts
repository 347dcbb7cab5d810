import type { Lookup } from '#shared/vendor';

/** One record in an answer of the data service. */
export type DataRecord = Readonly<Record<string, unknown>>;
export type Fields = ReadonlyMap<string, string>;

/**
 * The fields of a record by flat name. Names of nested objects are joined with dots, and list values with semicolons.
 * Lists of objects become JSON.
 */
export function fieldsOf(record: DataRecord): Fields {
  return new Map(flat(record, ''));
}

function flat(record: DataRecord, prefix: string): [string, string][] {
  return Object.entries(record).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    if (isNestedObject(value)) return flat(value, `${prefix}${name}.`);
    return [[`${prefix}${name}`, textOf(value)]];
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isPlainList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return isPlainList ? value.join('; ') : JSON.stringify(value);
}

function isNestedObject(value: unknown): value is DataRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The chosen columns first, then all other fields in order of appearance. */
export function allColumns(records: readonly Fields[], chosen: readonly string[]): string[] {
  return [...new Set([...chosen, ...records.flatMap((fields) => [...fields.keys()])])].filter((column) =>
    records.some((fields) => fields.has(column)),
  );
}

/** The chosen columns that have a value in any record. */
export function chosenColumns(records: readonly Fields[], chosen: readonly string[]): string[] {
  return chosen.filter((column) => records.some((fields) => fields.has(column)));
}

/** Most useful columns of records. A column without a value is left out. */
export const CHOSEN_COLUMNS: Readonly<Record<Lookup['about'], readonly string[]>> = {
  person: [
    'name',
    'title',
    'employerName',
    'employerDomain',
    'department',
    'seniority',
    'location',
    'city',
    'country',
    'jobStartDate',
    'email',
    'mobilePhone',
    'profileUrl',
  ],
  company: [
    'name',
    'domain',
    'industry',
    'employeeRange',
    'employeeCount',
    'revenueRange',
    'foundedYear',
    'headquarters.city',
    'headquarters.country',
    'raw.city',
    'raw.country',
    'phone',
    'website',
    'pageUrl',
    'funding.total',
    'funding.lastRound.type',
    'technology.tools',
    'contacts',
  ],
};
