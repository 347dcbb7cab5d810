import { invalidParameter } from './errors.ts';
import type { Checked, CheckedParameters, Operation, Rule } from './operation.ts';
import {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
  isProfileUrl,
} from './plausible-forms.ts';
import type { DepartmentRange, Inclusion, OperationName, Range } from './types.ts';

export const text: Rule<string> = (given, name) => {
  if (typeof given !== 'string') return refused(`Invalid ${name} value. Must be a string`);
  return given.trim() === '' ? EMPTY : value(given.trim());
};

export const companyDomain = formOf(isDomain, 'Invalid company domain format');
export const domain = formOf(isDomain, 'Invalid domain format');
export const personProfileUrl = formOf(isPersonProfileUrl, 'Invalid profile URL format');
export const emailAddress = formOf(isEmailAddress, 'Invalid email address format');
export const phoneNumber = formOf(isPhoneNumber, 'Invalid phone number format');

export const companyPageUrl: Rule<string> = (given, name) => {
  const checked = formOf(isProfileUrl, 'Invalid company page URL format')(given, name);
  if (checked.kind !== 'value' || isCompanyPageUrl(checked.value)) return checked;
  return refused('Invalid company page URL format; must be a company page URL');
};

export const inclusion: Rule<Inclusion> = oneOf(['include', 'exclude']);

export function oneOf<const Words extends readonly string[]>(words: Words): Rule<Words[number]> {
  return (given, name) => {
    const word = words.find((one) => one === given);
    if (word !== undefined) return value(word);
    if (given === '') return EMPTY;
    return refused(`Invalid ${name} value. Must be one of: ${words.join(', ')}`);
  };
}

/** The vendor has one wording for the size of a page, whatever the parameter is called. */
export const pageSize = wholeNumber({
  min: 1,
  max: 100,
  reason: 'Invalid limit value. Must be between 1 and 100',
});
export const pageNumber = wholeNumber({ min: 1, reason: 'Invalid page value. Must be 1 or more' });
export const offset = wholeNumber({ min: 0, reason: 'Invalid offset value. Must be 0 or more' });

export const flag: Rule<boolean> = (given, name) =>
  typeof given === 'boolean' ? value(given) : refused(`Invalid ${name} value. Must be true or false`);

export const range: Rule<Range> = (given, name) => {
  if (!isObject(given) || Object.keys(given).some((key) => key !== 'min' && key !== 'max')) {
    return refused(`Invalid ${name} value. Must be a range of min and max`);
  }
  const { min, max } = given;
  if (min === undefined && max === undefined) return EMPTY;
  if (!isFiniteNumber(min) || !isFiniteNumber(max) || min > max) {
    return refused(`Invalid ${name} value. Must have a min and a max, and min not above max`);
  }
  return value({ min, max });
};

export const texts = listOf(text);
export const domains = listOf(domain);

export const departmentRanges: Rule<readonly DepartmentRange[]> = listOf((given, name) => {
  if (!isObject(given) || Object.keys(given).some((key) => key !== 'department' && key !== 'range')) {
    return refused(`Invalid ${name} value. Must be a list of department and range`);
  }
  const department = text(given['department'], `${name} department`);
  const bounds = range(given['range'], `${name} range`);
  if (department.kind === 'value' && bounds.kind === 'value') {
    return value({ department: department.value, range: bounds.value });
  }
  if (department.kind === 'refused') return department;
  return bounds.kind === 'refused'
    ? bounds
    : refused(`Invalid ${name} value. Needs a department and a range`);
});

export function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

const EMPTY = { kind: 'empty' } as const;

function value<Value>(checked: Value): Checked<Value> {
  return { kind: 'value', value: checked };
}

function refused(reason: string): Checked<never> {
  return { kind: 'refused', reason };
}

/** Empty items are left out, and a list of which nothing is left is empty. */
function listOf<Item>(rule: Rule<Item>): Rule<readonly Item[]> {
  return (given, name) => {
    if (!Array.isArray(given)) return refused(`Invalid ${name} value. Must be a list`);
    const items: Item[] = [];
    for (const one of given) {
      const checked = isAbsent(one) ? EMPTY : rule(one, name);
      if (checked.kind === 'refused') return checked;
      if (checked.kind === 'value') items.push(checked.value);
    }
    return items.length === 0 ? EMPTY : value(items);
  };
}

export function isAbsent(given: unknown): given is undefined | null {
  return given === undefined || given === null;
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

function isFiniteNumber(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given);
}

/**
 * What may go on the wire: known parameters that hold something, of a plausible form. Nothing is sent otherwise,
 * because an ignored or an empty filter would be paid for like a wide one.
 * @throws DataServiceError `DATA_SERVICE_INVALID_PARAMETER`
 */
export function checkedParameters<Name extends OperationName>(
  operation: Operation<Name>,
  given: unknown,
): CheckedParameters {
  const refuse = (message: string, parameter?: string): never => {
    throw invalidParameter({ operation: operation.name, message, parameter });
  };
  if (!isObject(given)) return refuse('Parameters must be an object');
  const rules = new Map<string, Rule>(Object.entries(operation.parameters));
  const checked = new Map<string, Checked>();
  for (const [name, value] of Object.entries(given)) {
    if (isAbsent(value)) continue;
    const rule = rules.get(name);
    if (!rule) return refuse(`Unknown parameter: ${name}`, name);
    checked.set(name, rule(value, name));
  }
  const missing = operation.lacks?.(
    Object.fromEntries([...checked].filter(([, { kind }]) => kind !== 'empty')),
  );
  if (missing) return refuse(missing);
  const entries: [string, unknown][] = [];
  for (const [name, result] of checked) {
    if (result.kind === 'refused') return refuse(result.reason, name);
    if (result.kind === 'value') entries.push([name, result.value]);
  }
  return Object.fromEntries(entries);
}
