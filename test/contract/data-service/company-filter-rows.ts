import { type Fields, isFields, listOf, readFields } from './answer.ts';
import { type CompanySample, groupOf } from './samples.ts';

/** Two values of one filter field for one subject. */
export interface FilterValues {
  /** Finds the subject. */
  readonly hit: unknown;
  /** Shuts it out. */
  readonly miss: unknown;
}

export interface CompanyFilterRow {
  readonly field: string;
  /** `undefined` when nothing can be asked about this company. */
  readonly values: (
    company: CompanyUnderTest,
    others: readonly CompanyUnderTest[],
  ) => FilterValues | undefined;
}

export interface CompanyUnderTest extends CompanySample {
  /** No record shows them: those under which a search finds the company, of a few tried. */
  readonly sicCodes: readonly string[];
}

type Labels = (company: CompanyUnderTest) => readonly string[];
type Figure = (company: CompanyUnderTest) => unknown;

/** The specification's "Shared filter fields" of the company, in its order. */
export const COMPANY_FILTER_ROWS: readonly CompanyFilterRow[] = [
  ...opposites('q_organization_domains', 'not_q_organization_domains', domains),
  ...opposites('organization_location', 'not_organization_location', cities, places),
  ...opposites('organization_industry', 'organization_not_industry', industry, industries),
  ...opposites('organization_sic_industry', 'organization_not_sic_industry', ({ sicCodes }) => sicCodes),
  ...opposites('organization_naics_industry', 'organization_not_naics_industry', naicsCodes),
  including('organization_revenue_ranges', ({ found }) => textsOf(found['revenue_range'])),
  {
    field: 'organization_technology',
    values: anyAndOther(({ own, other }) => ({ hit: [other, own], miss: [other] })),
  },
  { field: 'organization_all_technology', values: allTools },
  {
    field: 'not_organization_technology',
    values: anyAndOther(({ own, other }) => ({ hit: [other], miss: [other, own] })),
  },
  flag('organization_has_web_app', 'has_web_app'),
  flag('organization_has_mobile_app', 'has_mobile_app'),
  including('organization_appstore_app_category', ({ found }) => textsOf(found['iosstore.app_category'])),
  including('organization_playstore_app_category', ({ found }) =>
    textsOf(found['androidstore.app_category']),
  ),
  range('organization_appstore_rating', ({ found }) => found['iosstore.top_rating'], 0.05),
  range('organization_playstore_rating', ({ found }) => found['androidstore.top_rating'], 0.05),
  range('organization_appstore_review_count', ({ found }) => found['iosstore.top_review_count']),
  range('organization_playstore_review_count', ({ found }) => found['androidstore.top_review_count']),
  flag('organization_is_website_for_sale', 'is_website_for_sale'),
  range('organization_website_traffic_total_monthly', ({ found }) => found['website_traffic.total_monthly']),
  range(
    'organization_website_traffic_monthly_organic',
    ({ found }) => found['website_traffic.monthly_organic'],
  ),
  { field: 'organization_website_traffic_monthly_paid', values: paidTraffic },
  range('organization_monthly_google_adspend', ({ found }) => found['monthly_google_adspend']),
  range('organization_funding_amount', (company) => lastRound(company)['amount']),
  range(
    'organization_funding_total_amount',
    (company) => groupOf(company.profile, 'funding')['total_funding'],
  ),
  range('organization_funding_date', monthsSinceFunding, 2),
  including('organization_funding_type', (company) => textsOf(lastRound(company)['type']), roundTypes),
  { field: 'organization_funding_lead_investors', values: leadInvestors },
  range('organization_funding_number_of_investors', (company) => soleRoundInvestors(company)?.length, 0.5),
  roleRange('organization_roles_count', 'role_count'),
  roleRange('organization_open_roles_count', 'open_roles_count'),
];

/** A field that includes and the one that excludes the same. @param all what else would include, if more. */
function opposites(
  field: string,
  notField: string,
  labels: Labels,
  all: Labels = labels,
): CompanyFilterRow[] {
  const row = including(field, labels, all);
  return [row, { field: notField, values: (...args) => turnedRound(row.values(...args)) }];
}

function turnedRound(values: FilterValues | undefined): FilterValues | undefined {
  return values && { hit: values.miss, miss: values.hit };
}

/** One label of the company's own, and one of another company that has nothing to do with any of its own. */
function including(field: string, labels: Labels, all: Labels = labels): CompanyFilterRow {
  return {
    field,
    values: (company, others) => {
      const [own] = labels(company);
      const other = others.flatMap(labels).find((label) => !all(company).some((one) => areAlike(one, label)));
      return own === undefined || other === undefined ? undefined : { hit: [own], miss: [other] };
    },
  };
}

/** Whether a lenient service could take one for the other: the same, a beginning of it, or a longer word shared. */
export function areAlike(one: string, other: string): boolean {
  const [short, long] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length);
  if (short === undefined || long === undefined || long.startsWith(short.slice(0, 3))) return true;
  const words = new Set(long.split(/[^\p{L}\p{N}]+/u));
  return short.split(/[^\p{L}\p{N}]+/u).some((word) => word.length > 2 && words.has(word));
}

function range(field: string, figure: Figure, slack = 1): CompanyFilterRow {
  return {
    field,
    values: (company) => {
      const number = figure(company);
      return typeof number === 'number' ? around(number, slack) : undefined;
    },
  };
}

/** Neither touches a bound: whether bounds are included is not said. */
export function around(number: number, slack: number): FilterValues {
  return {
    hit: { min: number - slack, max: number + slack },
    miss: { min: number + slack, max: number + 3 * slack },
  };
}

function flag(field: string, key: string): CompanyFilterRow {
  return {
    field,
    values: ({ found }) => {
      const isSo = found[key];
      return typeof isSo === 'boolean' ? { hit: isSo, miss: !isSo } : undefined;
    },
  };
}

function roleRange(field: string, group: string): CompanyFilterRow {
  return {
    field,
    values: ({ found }) => {
      const count = found[`${group}.sales`];
      if (typeof count !== 'number') return undefined;
      const { hit, miss } = around(count, 1);
      return { hit: [{ department: 'sales', range: hit }], miss: [{ department: 'sales', range: miss }] };
    },
  };
}

function anyAndOther(
  toValues: (tools: { own: string; other: string }) => FilterValues,
): CompanyFilterRow['values'] {
  return (company, others) => {
    const [own] = tools(company);
    const other = otherTool(company, others);
    return own === undefined || other === undefined ? undefined : toValues({ own, other });
  };
}

function allTools(company: CompanyUnderTest, others: readonly CompanyUnderTest[]): FilterValues | undefined {
  const [first, second] = tools(company);
  const other = otherTool(company, others);
  const isEnough = first !== undefined && second !== undefined && other !== undefined;
  return isEnough ? { hit: [first, second], miss: [first, other] } : undefined;
}

function otherTool(company: CompanyUnderTest, others: readonly CompanyUnderTest[]): string | undefined {
  return others.flatMap(tools).find((tool) => !tools(company).some((own) => areAlike(own, tool)));
}

/** No record shows the paid visits, but they are some of all visits. */
function paidTraffic({ found }: CompanySample): FilterValues | undefined {
  const total = found['website_traffic.total_monthly'];
  if (typeof total !== 'number') return undefined;
  return { hit: { min: -1, max: total + 1 }, miss: { min: total + 1, max: total * 1_000 + 2 } };
}

/** Who leads is not shown, but of the investors of a company's only round somebody does. */
function leadInvestors(
  company: CompanyUnderTest,
  others: readonly CompanyUnderTest[],
): FilterValues | undefined {
  const own = soleRoundInvestors(company);
  if (own === undefined || own.length === 0) return undefined;
  const all = others.flatMap(({ profile }) => listOf(groupOf(profile, 'funding'), 'investors').map(String));
  const strangers = all.filter((name) => !own.some((one) => areAlike(one, name)));
  return strangers.length === 0 ? undefined : { hit: own, miss: strangers.slice(0, 3) };
}

function soleRoundInvestors({ profile }: CompanySample): string[] | undefined {
  const funding = groupOf(profile, 'funding');
  if (listOf(funding, 'funding_rounds').length !== 1) return undefined;
  return listOf(funding, 'investors').map(String);
}

function lastRound({ profile }: CompanySample): Fields {
  return groupOf(groupOf(profile, 'funding'), 'last_funding_round');
}

function roundTypes({ profile }: CompanySample): string[] {
  const rounds = listOf(groupOf(profile, 'funding'), 'funding_rounds').map(readFields);
  return rounds.flatMap((round) => textsOf(round['type']));
}

const MONTH_DAYS = 365.25 / 12;

function monthsSinceFunding(company: CompanySample): number | undefined {
  const { date } = lastRound(company);
  return typeof date === 'string' ? daysSince(date) / MONTH_DAYS : undefined;
}

export function daysSince(date: string): number {
  return (Date.now() - Date.parse(date)) / 86_400_000;
}

function domains({ profile }: CompanySample): string[] {
  return listOf(profile, 'domains').map(String);
}

function cities({ profile }: CompanySample): string[] {
  return textsOf(groupOf(profile, 'headquarters')['city']);
}

/** Every name of every place of the company. */
function places({ profile }: CompanySample): string[] {
  const all = [profile['headquarters'], ...listOf(profile, 'locations')].filter(isFields);
  return all.flatMap(({ city, state, country }) => [city, state, country].flatMap(textsOf));
}

function industry({ found }: CompanySample): string[] {
  return textsOf(found['industry']);
}

function industries({ profile }: CompanySample): string[] {
  return [...textsOf(profile['industry']), ...listOf(profile, 'industries').map(String)];
}

function naicsCodes({ found }: CompanySample): string[] {
  return textsOf(found['industry_details.naics_code']).flatMap((codes) => codes.split(/\s*;\s*/));
}

function tools({ found }: CompanySample): string[] {
  const keys = Object.keys(found).filter((key) => key.startsWith('technologies.'));
  return keys.flatMap((key) => textsOf(found[key]));
}

function textsOf(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : [];
}
