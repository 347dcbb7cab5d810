import { Option } from 'commander';
import { counted } from '#shared/kernel';
import {
  OPERATIONS,
  type OperationName,
  type OperationRow,
  PARAMETER_KINDS,
  PARAMETER_WORDS,
  type ParameterKind,
} from '#shared/vendor';
import { text } from '../../terminal/option-values.ts';
import { RefusedValue } from '../../terminal/refusals.ts';
import { ADDITIONS, PARAMETER_FLAGS } from './parameter-flags.ts';

/** Options by the data service's parameter that they set. */
type OptionsByParameter = readonly (readonly [parameter: string, option: Option])[];

export interface OperationOptions {
  readonly parameters: OptionsByParameter;
  /** Options that raise the price. */
  readonly additions: OptionsByParameter;
}

/**
 * Options of an operation, from the table of the data service's parameters. Parameters without a flag are arguments,
 * or set the page.
 */
export function operationOptions(operation: OperationName): OperationOptions {
  const { required = {}, options = {}, page }: OperationRow = OPERATIONS[operation];
  const parameters = Object.entries(PARAMETER_KINDS.get(operation) ?? {}).flatMap(([parameter, kind]) => {
    const [flag, about] = PARAMETER_FLAGS[parameter] ?? [];
    if (flag === undefined) return [];
    const option = optionOf(kind, flag, about ?? '').makeOptionMandatory(parameter in required);
    return [[parameter, option] as const];
  });
  const each = page ? ' a result' : '';
  const additions = Object.entries(options).map(([parameter, credits]) => {
    const flag = `--${parameter.replace(/^include_/, '').replaceAll('_', '-')}`;
    const about = `also ${ADDITIONS[parameter]}, ${counted(credits, 'credit')}${each}`;
    return [parameter, new Option(flag, about)] as const;
  });
  return { parameters, additions };
}

/** The typed values by the data service's parameter names. */
export function givenIn(
  { parameters, additions }: OperationOptions,
  typed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values = [...parameters, ...additions].map(
    ([name, option]) => [name, typed[option.attributeName()]] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The flag of each parameter. */
export function flagsOf({ parameters, additions }: OperationOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...parameters, ...additions].map(([name, option]) => [name, option.long ?? name]),
  );
}

/** Placeholder and parser by kind of parameter. All other kinds are text. */
const VALUES: Partial<Record<ParameterKind, readonly [form: string, read: (given: string) => unknown]>> = {
  range: ['min..max', rangeOf],
  flag: ['yes|no', yesOrNo],
  departmentRanges: ['dept=min..max', departmentRange],
  companyDomain: ['domain', text],
  companyPageUrl: ['url', text],
};
const REPEATABLE: readonly ParameterKind[] = ['texts', 'domains', 'departmentRanges'];

function optionOf(kind: ParameterKind, flag: string, about: string): Option {
  if (kind === 'department' || kind === 'seniority')
    return new Option(`--${flag} <name>`, about).choices(PARAMETER_WORDS[kind]);
  const [form, read] = VALUES[kind] ?? ['text', text];
  if (!REPEATABLE.includes(kind)) return new Option(`--${flag} <${form}>`, about).argParser(read);
  const collect = (given: string, before: readonly unknown[] = []) => [...before, read(given)];
  return new Option(`--${flag} <${form}>`, `${about} (repeatable)`).argParser(collect);
}

function rangeOf(given: string) {
  const [, min, max] = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(given.trim()) ?? [];
  if (min !== undefined && max !== undefined && Number(min) <= Number(max)) {
    return { min: Number(min), max: Number(max) };
  }
  throw new RefusedValue('not-a-range', {});
}

function departmentRange(given: string) {
  const split = given.lastIndexOf('=');
  const department = given.slice(0, Math.max(0, split)).trim();
  if (department !== '') return { department, range: rangeOf(given.slice(split + 1)) };
  throw new RefusedValue('not-a-department-range', {});
}

function yesOrNo(given: string): boolean {
  if (/^(?:yes|true)$/i.test(given)) return true;
  if (/^(?:no|false)$/i.test(given)) return false;
  throw new RefusedValue('not-yes-or-no', {});
}
