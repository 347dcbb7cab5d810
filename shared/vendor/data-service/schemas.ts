/**
 * The service's records, with the vendor's names. Some nested groups are flat keys with dots. Any field can be absent.
 * Unknown keys are kept. Source: the specification's Resources.
 */
import * as z from 'zod';
import type { DeepReadonly } from '#shared/kernel';
import type { OperationName } from './operations.ts';

const text = z.string().exactOptional();
const number = z.number().exactOptional();
const flag = z.boolean().exactOptional();
const texts = z.array(z.string()).exactOptional();

const workspace = z.looseObject({ name: text, id: text, user_id: text });

const person = z.looseObject({
  id: text,
  name: text,
  first_name: text,
  last_name: text,
  title: text,
  seniority: text,
  network_url: text,
  /** `YYYY-MM-DD`. */
  job_start_date: text,
  city: text,
  state: text,
  country: text,
  /** Two letters, ISO 3166. */
  country_code: text,
  /** NORAM, EMEA, APAC or LATAM. */
  country_region: text,
  /** Only with `include_email`, never from reverse email lookup. */
  email: text,
  /** Only with `include_phone`, never from reverse phone lookup. */
  mobile_number: text,
  organization_id: text,
  'organizations.name': text,
  'organizations.network_url': text,
  'organizations.primary_domain': text,
  'organizations.website_url': text,
  'organizations.founded_year': number,
});

/** A group of flat dotted keys: `role_count.sales`, `role_count.it`, ... */
function group<Prefix extends string, Value extends z.ZodType>(prefix: Prefix, value: Value) {
  return z.looseRecord(z.templateLiteral([`${prefix}.`, z.string()]), value);
}

const companyGroups = z
  .intersection(group('headquarters', z.string()), group('role_count', z.number()))
  .and(group('open_roles_count', z.number()))
  .and(group('industry_details', z.string()))
  .and(group('technologies', z.string()))
  .and(group('website_traffic', z.number()))
  .and(group('iosstore', z.union([z.string(), z.number()])))
  .and(group('androidstore', z.union([z.string(), z.number()])));

const foundCompany = z
  .looseObject({
    id: text,
    name: text,
    about_us: text,
    network_url: text,
    website_url: text,
    primary_domain: text,
    industry: text,
    /** Separated by semicolons. */
    specialties: text,
    founded_year: number,
    /** A range as text. */
    employee_count_range: text,
    /** Per cent. */
    employee_on_network_growth_rate: number,
    city: text,
    state: text,
    country: text,
    country_code: text,
    country_region: text,
    phone: text,
    postcode: text,
    street: text,
    /** A range as text. */
    revenue_range: text,
    /** Yes, No or Unknown. */
    has_cio: text,
    /** Yes, No or Unknown. */
    has_ciso: text,
    has_mobile_app: flag,
    has_web_app: flag,
    is_website_for_sale: flag,
    is_network_url_claimed: text,
    location_continent: text,
    location_count: number,
    valid_email_count: text,
    /** Estimate, USD. */
    monthly_google_adspend: number,
    /** Reviews of the company's apps. */
    total_reviews: number,
  })
  .and(companyGroups);

const employee = z.looseObject({
  id: text,
  name: text,
  first_name: text,
  last_name: text,
  title: text,
  department: text,
  seniority: text,
  network_url: text,
  /** `YYYY-MM-DD`. */
  job_start_date: text,
  /** Months at the company. */
  tenure_months: number,
  /** City, state or `Remote`. */
  location: text,
  /** Only with `include_email`. */
  email: text,
  /** Only with `include_phone`. */
  mobile_number: text,
  previous_companies: z
    .array(z.looseObject({ name: text, title: text, duration_months: number }))
    .exactOptional(),
});

const round = z.looseObject({ type: text, amount: number, date: text, valuation: number });

const companyProfile = z.looseObject({
  id: text,
  name: text,
  network_url: text,
  website_url: text,
  primary_domain: text,
  domains: texts,
  description: text,
  industry: text,
  industries: texts,
  specialities: texts,
  founded_year: number,
  /** A range as text. */
  company_size: text,
  /** Estimate. */
  employee_count: number,
  headquarters: z
    .looseObject({ address: text, city: text, state: text, country: text, postal_code: text })
    .exactOptional(),
  locations: z
    .array(z.looseObject({ city: text, state: text, country: text, is_headquarters: flag }))
    .exactOptional(),
  phone: text,
  logo_url: text,
  /** Only for publicly traded companies. */
  stock_symbol: text,
  /** Public, Private, Non-profit, ... */
  type: text,
  annual_revenue: z.looseObject({ amount: number, currency: text, year: number }).exactOptional(),
  /** Only with `include_funding`. Amounts in USD. */
  funding: z
    .looseObject({
      total_funding: number,
      last_funding_round: round.exactOptional(),
      funding_rounds: z.array(round).exactOptional(),
      investors: texts,
    })
    .exactOptional(),
  /** Only with `include_technology`. */
  technology: z.looseObject({ categories: texts, tools: texts, integrations: texts }).exactOptional(),
  /** Only with `include_contacts`. */
  contacts: z
    .array(z.looseObject({ name: text, title: text, network_url: text, email: text }))
    .exactOptional(),
});

/** The `data` of a success, by operation. */
export const ANSWER_SCHEMAS = {
  checkKey: workspace,
  searchPeople: z.array(person),
  searchCompanies: z.array(foundCompany),
  searchEmployees: z.array(employee),
  lookUpPerson: person,
  personProfile: person,
  companyProfile,
  reverseEmail: person,
  reversePhone: person,
} satisfies Readonly<Record<OperationName, z.ZodType>>;

/** `company_info` of employee search. */
export const companyInfoSchema = z.looseObject({
  name: text,
  domain: text,
  /** Number of all matching employees, not only the employees on this page. */
  total_employees_found: number,
});

/** `pagination` of employee search. */
export const paginationSchema = z.looseObject({
  total: number,
  limit: number,
  offset: number,
  has_more: flag,
});

/** The fields of a success other than `data`, which is parsed separately. */
export const envelopeSchema = z.looseObject({ statusCode: number, message: text });

/** The body of the specification's errors. */
export const errorBodySchema = z.looseObject({ statusCode: number, message: text, error: text });

/** The type of `data` of an answer, by operation. */
export type OperationData = {
  readonly [Name in OperationName]: DeepReadonly<z.infer<(typeof ANSWER_SCHEMAS)[Name]>>;
};
export type CompanyInfo = DeepReadonly<z.infer<typeof companyInfoSchema>>;
export type Pagination = DeepReadonly<z.infer<typeof paginationSchema>>;
