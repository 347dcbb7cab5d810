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
 * Result of a check. An `empty` value is not sent. `refused` has a reason, in the vendor's wording if the vendor
 * publishes one.
 */
type Checked<Value = unknown> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly reason: string };

type Rule<Value = unknown> = (given: unknown, name: string) => Checked<Value>;

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
  for (const option of Object.keys(options)) kinds.set(option, 'inclusion');
  const checked = new Map<string, Checked>();
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue;
    const kind = kinds.get(name);
    if (!kind) return refuse(`Unknown parameter: ${name}`, name);
    const result = RULES[kind](value, name);
    if (result.kind !== 'empty') checked.set(name, result);
  }
  const isGiven = (name: string) => checked.has(name);
  const choice = Object.keys(either);
  const isComplete = Object.keys(required).every(isGiven) && (choice.length === 0 || choice.some(isGiven));
  if (lacking !== undefined && !isComplete) return refuse(lacking);
  const entries: [string, unknown][] = [];
  for (const [name, result] of checked) {
    if (result.kind === 'refused') return refuse(result.reason, name);
    if (result.kind === 'value') entries.push([name, result.value]);
  }
  return Object.fromEntries(entries);
}

export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

export function isAbsent(given: unknown): given is undefined | null {
  return given === undefined || given === null;
}

const EMPTY = { kind: 'empty' } as const;

function value<Value>(checked: Value): Checked<Value> {
  return { kind: 'value', value: checked };
}

function refused(reason: string): Checked<never> {
  return { kind: 'refused', reason };
}

const text: Rule<string> = (given, name) => {
  if (typeof given !== 'string') return refused(`Invalid ${name} value. Must be a string`);
  return given.trim() === '' ? EMPTY : value(given.trim());
};

const range: Rule = (given, name) => {
  if (!hasOnly(given, ['min', 'max']))
    return refused(`Invalid ${name} value. Must be a range of min and max`);
  const { min, max } = given;
  if (min === undefined && max === undefined) return EMPTY;
  if (!isFiniteNumber(min) || !isFiniteNumber(max) || min > max) {
    return refused(`Invalid ${name} value. Must have a min and a max, and min not above max`);
  }
  return value({ min, max });
};

const departmentRange: Rule = (given, name) => {
  if (!hasOnly(given, ['department', 'range'])) {
    return refused(`Invalid ${name} value. Must be a list of department and range`);
  }
  const department = text(given['department'], `${name} department`);
  const bounds = range(given['range'], `${name} range`);
  if (department.kind === 'value' && bounds.kind === 'value') {
    return value({ department: department.value, range: bounds.value });
  }
  const refusal = [department, bounds].find((part) => part.kind === 'refused');
  return refusal ?? refused(`Invalid ${name} value. Needs a department and a range`);
};

const RULES: Readonly<Record<ParameterKind, Rule>> = {
  inclusion: wordOf(PARAMETER_WORDS.inclusion),
  department: wordOf(PARAMETER_WORDS.department),
  seniority: wordOf(PARAMETER_WORDS.seniority),
  text,
  texts: listOf(text),
  domain: formOf(isDomain, 'Invalid domain format'),
  companyDomain: formOf(isDomain, 'Invalid company domain format'),
  domains: listOf(formOf(isDomain, 'Invalid domain format')),
  personProfileUrl: formOf(isPersonProfileUrl, 'Invalid profile URL format'),
  companyPageUrl: (given, name) => {
    const page = formOf(isProfileUrl, 'Invalid company page URL format')(given, name);
    if (page.kind !== 'value' || isCompanyPageUrl(page.value)) return page;
    return refused('Invalid company page URL format; must be a company page URL');
  },
  emailAddress: formOf(isEmailAddress, 'Invalid email address format'),
  phoneNumber: formOf(isPhoneNumber, 'Invalid phone number format'),
  flag: (given, name) =>
    typeof given === 'boolean' ? value(given) : refused(`Invalid ${name} value. Must be true or false`),
  range,
  departmentRanges: listOf(departmentRange),
  pageNumber: wholeNumber({ min: 1, reason: 'Invalid page value. Must be 1 or more' }),
  /** The vendor uses this text for the size of a page, whatever the parameter's name is. */
  pageSize: wholeNumber({
    min: 1,
    max: LARGEST_PAGE,
    reason: 'Invalid limit value. Must be between 1 and 100',
  }),
  offset: wholeNumber({ min: 0, reason: 'Invalid offset value. Must be 0 or more' }),
};

function wordOf(words: readonly string[]): Rule {
  return (given, name) => {
    const word = words.find((candidate) => candidate === given);
    if (word !== undefined) return value(word);
    if (given === '') return EMPTY;
    return refused(`Invalid ${name} value. Must be one of: ${words.join(', ')}`);
  };
}

/** Leaves out empty items. A list without items is empty. */
function listOf(rule: Rule): Rule {
  return (given, name) => {
    if (!Array.isArray(given)) return refused(`Invalid ${name} value. Must be a list`);
    const items: unknown[] = [];
    for (const candidate of given) {
      const checked = isAbsent(candidate) ? EMPTY : rule(candidate, name);
      if (checked.kind === 'refused') return checked;
      if (checked.kind === 'value') items.push(checked.value);
    }
    return items.length === 0 ? EMPTY : value(items);
  };
}

function formOf(isOfForm: (text: string) => boolean, reason: string): Rule<string> {
  return (given, name) => {
    const checked = text(given, name);
    return checked.kind === 'value' && !isOfForm(checked.value) ? refused(reason) : checked;
  };
}

function wholeNumber(bounds: { min: number; max?: number; reason: string }): Rule<number> {
  const { min, max = Number.MAX_SAFE_INTEGER, reason } = bounds;
  return (given) =>
    typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max
      ? value(given)
      : refused(reason);
}

function hasOnly(given: unknown, keys: readonly string[]): given is Readonly<Record<string, unknown>> {
  return isObject(given) && Object.keys(given).every((key) => keys.includes(key));
}

function isFiniteNumber(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given);
}
