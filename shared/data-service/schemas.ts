/** The shapes of the specification. Everything may be absent; what is there has the type that is named. */
import * as z from 'zod';
import type {
  CompanyInfo,
  CompanyProfileRecord,
  CompanySearchRecord,
  EmployeeRecord,
  Pagination,
  PersonRecord,
  Workspace,
} from './types.ts';

const text = z.string().exactOptional();
const number = z.number().exactOptional();
const flag = z.boolean().exactOptional();
const texts = z.array(z.string()).exactOptional();

export const workspaceSchema: z.ZodType<Workspace> = z.looseObject({ name: text, id: text, user_id: text });

export const personSchema: z.ZodType<PersonRecord> = z.looseObject({
  id: text,
  name: text,
  first_name: text,
  last_name: text,
  title: text,
  seniority: text,
  network_url: text,
  job_start_date: text,
  city: text,
  state: text,
  country: text,
  country_code: text,
  country_region: text,
  email: text,
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

export const companySearchSchema: z.ZodType<CompanySearchRecord> = z
  .looseObject({
    id: text,
    name: text,
    about_us: text,
    network_url: text,
    website_url: text,
    primary_domain: text,
    industry: text,
    specialties: text,
    founded_year: number,
    employee_count_range: text,
    employee_on_network_growth_rate: number,
    city: text,
    state: text,
    country: text,
    country_code: text,
    country_region: text,
    phone: text,
    postcode: text,
    street: text,
    revenue_range: text,
    has_cio: text,
    has_ciso: text,
    has_mobile_app: flag,
    has_web_app: flag,
    is_website_for_sale: flag,
    is_network_url_claimed: text,
    location_continent: text,
    location_count: number,
    valid_email_count: text,
    monthly_google_adspend: number,
    total_reviews: number,
  })
  .and(companyGroups);

export const employeeSchema: z.ZodType<EmployeeRecord> = z.looseObject({
  id: text,
  name: text,
  first_name: text,
  last_name: text,
  title: text,
  department: text,
  seniority: text,
  network_url: text,
  job_start_date: text,
  tenure_months: number,
  location: text,
  email: text,
  mobile_number: text,
  previous_companies: z
    .array(z.looseObject({ name: text, title: text, duration_months: number }))
    .exactOptional(),
});

const round = z.looseObject({ type: text, amount: number, date: text, valuation: number });

export const companyProfileSchema: z.ZodType<CompanyProfileRecord> = z.looseObject({
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
  company_size: text,
  employee_count: number,
  headquarters: z
    .looseObject({ address: text, city: text, state: text, country: text, postal_code: text })
    .exactOptional(),
  locations: z
    .array(z.looseObject({ city: text, state: text, country: text, is_headquarters: flag }))
    .exactOptional(),
  phone: text,
  logo_url: text,
  stock_symbol: text,
  type: text,
  annual_revenue: z.looseObject({ amount: number, currency: text, year: number }).exactOptional(),
  funding: z
    .looseObject({
      total_funding: number,
      last_funding_round: round.exactOptional(),
      funding_rounds: z.array(round).exactOptional(),
      investors: texts,
    })
    .exactOptional(),
  technology: z.looseObject({ categories: texts, tools: texts, integrations: texts }).exactOptional(),
  contacts: z
    .array(z.looseObject({ name: text, title: text, network_url: text, email: text }))
    .exactOptional(),
});

export const companyInfoSchema: z.ZodType<CompanyInfo> = z.looseObject({
  name: text,
  domain: text,
  total_employees_found: number,
});

export const paginationSchema: z.ZodType<Pagination> = z.looseObject({
  total: number,
  limit: number,
  offset: number,
  has_more: flag,
});

/** What surrounds `data` in a success; read apart from it. */
export const envelopeSchema = z.looseObject({ statusCode: number, message: text });

/** The body of every error that the specification lists. */
export const errorBodySchema = z.looseObject({ statusCode: number, message: text, error: text });
