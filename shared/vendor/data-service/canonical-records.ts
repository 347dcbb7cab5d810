/**
 * Makes canonical records of the service's records. A value that means "unknown", is masked, a placeholder or damaged is
 * absent, and is reported.
 */
import {
  type Cleaned,
  cleanAmount,
  cleanCity,
  cleanCompanyDomain,
  cleanCompanyName,
  cleanCurrency,
  cleanDay,
  cleanEmail,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanHost,
  cleanId,
  cleanPageUrl,
  cleanParagraphs,
  cleanPastYear,
  cleanPersonName,
  cleanPhone,
  cleanPictureUrl,
  cleanPlace,
  cleanPostalCode,
  cleanProfileUrl,
  cleanText,
  cleanTitle,
  cleanUrl,
  cleanWebsite,
  registrableDomain,
} from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { Company, Person } from '../canonical.ts';
import type { OperationName } from './operations.ts';

/** Why a field has no value. */
export interface UnusableField {
  /** Path of the canonical field, such as `headquarters/city`. */
  readonly field: string;
  readonly why: NonNullable<Cleaned['unusable']>;
}

export interface CleaningContext {
  readonly nowMs: number;
  /** Domain in the question. It is the company's, even if a network or a mail provider is this company. */
  readonly askedDomain?: string | undefined;
}

type Cleaner = (value: never, context: CleaningContext) => Cleaned<unknown>;
type Table<To = string> = { readonly [field: string]: readonly [to: To, clean: Cleaner | Table] };

const asGiven = (value: unknown): Cleaned<unknown> => ({ value });
const label = (text: string) => cleanText(text);
const industry = (text: string) => cleanText(text, 'industry');
const year = (value: number, { nowMs }: CleaningContext) => cleanPastYear(value, nowMs);
const pastDay = (text: string, { nowMs }: CleaningContext) => cleanDay(text, nowMs);

/** A start may be announced before its day. */
const startDay = (text: string, { nowMs }: CleaningContext) => cleanDay(text, nowMs + 365 * DAY_MS);

function companyDomain(text: string, { askedDomain }: CleaningContext): Cleaned {
  const cleaned = cleanCompanyDomain(text);
  if (cleaned.unusable !== 'shared-host' || askedDomain === undefined) return cleaned;
  const host = cleanHost(text);
  const isAsked =
    host.value !== undefined && registrableDomain(askedDomain) === registrableDomain(host.value);
  return isAsked ? host : cleaned;
}

function website(text: string, context: CleaningContext): Cleaned {
  const cleaned = cleanWebsite(text);
  const isOwn = cleaned.unusable === 'shared-host' && companyDomain(text, context).value !== undefined;
  return isOwn ? cleanUrl(text) : cleaned;
}

/** A company that earned less in a year, in any currency, is one that nobody asked. */
const MIN_REVENUE = 1_000;

/** An amount's currency and year say nothing without the amount. */
function revenue(given: Revenue, context: CleaningContext): Cleaned<Revenue> {
  const { amount, currency, year: ofYear, ...rest } = given;
  const isSample = amount !== undefined && amount > 0 && amount < MIN_REVENUE;
  if (isSample) return { unusable: 'sentinel' };
  const cleaned = amount === undefined ? undefined : cleanAmount(amount);
  if (cleaned?.value === undefined) return { unusable: cleaned?.unusable ?? 'blank' };
  const code = currency === undefined ? undefined : cleanCurrency(currency).value;
  const past = ofYear === undefined ? undefined : year(ofYear, context).value;
  return {
    value: {
      ...rest,
      amount: cleaned.value,
      ...(code !== undefined && { currency: code }),
      ...(past !== undefined && { year: past }),
    },
  };
}

interface Revenue {
  readonly amount?: number;
  readonly currency?: string;
  readonly year?: number;
}

/** Each field with its name in a canonical record and how it is cleaned. Other fields stay as they are, in `raw`. */
const PERSON = {
  id: ['id', asGiven],
  name: ['name', cleanPersonName],
  first_name: ['firstName', cleanPersonName],
  last_name: ['lastName', cleanPersonName],
  title: ['title', cleanTitle],
  seniority: ['seniority', label],
  network_url: ['profileUrl', cleanProfileUrl],
  job_start_date: ['jobStartDate', startDay],
  city: ['city', cleanCity],
  state: ['state', cleanPlace],
  country: ['country', cleanPlace],
  country_code: ['countryCode', label],
  country_region: ['region', label],
  email: ['email', cleanEmail],
  mobile_number: ['mobilePhone', cleanPhone],
  organization_id: ['employerId', cleanId],
  'organizations.name': ['employerName', cleanCompanyName],
  'organizations.network_url': ['employerPageUrl', cleanPageUrl],
  'organizations.primary_domain': ['employerDomain', companyDomain],
  'organizations.website_url': ['employerWebsite', website],
  'organizations.founded_year': ['employerFoundedYear', year],
} satisfies Table<keyof Person>;

const EMPLOYEE = {
  ...PERSON,
  department: ['department', label],
  location: ['location', label],
  previous_companies: [
    'previousCompanies',
    { name: ['name', cleanCompanyName], title: ['title', cleanTitle] },
  ],
} satisfies Table<keyof Person>;

const PLACE = {
  city: ['city', cleanCity],
  state: ['state', cleanPlace],
  country: ['country', cleanPlace],
} satisfies Table;

const ROUND = {
  type: ['type', label],
  amount: ['amount', cleanAmount],
  valuation: ['valuation', cleanAmount],
  date: ['date', pastDay],
} satisfies Table;

const COMPANY = {
  id: ['id', asGiven],
  name: ['name', cleanCompanyName],
  network_url: ['pageUrl', cleanPageUrl],
  website_url: ['website', website],
  primary_domain: ['domain', companyDomain],
  domains: ['domains', companyDomain],
  description: ['description', cleanParagraphs],
  industry: ['industry', industry],
  industries: ['industries', industry],
  specialities: ['specialities', label],
  founded_year: ['foundedYear', year],
  company_size: ['employeeRange', cleanEmployeeRange],
  employee_count: ['employeeCount', cleanHeadCount],
  headquarters: [
    'headquarters',
    { ...PLACE, address: ['address', cleanPlace], postal_code: ['postalCode', cleanPostalCode] },
  ],
  locations: ['locations', { ...PLACE, is_headquarters: ['isHeadquarters', asGiven] }],
  phone: ['phone', cleanPhone],
  logo_url: ['logoUrl', cleanPictureUrl],
  stock_symbol: ['stockSymbol', label],
  type: ['type', label],
  annual_revenue: ['revenue', revenue],
  funding: [
    'funding',
    {
      total_funding: ['total', cleanAmount],
      last_funding_round: ['lastRound', ROUND],
      funding_rounds: ['rounds', ROUND],
      investors: ['investors', label],
    },
  ],
  technology: [
    'technology',
    { categories: ['categories', label], tools: ['tools', label], integrations: ['integrations', label] },
  ],
  contacts: [
    'contacts',
    { name: PERSON.name, title: PERSON.title, network_url: PERSON.network_url, email: PERSON.email },
  ],
} satisfies Table<keyof Company>;

const FOUND_COMPANY = {
  id: COMPANY.id,
  name: COMPANY.name,
  about_us: COMPANY.description,
  network_url: COMPANY.network_url,
  website_url: COMPANY.website_url,
  primary_domain: COMPANY.primary_domain,
  industry: COMPANY.industry,
  founded_year: COMPANY.founded_year,
  employee_count_range: COMPANY.company_size,
  revenue_range: ['revenueRange', label],
  phone: COMPANY.phone,
} satisfies Table<keyof Company>;

const TABLES: Readonly<Record<OperationName, Table>> = {
  checkKey: {},
  searchPeople: PERSON,
  searchEmployees: EMPLOYEE,
  lookUpPerson: PERSON,
  personProfile: PERSON,
  reverseEmail: PERSON,
  reversePhone: PERSON,
  searchCompanies: FOUND_COMPANY,
  companyProfile: COMPANY,
};

/** Returns the canonical fields that an operation can yield. */
export function canonicalFields(operation: OperationName): string[] {
  return Object.values(TABLES[operation]).map(([to]) => to);
}

interface Cleaning {
  readonly context: CleaningContext;
  readonly onUnusable: (unusable: UnusableField) => void;
}

/** Makes a canonical record of a record of the service. Fields without a row stay in `raw`. */
export function canonicalRecord(record: object, operation: OperationName, cleaning: Cleaning): object {
  const table = TABLES[operation];
  const known = cleanValue(record, { row: table, path: '', ...cleaning }) as object;
  const raw = restOf(record, table);
  return { ...known, ...(raw.length > 0 && { raw: Object.fromEntries(raw) }) };
}

/** Returns the fields without a row, also those of objects. */
function restOf(record: object, table: Table): [string, unknown][] {
  return Object.entries(record).flatMap(([field, inner]): [string, unknown][] => {
    const [, row] = (Object.hasOwn(table, field) ? table[field] : undefined) ?? [];
    if (row === undefined) return [[field, inner]];
    if (typeof row === 'function' || Array.isArray(inner)) return [];
    const rest = restOf(inner, row);
    return rest.length === 0 ? [] : [[field, Object.fromEntries(rest)]];
  });
}

function cleanValue(
  value: unknown,
  { row, path, ...cleaning }: Cleaning & { readonly row: Cleaner | Table; readonly path: string },
): unknown {
  if (Array.isArray(value))
    return value
      .map((item: unknown) => cleanValue(item, { row, path, ...cleaning }))
      .filter((item) => item !== undefined);
  if (typeof row === 'function') {
    const cleaned = row(value as never, cleaning.context);
    if (cleaned.unusable !== undefined && cleaned.unusable !== 'blank')
      cleaning.onUnusable({ field: path, why: cleaned.unusable });
    return cleaned.value;
  }
  const fields = Object.entries(value ?? {}).flatMap(([field, inner]): [string, unknown][] => {
    const rowOfField = Object.hasOwn(row, field) ? row[field] : undefined;
    if (rowOfField === undefined) return [];
    const [to, clean] = rowOfField;
    const cleaned = cleanValue(inner, { row: clean, path: path === '' ? to : `${path}/${to}`, ...cleaning });
    return cleaned === undefined ? [] : [[to, cleaned]];
  });
  return Object.fromEntries(fields);
}
