import { Option } from 'commander';
import { OPERATIONS, PARAMETER_WORDS, type SearchOperation } from '#shared/data-service';
import { text } from '../../terminal/option-values.ts';
import { addedPrice } from './price-line.ts';
import { FILTER_OPTIONS } from './search-filters.ts';
import { normalSearch, type Search } from './search-question.ts';

/** An option by the parameter of the data service that it sets. */
type Named = readonly (readonly [parameter: string, option: Option])[];

export interface SearchKind {
  readonly operation: SearchOperation;
  readonly filters: Named;
  /** Each costs more for every result. */
  readonly additions: Named;
}

const FILTERS: Named = Object.entries(FILTER_OPTIONS);

const EMPLOYEE_FILTERS: Named = [
  ['company_domain', new Option('--domain <domain>', 'domain of the company').argParser(text)],
  ['company_network_url', new Option('--page <url>', 'company page, instead of the domain').argParser(text)],
  ['title', new Option('--title <text>', 'part of a job title').argParser(text)],
  ['department', new Option('--department <name>', 'department').choices(PARAMETER_WORDS.department)],
  ['seniority', new Option('--seniority <name>', 'level').choices(PARAMETER_WORDS.seniority)],
  ['location', new Option('--location <text>', 'city, state or Remote').argParser(text)],
  ['keywords', new Option('--keywords <text>', 'words in the profile').argParser(text)],
];

/** The help of each paid option of a search. */
const ADDITIONS: Readonly<Record<string, string>> = {
  include_email: 'email addresses',
  include_phone: 'mobile numbers',
  funding: 'funding',
  extra: 'extended details',
  technology: 'technologies',
  website_traffic: 'website traffic',
  headcount_growth: 'growth of the staff',
};

export const SEARCH_KINDS = {
  people: kindOf('searchPeople', FILTERS),
  companies: kindOf('searchCompanies', FILTERS),
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
    const flag = `--${parameter.replace(/^include_/, '').replaceAll('_', '-')}`;
    const price = addedPrice(operation, { parameter });
    return [parameter, new Option(flag, `also ${ADDITIONS[parameter]}, ${price} a result`)] as const;
  });
  return { operation, filters, additions };
}
