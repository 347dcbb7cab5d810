import * as z from 'zod';
import {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
  isProfileUrl,
} from '#shared/identity';
import { DataServiceError } from './errors.ts';
import {
  FILTERS,
  LARGEST_PAGE,
  OPERATIONS,
  type OperationName,
  type OperationRow,
  PARAMETER_KINDS,
  PARAMETER_WORDS,
  type ParameterKind,
} from './operations.ts';

/**
 * Checks parameters and returns the parameters to send. Empty ones are left out. If one is unknown or has an
 * implausible form, nothing is sent, because a search without its filter would be charged for many results.
 * @throws DataServiceError `DATA_SERVICE_INVALID_PARAMETER`
 */
export function checkedParameters(
  operation: OperationName,
  given: unknown,
): Readonly<Record<string, unknown>> {
  const refuse = (message: string, parameter?: string): never => {
    throw new DataServiceError('DATA_SERVICE_INVALID_PARAMETER', { operation, message, parameter });
  };
  if (!isObject(given)) return refuse('Parameters must be an object');
  const { required = {}, options = {}, lacking, ...row }: OperationRow = OPERATIONS[operation];
  const either = row.isFiltered ? FILTERS : (row.either ?? {});
  const kinds = new Map<string, ParameterKind>(Object.entries(PARAMETER_KINDS.get(operation) ?? {}));
  for (const name of Object.keys(options)) kinds.set(name, 'inclusion');
  const values = new Map<string, unknown>();
  const refusals: [name: string, reason: string][] = [];
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue;
    const kind = kinds.get(name);
    if (!kind) return refuse(`Unknown parameter: ${name}`, name);
    const { data, error } = RULES[kind].safeParse(value);
    const [issue] = error?.issues ?? [];
    if (issue) refusals.push([name, issue.message.replace(/^(?=Must )/, `Invalid ${name} value. `)]);
    if (issue || !isEmpty(data)) values.set(name, data);
  }
  const isGiven = (name: string) => values.has(name);
  const choice = Object.keys(either);
  const isComplete = Object.keys(required).every(isGiven) && (choice.length === 0 || choice.some(isGiven));
  if (lacking !== undefined && !isComplete) return refuse(lacking);
  const [[name, reason] = []] = refusals;
  return reason === undefined ? Object.fromEntries(values) : refuse(reason, name);
}

export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

export function isAbsent(given: unknown): given is undefined | null {
  return given === undefined || given === null;
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

// Reasons are in the vendor's wording if it publishes one. Those that begin with "Must" follow the parameter's name.
const text = z.string('Must be a string').trim();

const NO_RANGE = 'Must have a min and a max, and min not above max';
const range = z
  .strictObject(
    { min: z.number(NO_RANGE).optional(), max: z.number(NO_RANGE).optional() },
    'Must be a range of min and max',
  )
  .refine(({ min, max }) => (min === undefined || max === undefined ? min === max : min <= max), NO_RANGE);

const departmentRange = z
  .strictObject({ department: text, range }, 'Must be a list of department and range')
  .refine((each) => !Object.values(each).some(isEmpty), 'Must have a department and a range');

const RULES: Readonly<Record<ParameterKind, z.ZodType>> = {
  inclusion: wordOf(PARAMETER_WORDS.inclusion),
  department: wordOf(PARAMETER_WORDS.department),
  seniority: wordOf(PARAMETER_WORDS.seniority),
  text,
  texts: listOf(text),
  domain: formOf(isDomain, 'Invalid domain format'),
  companyDomain: formOf(isDomain, 'Invalid company domain format'),
  domains: listOf(formOf(isDomain, 'Invalid domain format')),
  personProfileUrl: formOf(isPersonProfileUrl, 'Invalid profile URL format'),
  companyPageUrl: formOf(isProfileUrl, 'Invalid company page URL format').refine(
    (page) => page === '' || isCompanyPageUrl(page),
    'Invalid company page URL format; must be a company page URL',
  ),
  emailAddress: formOf(isEmailAddress, 'Invalid email address format'),
  phoneNumber: formOf(isPhoneNumber, 'Invalid phone number format'),
  flag: z.boolean('Must be true or false'),
  range,
  departmentRanges: listOf(departmentRange),
  pageNumber: wholeNumber(1, 'Invalid page value. Must be 1 or more'),
  /** The vendor uses this text for the size of a page, whatever the parameter's name is. */
  pageSize: wholeNumber(1, 'Invalid limit value. Must be between 1 and 100', LARGEST_PAGE),
  offset: wholeNumber(0, 'Invalid offset value. Must be 0 or more'),
};

function wordOf(words: readonly string[]) {
  return z.enum([...words, ''], `Must be one of: ${words.join(', ')}`);
}

/** Leaves out empty items. */
function listOf(item: z.ZodType) {
  return z
    .array(item.nullish(), 'Must be a list')
    .transform((items) => items.filter((each) => !isAbsent(each) && !isEmpty(each)));
}

function formOf(isOfForm: (text: string) => boolean, reason: string) {
  return text.refine((given) => given === '' || isOfForm(given), reason);
}

function wholeNumber(min: number, reason: string, max = Number.MAX_SAFE_INTEGER) {
  return z.int(reason).min(min, reason).max(max, reason);
}
