/** The vendor's lookups, from the table of its operations, and how a question becomes a call. */
import { assert } from '#shared/kernel';
import {
  COMPANY_FIELDS,
  FIELD_OF_OPTION,
  type Identifiers,
  type Lookup,
  PERSON_FIELDS,
  QUESTION_OPTIONS,
  type QuestionOption,
  type VendorOffer,
  type VendorQuestion,
} from '../vendor.ts';
import { LARGEST_PAGE, OPERATIONS, type OperationName, type OperationRow } from './operations.ts';

type PaidOperation = Exclude<OperationName, 'checkKey'>;
/** Canonical fields that no answer about one record has without an option. */
const ABSENT_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(FIELD_OF_OPTION),
  ...['department', 'location', 'previousCompanies', 'revenueRange', 'raw'],
]);
const ROWS = Object.entries<OperationRow>(OPERATIONS).filter(([name]) => name !== 'checkKey');

export const VENDOR = {
  name: 'data-service',
  label: 'data service',
  mark: '',
  // The specification's rate limit.
  ratePerMinute: 20,
  lookups: Object.fromEntries(ROWS.map(([name, row]) => [name, lookupOf(row)])) as Record<
    PaidOperation,
    Lookup
  >,
} satisfies VendorOffer;

function lookupOf(row: OperationRow): Lookup {
  const { label, lookup, base, options = {}, required, either = {}, optional = {}, page } = row;
  const { words = '', about = 'person', identifies = false, carries = {} } = lookup ?? {};
  const valuesOf = (parameters: object) => Object.keys(parameters).flatMap((name) => carries[name] ?? []);
  // The vendor does not publish what a miss costs.
  const price = { match: base, miss: 'full' } as const;
  const common = { label, words, about, identifies, price };
  if (page)
    return { ...common, needs: [], yields: [], takes: [], options: {}, search: priceOfSearch(row, page) };
  return {
    ...common,
    needs: required ? [valuesOf(required)] : valuesOf(either).map((value) => [value]),
    takes: valuesOf(optional),
    yields: (about === 'person' ? PERSON_FIELDS : COMPANY_FIELDS).filter(
      (field) => !ABSENT_FIELDS.has(field),
    ),
    options: Object.fromEntries(
      QUESTION_OPTIONS.flatMap((option) => {
        const credits = options[parameterOf(option)];
        return credits === undefined ? [] : [[option, credits]];
      }),
    ),
  };
}

function parameterOf(option: QuestionOption): string {
  return `include_${option}`;
}

function priceOfSearch(
  { base, options = {} }: OperationRow,
  { size, defaultSize }: NonNullable<OperationRow['page']>,
): NonNullable<Lookup['search']> {
  return {
    creditsOfResult: (search) => {
      const given = parametersIn(search);
      const included = Object.entries(options).filter(([option]) => given[option] === 'include');
      return included.reduce((sum, [, credits]) => sum + credits, base);
    },
    mostResults: (search) => {
      const given = parametersIn(search)[size] ?? defaultSize;
      const isPossible =
        typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= LARGEST_PAGE;
      // A size that the service would refuse counts as the largest page, so that a budget is never too small.
      return isPossible ? given : LARGEST_PAGE;
    },
  };
}

function parametersIn(search: string): Readonly<Record<string, unknown>> {
  return { ...JSON.parse(search) };
}

/** Returns the values that parameters of an operation carry. */
export function identifiersIn(
  operation: OperationName,
  parameters: Readonly<Record<string, string>>,
): Identifiers {
  const { lookup }: OperationRow = OPERATIONS[operation];
  const carried = Object.entries(lookup?.carries ?? {});
  return Object.fromEntries(
    carried.flatMap(([name, value]) => (name in parameters ? [[value, parameters[name]]] : [])),
  );
}

/** Translates a question to the parameters of the operation with its name. */
export function callOf({ operation, by, options }: VendorQuestion): {
  readonly operation: OperationName;
  readonly params: Readonly<Record<string, unknown>>;
  readonly about: Lookup['about'];
} {
  const name = ROWS.map(([each]) => each).find((each) => each === operation) as PaidOperation | undefined;
  assert(name !== undefined, 'the question names an operation of the data service');
  const { lookup, options: prices = {} }: OperationRow = OPERATIONS[name];
  const { about } = VENDOR.lookups[name];
  if (by.search !== undefined) return { operation: name, about, params: parametersIn(by.search) };
  const given = Object.entries(lookup?.carries ?? {}).map(([parameter, value]) => [parameter, by[value]]);
  const included = QUESTION_OPTIONS.filter((option) => parameterOf(option) in prices).map((option) => [
    parameterOf(option),
    options.includes(option) ? 'include' : 'exclude',
  ]);
  return { operation: name, about, params: Object.fromEntries([...given, ...included]) };
}
