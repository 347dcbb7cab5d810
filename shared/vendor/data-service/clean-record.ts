/**
 * Cleans a record of the service. A value that means "unknown", is masked, a placeholder or damaged is absent, and is
 * reported. The tables name how each field is cleaned; other fields stay as they are.
 */
import {
  type Cleaned,
  cleanAmount,
  cleanCompanyDomain,
  cleanCompanyName,
  cleanCurrency,
  cleanDay,
  cleanEmail,
  cleanEmployeeRange,
  cleanHeadCount,
  cleanHost,
  cleanId,
  cleanParagraphs,
  cleanPastYear,
  cleanPersonName,
  cleanPhone,
  cleanPlace,
  cleanPostalCode,
  cleanText,
  cleanUrl,
  cleanWebsite,
  registrableDomain,
} from '#shared/identity';
import { DAY_MS } from '#shared/kernel';
import type { OperationName } from './operations.ts';

/** Why a field has no value. */
export interface UnusableField {
  /** Path of the field, such as `headquarters/city`. */
  readonly field: string;
  readonly why: NonNullable<Cleaned['unusable']>;
}

export interface CleaningContext {
  readonly nowMs: number;
  /** Domain in the question. It is the company's, even if a network or a mail provider is this company. */
  readonly askedDomain?: string | undefined;
}

type Cleaner = (value: never, context: CleaningContext) => Cleaned<unknown>;
type Table = { readonly [field: string]: Cleaner | Table };

const label = (text: string) => cleanText(text);
const placeLine = (text: string) => cleanText(text, 'place');
const title = (text: string) => cleanText(text, 'job-title');
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

/** An amount's currency and year say nothing without the amount. */
function revenue(given: Revenue, context: CleaningContext): Cleaned<Revenue> {
  const { amount, currency, year: ofYear, ...rest } = given;
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

const PERSON: Table = {
  name: cleanPersonName,
  first_name: cleanPersonName,
  last_name: cleanPersonName,
  title,
  seniority: label,
  network_url: cleanUrl,
  job_start_date: startDay,
  city: cleanPlace,
  state: cleanPlace,
  country: cleanPlace,
  country_code: label,
  country_region: label,
  email: cleanEmail,
  mobile_number: cleanPhone,
  organization_id: cleanId,
  'organizations.name': cleanCompanyName,
  'organizations.network_url': cleanUrl,
  'organizations.primary_domain': companyDomain,
  'organizations.website_url': website,
  'organizations.founded_year': year,
};

const EMPLOYEE: Table = {
  name: cleanPersonName,
  first_name: cleanPersonName,
  last_name: cleanPersonName,
  title,
  department: label,
  seniority: label,
  network_url: cleanUrl,
  job_start_date: startDay,
  location: label,
  email: cleanEmail,
  mobile_number: cleanPhone,
  previous_companies: { name: cleanCompanyName, title },
};

const FOUND_COMPANY: Table = {
  name: cleanCompanyName,
  about_us: cleanParagraphs,
  network_url: cleanUrl,
  website_url: website,
  primary_domain: companyDomain,
  industry: label,
  specialties: label,
  founded_year: year,
  employee_count_range: cleanEmployeeRange,
  city: cleanPlace,
  state: cleanPlace,
  country: cleanPlace,
  country_code: label,
  phone: cleanPhone,
  postcode: cleanPostalCode,
  street: placeLine,
};

const ROUND: Table = { type: label, amount: cleanAmount, valuation: cleanAmount, date: pastDay };

const COMPANY: Table = {
  name: cleanCompanyName,
  network_url: cleanUrl,
  website_url: website,
  primary_domain: companyDomain,
  domains: companyDomain,
  description: cleanParagraphs,
  industry: label,
  industries: label,
  specialities: label,
  founded_year: year,
  company_size: cleanEmployeeRange,
  employee_count: cleanHeadCount,
  headquarters: {
    address: placeLine,
    city: cleanPlace,
    state: cleanPlace,
    country: cleanPlace,
    postal_code: cleanPostalCode,
  },
  locations: { city: cleanPlace, state: cleanPlace, country: cleanPlace },
  phone: cleanPhone,
  logo_url: cleanUrl,
  stock_symbol: label,
  type: label,
  annual_revenue: revenue,
  funding: { total_funding: cleanAmount, last_funding_round: ROUND, funding_rounds: ROUND, investors: label },
  technology: { categories: label, tools: label, integrations: label },
  contacts: { name: cleanPersonName, title, network_url: cleanUrl, email: cleanEmail },
};

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

interface Cleaning {
  readonly context: CleaningContext;
  readonly onUnusable: (unusable: UnusableField) => void;
}

/** Cleans a record, or each record of a list. */
export function cleanRecords<Data>(data: Data, operation: OperationName, cleaning: Cleaning): Data {
  return cleanValue(data, { row: TABLES[operation], path: '', ...cleaning }) as Data;
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
    if (rowOfField === undefined) return [[field, inner]];
    const pathOfField = path === '' ? field : `${path}/${field}`;
    const cleaned = cleanValue(inner, { row: rowOfField, path: pathOfField, ...cleaning });
    return cleaned === undefined ? [] : [[field, cleaned]];
  });
  return Object.fromEntries(fields);
}
