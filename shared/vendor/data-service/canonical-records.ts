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
import type { Company, Lookup, Person } from '../vendor.ts';
import { isObject } from './schemas.ts';

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

/** How a field becomes a canonical field. A value of another type is damaged. */
interface Row<To extends string = string> {
  readonly to: To;
  readonly type: 'string' | 'number' | 'boolean' | 'object';
  readonly clean?: (value: never, context: CleaningContext) => Cleaned<unknown>;
  /** Only for an object. */
  readonly fields?: Table;
  /** A field of the object without which the others say nothing. */
  readonly needs?: string | undefined;
  readonly isList?: true;
}
type Table<To extends string = string> = { readonly [field: string]: Row<To> };

function text<To extends string>(
  to: To,
  clean: (text: string, context: CleaningContext) => Cleaned,
): Row<To> {
  return { to, type: 'string', clean };
}

function number<To extends string>(
  to: To,
  clean: (value: number, context: CleaningContext) => Cleaned<number>,
): Row<To> {
  return { to, type: 'number', clean };
}

function group<To extends string>(to: To, fields: Table, needs?: string): Row<To> {
  return { to, type: 'object', fields, needs };
}

function list<To extends string>(row: Row<To>): Row<To> {
  return { ...row, isList: true };
}

const label = (given: string) => cleanText(given);
const placeLine = (given: string) => cleanText(given, 'place');
const industry = (given: string) => cleanText(given, 'industry');
const year = (value: number, { nowMs }: CleaningContext) => cleanPastYear(value, nowMs);
const pastDay = (given: string, { nowMs }: CleaningContext) => cleanDay(given, nowMs);
/** A start may be announced before its day. */
const startDay = (given: string, { nowMs }: CleaningContext) => cleanDay(given, nowMs + 365 * DAY_MS);

function companyDomain(given: string, { askedDomain }: CleaningContext): Cleaned {
  const cleaned = cleanCompanyDomain(given);
  if (cleaned.unusable !== 'shared-host' || askedDomain === undefined) return cleaned;
  const host = cleanHost(given);
  const isAsked =
    host.value !== undefined && registrableDomain(askedDomain) === registrableDomain(host.value);
  return isAsked ? host : cleaned;
}

function website(given: string, context: CleaningContext): Cleaned {
  const cleaned = cleanWebsite(given);
  const isOwn = cleaned.unusable === 'shared-host' && companyDomain(given, context).value !== undefined;
  return isOwn ? cleanUrl(given) : cleaned;
}

/** A company that earned less in a year, in any currency, is one that nobody asked. */
const MIN_REVENUE = 1_000;

function cleanRevenue(amount: number): Cleaned<number> {
  return amount > 0 && amount < MIN_REVENUE ? { unusable: 'sentinel' } : cleanAmount(amount);
}

/** A text without a row. It may spell a boolean. */
function anyText(given: string): Cleaned {
  return /^(?:true|false)$/i.test(given.trim()) ? { value: given.trim() } : cleanParagraphs(given);
}

/**
 * Each field with its name in a canonical record and how it is cleaned. Other fields keep the vendor's name, in `raw`.
 * Source: the specification's Resources. Any field can be absent.
 */
const PERSON = {
  id: text('id', cleanId),
  name: text('name', cleanPersonName),
  first_name: text('firstName', cleanPersonName),
  last_name: text('lastName', cleanPersonName),
  title: text('title', cleanTitle),
  seniority: text('seniority', label),
  network_url: text('profileUrl', cleanProfileUrl),
  job_start_date: text('jobStartDate', startDay),
  city: text('city', cleanCity),
  state: text('state', cleanPlace),
  country: text('country', cleanPlace),
  country_code: text('countryCode', label),
  country_region: text('region', label),
  email: text('email', cleanEmail),
  mobile_number: text('mobilePhone', cleanPhone),
  organization_id: text('employerId', cleanId),
  'organizations.name': text('employerName', cleanCompanyName),
  'organizations.network_url': text('employerPageUrl', cleanPageUrl),
  'organizations.primary_domain': text('employerDomain', companyDomain),
  'organizations.website_url': text('employerWebsite', website),
  'organizations.founded_year': number('employerFoundedYear', year),
  // Only in an employee search.
  department: text('department', label),
  location: text('location', label),
  previous_companies: list(
    group('previousCompanies', { name: text('name', cleanCompanyName), title: text('title', cleanTitle) }),
  ),
} satisfies Table<keyof Person>;

const PLACE = {
  city: text('city', cleanCity),
  state: text('state', cleanPlace),
  country: text('country', cleanPlace),
};

const ROUND = {
  type: text('type', label),
  amount: number('amount', cleanAmount),
  valuation: number('valuation', cleanAmount),
  date: text('date', pastDay),
};

const COMPANY = {
  id: text('id', cleanId),
  name: text('name', cleanCompanyName),
  network_url: text('pageUrl', cleanPageUrl),
  website_url: text('website', website),
  primary_domain: text('domain', companyDomain),
  domains: list(text('domains', companyDomain)),
  description: text('description', cleanParagraphs),
  industry: text('industry', industry),
  industries: list(text('industries', industry)),
  specialities: list(text('specialities', label)),
  founded_year: number('foundedYear', year),
  company_size: text('employeeRange', cleanEmployeeRange),
  employee_count: number('employeeCount', cleanHeadCount),
  headquarters: group('headquarters', {
    ...PLACE,
    address: text('address', placeLine),
    postal_code: text('postalCode', cleanPostalCode),
  }),
  locations: list(
    group('locations', { ...PLACE, is_headquarters: { to: 'isHeadquarters', type: 'boolean' } }),
  ),
  phone: text('phone', cleanPhone),
  logo_url: text('logoUrl', cleanPictureUrl),
  stock_symbol: text('stockSymbol', label),
  type: text('type', label),
  annual_revenue: group(
    'revenue',
    {
      amount: number('amount', cleanRevenue),
      currency: text('currency', cleanCurrency),
      year: number('year', year),
    },
    'amount',
  ),
  funding: group('funding', {
    total_funding: number('total', cleanAmount),
    last_funding_round: group('lastRound', ROUND),
    funding_rounds: list(group('rounds', ROUND)),
    investors: list(text('investors', label)),
  }),
  technology: group('technology', {
    categories: list(text('categories', label)),
    tools: list(text('tools', label)),
    integrations: list(text('integrations', label)),
  }),
  contacts: list(
    group('contacts', {
      name: PERSON.name,
      title: PERSON.title,
      network_url: PERSON.network_url,
      email: PERSON.email,
    }),
  ),
  // Only in a company search.
  about_us: text('description', cleanParagraphs),
  employee_count_range: text('employeeRange', cleanEmployeeRange),
  revenue_range: text('revenueRange', label),
} satisfies Table<keyof Company>;

interface Cleaning {
  readonly context: CleaningContext;
  readonly onUnusable: (unusable: UnusableField) => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** Makes a canonical record of a record of the service. Fields without a row are cleaned by their type, in `raw`. */
export function canonicalRecord(record: object, about: Lookup['about'], cleaning: Cleaning): Fields {
  const table = about === 'person' ? PERSON : COMPANY;
  const known = cleanFields(record, table, '', cleaning);
  const raw = cleanRest(restOf(record, table), 'raw', cleaning);
  return { ...known, ...(raw !== undefined && { raw }) };
}

/** Returns the fields without a row, also those of objects. */
function restOf(record: object, table: Table): Fields {
  const rest = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    const row = rowOf(table, field);
    if (row === undefined) return [[field, value]];
    return row.fields && isObject(value) ? [[field, restOf(value, row.fields)]] : [];
  });
  return Object.fromEntries(rest);
}

/** Cleans a value without a row. An object without values is absent. */
function cleanRest(value: unknown, path: string, cleaning: Cleaning): unknown {
  if (value === null) return undefined;
  if (typeof value === 'string') return usable(anyText(value), path, cleaning);
  if (Array.isArray(value)) return present(value.map((item) => cleanRest(item, path, cleaning)));
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    cleanRest(inner, `${path}/${name}`, cleaning),
  ]);
  const left = fields.filter(([, inner]) => inner !== undefined);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function cleanFields(record: object, table: Table, path: string, cleaning: Cleaning): Fields {
  const fields = Object.entries(record).flatMap(([field, value]): [string, unknown][] => {
    const row = rowOf(table, field);
    if (row === undefined) return [];
    const cleaned = cleanValue(value, row, path + row.to, cleaning);
    return cleaned === undefined ? [] : [[row.to, cleaned]];
  });
  return Object.fromEntries(fields);
}

function cleanValue(value: unknown, row: Row, path: string, cleaning: Cleaning): unknown {
  if (value === undefined || value === null) return undefined;
  const { isList, ...item } = row;
  if (isList && Array.isArray(value))
    return present(value.map((each) => cleanValue(each, item, path, cleaning)));
  if (isList || Array.isArray(value) || typeof value !== row.type)
    return usable({ unusable: 'malformed' }, path, cleaning);
  if (row.fields) {
    const group = cleanFields(value, row.fields, `${path}/`, cleaning);
    return row.needs === undefined || row.needs in group ? group : undefined;
  }
  return row.clean ? usable(row.clean(value as never, cleaning.context), path, cleaning) : value;
}

function usable({ value, unusable }: Cleaned<unknown>, field: string, { onUnusable }: Cleaning): unknown {
  if (unusable !== undefined && unusable !== 'blank') onUnusable({ field, why: unusable });
  return value;
}

function present(values: readonly unknown[]): unknown[] {
  return values.filter((value) => value !== undefined);
}

function rowOf(table: Table, field: string): Row | undefined {
  return Object.hasOwn(table, field) ? table[field] : undefined;
}
