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

const PERSON = [
  'name',
  'title',
  'organizations.name',
  'organizations.primary_domain',
  'city',
  'country',
  'email',
  'mobile_number',
  'network_url',
];

const COMPANY_SEARCH = [
  'name',
  'primary_domain',
  'industry',
  'employee_count_range',
  'revenue_range',
  'city',
  'country',
  'network_url',
];

/** Most useful columns by operation. */
export const CHOSEN_COLUMNS = {
  lookUpPerson: PERSON,
  personProfile: PERSON,
  reverseEmail: PERSON,
  reversePhone: PERSON,
  searchPeople: PERSON,
  searchCompanies: COMPANY_SEARCH,
  searchEmployees: [
    'name',
    'title',
    'department',
    'seniority',
    'location',
    'job_start_date',
    'email',
    'mobile_number',
    'network_url',
  ],
  companyProfile: [
    'name',
    'primary_domain',
    'industry',
    'company_size',
    'employee_count',
    'founded_year',
    'headquarters.city',
    'headquarters.country',
    'phone',
    'website_url',
    'network_url',
    'funding.total_funding',
    'funding.last_funding_round.type',
    'technology.tools',
    'contacts',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
