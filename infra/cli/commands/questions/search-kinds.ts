import { InvalidArgumentError, Option } from 'commander';
import {
  FILTERS,
  OPERATIONS,
  PARAMETER_WORDS,
  type ParameterKind,
  type SearchOperation,
} from '#shared/data-service/index.ts';
import { text } from '../../terminal/option-values.ts';
import { addedPrice } from './price-line.ts';
import { ADDITION_WORDS, EMPLOYEE_WORDS, FILTER_WORDS } from './search-filters.ts';
import { normalSearch, type Search } from './search-question.ts';

/** An option by the parameter of the data service that it sets. */
type Named = readonly (readonly [parameter: string, option: Option])[];

export interface SearchKind {
  readonly operation: SearchOperation;
  readonly filters: Named;
  /** Each costs more for every result. */
  readonly additions: Named;
}

const { either, optional } = OPERATIONS.searchEmployees;
const EMPLOYEE_FILTERS = filtersOf({ ...either, ...optional }, EMPLOYEE_WORDS);
const SHARED_FILTERS = filtersOf(FILTERS, FILTER_WORDS);

export const SEARCH_KINDS = {
  people: kindOf('searchPeople', SHARED_FILTERS),
  companies: kindOf('searchCompanies', SHARED_FILTERS),
  employees: kindOf('searchEmployees', EMPLOYEE_FILTERS),
} as const;

/** The search that the options describe. @throws CliError that names the option to change */
export function searchOf(
  { operation, filters, additions }: SearchKind,
  options: Readonly<Record<string, unknown>>,
): Search {
  const given = filters.map(([name, option]) => [name, options[option.attributeName()]] as const);
  const included = additions.filter(([, option]) => options[option.attributeName()] === true);
  const parameters = [...given, ...included.map(([name]) => [name, 'include'] as const)];
  const names = [...filters, ...additions].map(([name, option]) => [name, option.long ?? name] as const);
  const known = parameters.filter(([, value]) => value !== undefined);
  return normalSearch({ operation, parameters: Object.fromEntries(known) }, Object.fromEntries(names));
}

function kindOf(operation: SearchOperation, filters: Named): SearchKind {
  const additions = Object.keys(OPERATIONS[operation].options).map((parameter) => {
    const flag = parameter.replace(/^include_/, '').replaceAll('_', '-');
    const price = addedPrice(operation, { parameter });
    const about = `also ${ADDITION_WORDS[parameter]}, ${price} a result`;
    return [parameter, new Option(`--${flag}`, about)] as const;
  });
  return { operation, filters, additions };
}

function filtersOf<Name extends string>(
  kinds: { readonly [name in NoInfer<Name>]: ParameterKind },
  words: { readonly [name in Name]: readonly [flag: string, about: string] },
): Named {
  const names = Object.keys(words) as Name[];
  return names.map((name) => {
    const [flag, about] = words[name];
    return [name, optionOf(kinds[name], flag, about)] as const;
  });
}

/** The option of a parameter, by the parameter's kind. */
function optionOf(kind: ParameterKind, flag: string, about: string): Option {
  const option = (value: string, help = about) => new Option(`--${flag} <${value}>`, help);
  switch (kind) {
    case 'texts':
    case 'domains':
      return option('text', `${about} (repeatable)`).argParser(collected(text));
    case 'departmentRanges':
      return option('dept=min..max', `${about} (repeatable)`).argParser(collected(departmentRange));
    case 'range':
      return option('min..max').argParser(rangeOf);
    case 'flag':
      return option('yes|no').argParser(yesOrNo);
    case 'department':
    case 'seniority':
      return option('name').choices(PARAMETER_WORDS[kind]);
    case 'companyDomain':
      return option('domain').argParser(text);
    case 'companyPageUrl':
      return option('url').argParser(text);
    default:
      return option('text').argParser(text);
  }
}

function rangeOf(given: string) {
  const [, min, max] = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(given.trim()) ?? [];
  if (min !== undefined && max !== undefined && Number(min) <= Number(max)) {
    return { min: Number(min), max: Number(max) };
  }
  throw new InvalidArgumentError('It must be min..max, such as 10..50.');
}

function departmentRange(given: string) {
  const split = given.lastIndexOf('=');
  const department = given.slice(0, Math.max(0, split)).trim();
  if (department !== '') return { department, range: rangeOf(given.slice(split + 1)) };
  throw new InvalidArgumentError('It must be department=min..max, such as sales=5..50.');
}

function yesOrNo(given: string): boolean {
  if (/^(?:yes|true)$/i.test(given)) return true;
  if (/^(?:no|false)$/i.test(given)) return false;
  throw new InvalidArgumentError('It must be yes or no.');
}

function collected<Value>(read: (given: string) => Value): (given: string, before?: Value[]) => Value[] {
  return (given, before = []) => [...before, read(given)];
}
