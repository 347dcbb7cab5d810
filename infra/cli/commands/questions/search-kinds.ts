import { Option } from 'commander';
import { DEPARTMENTS, SENIORITIES } from '#shared/data-service/parameter-types.ts';
import { text } from '../../terminal/option-values.ts';
import { addedPrice } from './price-line.ts';
import { FILTER_OPTIONS } from './search-filters.ts';
import { normalSearch, type Search, type SearchOperation } from './search-question.ts';

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
  ['department', new Option('--department <name>', 'department').choices(DEPARTMENTS)],
  ['seniority', new Option('--seniority <name>', 'level').choices(SENIORITIES)],
  ['location', new Option('--location <text>', 'city, state or Remote').argParser(text)],
  ['keywords', new Option('--keywords <text>', 'words in the profile').argParser(text)],
];

const PERSON_ADDITIONS = [
  ['include_email', '--email', 'email addresses'],
  ['include_phone', '--phone', 'mobile numbers'],
] as const;

const COMPANY_ADDITIONS = [
  ['funding', '--funding', 'funding'],
  ['extra', '--extra', 'extended details'],
  ['technology', '--technology', 'technologies'],
  ['website_traffic', '--website-traffic', 'website traffic'],
  ['headcount_growth', '--headcount-growth', 'growth of the staff'],
] as const;

export const SEARCH_KINDS = {
  people: {
    operation: 'searchPeople',
    filters: FILTERS,
    additions: additionsOf('searchPeople', PERSON_ADDITIONS),
  },
  companies: {
    operation: 'searchCompanies',
    filters: FILTERS,
    additions: additionsOf('searchCompanies', COMPANY_ADDITIONS),
  },
  employees: {
    operation: 'searchEmployees',
    filters: EMPLOYEE_FILTERS,
    additions: additionsOf('searchEmployees', PERSON_ADDITIONS),
  },
} as const satisfies Readonly<Record<string, SearchKind>>;

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

function additionsOf(
  operation: SearchOperation,
  additions: readonly (readonly [parameter: string, flag: string, about: string])[],
): Named {
  return additions.map(([parameter, flag, about]) => {
    const price = addedPrice(operation, { parameter });
    return [parameter, new Option(flag, `also ${about}, ${price} a result`)] as const;
  });
}
