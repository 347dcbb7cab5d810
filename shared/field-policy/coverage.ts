import { isSearch, LOOKUPS, type Question } from '#shared/questions';
import type { QuestionOption } from '#shared/vendor';
import type { FieldRule } from './field-rule.ts';

const PERSON = [
  ...['id', 'name', 'first_name', 'last_name', 'title', 'seniority', 'network_url', 'job_start_date'],
  ...['city', 'state', 'country', 'country_code', 'country_region', 'organization_id', 'organizations.name'],
  ...['organizations.network_url', 'organizations.primary_domain', 'organizations.website_url'],
  'organizations.founded_year',
];

const COMPANY = [
  ...['id', 'name', 'network_url', 'website_url', 'primary_domain', 'domains', 'description', 'industry'],
  ...['industries', 'specialities', 'founded_year', 'company_size', 'employee_count', 'headquarters'],
  ...['locations', 'phone', 'logo_url', 'stock_symbol', 'type', 'annual_revenue'],
];

/** The key that each option adds. */
const KEY_OF_OPTION: Readonly<Record<QuestionOption, string>> = {
  email: 'email',
  phone: 'mobile_number',
  funding: 'funding',
  technology: 'technology',
  contacts: 'contacts',
};

/** All keys of the data service's records, by object type. */
export const RECORD_KEYS = {
  contacts: [...PERSON, KEY_OF_OPTION.email, KEY_OF_OPTION.phone],
  companies: [...COMPANY, KEY_OF_OPTION.funding, KEY_OF_OPTION.technology, KEY_OF_OPTION.contacts],
} as const;

/** Options of a company profile. */
export const COMPANY_OPTIONS = ['funding', 'technology', 'contacts'] as const;

/** The first key of the path from which a rule takes its value. */
export function answerKeyOf({ from }: Pick<FieldRule, 'from'>): string {
  return (typeof from === 'string' ? from.split('/')[0] : from[0]) ?? '';
}

/** Whether an answer to the question can hold the key. */
export function canFill(question: Question, key: string): boolean {
  const keys = LOOKUPS[question.operation].about === 'person' ? PERSON : COMPANY;
  const isBase = !isSearch(question) && keys.includes(key);
  return isBase || question.options.some((option) => KEY_OF_OPTION[option] === key);
}

/** Whether an option adds any of the keys. */
export function adds(option: QuestionOption, keys: ReadonlySet<string>): boolean {
  return keys.has(KEY_OF_OPTION[option]);
}
