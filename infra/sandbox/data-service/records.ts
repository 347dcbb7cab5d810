import type { ContactOptions } from './requests.ts';
import { isoDay, monthsBetween, SENIORITIES } from './world/tables.ts';
import {
  type Address,
  type Company,
  type FundingRound,
  type Job,
  jobAt,
  type Person,
  pastJobsAt,
} from './world/world.ts';

export const EVERYTHING: ContactOptions = { email: true, phone: true };

/** The specification's "Person record". */
export function personRecord(person: Person, nowMs: number, options: ContactOptions): WireRecord {
  const job = jobAt(person, nowMs);
  const { place } = person;
  return withoutGaps({
    id: person.id,
    name: fullName(person),
    first_name: person.firstName,
    last_name: person.lastName,
    title: job.title,
    seniority: job.seniority === 'C-Suite' ? 'C-Team' : job.seniority,
    network_url: profileUrl(person.networkSlug),
    job_start_date: jobStartDate(job),
    city: place.city,
    state: place.state,
    country: place.country,
    country_code: place.countryCode,
    country_region: place.region,
    email: options.email ? job.email : undefined,
    mobile_number: options.phone ? person.mobile : undefined,
    organization_id: job.company.id,
    'organizations.name': job.company.name,
    'organizations.network_url': companyPageUrl(job.company.networkSlug),
    'organizations.primary_domain': job.company.domains[0],
    'organizations.website_url': websiteUrl(job.company.domains[0]),
    'organizations.founded_year': job.company.foundedYear,
  });
}

export function fullName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

function jobStartDate(job: Job): string | undefined {
  return job.isStartKnown ? isoDay(job.startMs) : undefined;
}

/** The specification's "Employee record". */
export function employeeRecord(person: Person, nowMs: number, options: ContactOptions): WireRecord {
  const job = jobAt(person, nowMs);
  return withoutGaps({
    id: person.id,
    name: fullName(person),
    first_name: person.firstName,
    last_name: person.lastName,
    title: job.title,
    department: job.department,
    seniority: job.seniority,
    network_url: profileUrl(person.networkSlug),
    job_start_date: jobStartDate(job),
    tenure_months: job.isStartKnown ? monthsBetween(job.startMs, nowMs) : undefined,
    location: employeeLocation(person),
    email: options.email ? job.email : undefined,
    mobile_number: options.phone ? person.mobile : undefined,
    previous_companies: pastJobsAt(person, nowMs).map(({ name, title, durationMonths }) => ({
      name,
      title,
      duration_months: durationMonths,
    })),
  });
}

/** "City, state or `Remote`". The country, if the service knows neither city nor state. */
function employeeLocation({ isRemote, place }: Person): string {
  if (isRemote) return 'Remote';
  const parts = [place.city, place.state].filter((part) => part !== undefined);
  return parts.length === 0 ? place.country : parts.join(', ');
}

/** The specification's "Company search record". The fields of each option are our choice. */
export function companySearchRecord(company: Company, options: ReadonlySet<string>): WireRecord {
  return withoutGaps({
    ...basics(company),
    ...(options.has('extra') ? { location_count: company.locations.length } : {}),
    ...(options.has('funding') ? flattened('funding', funding(company)) : {}),
    ...(options.has('technology') ? flattened('technologies', company.technologies) : {}),
    ...(options.has('website_traffic') ? { 'website_traffic.total_monthly': company.visits } : {}),
    ...(options.has('headcount_growth') ? { employee_on_network_growth_rate: company.growthPercent } : {}),
  });
}

function basics(company: Company) {
  const [seat] = company.locations;
  return {
    id: company.id,
    name: company.name,
    about_us: company.about,
    network_url: companyPageUrl(company.networkSlug),
    website_url: websiteUrl(company.domains[0]),
    primary_domain: company.domains[0],
    industry: company.industry,
    specialties: company.specialties.join('; '),
    founded_year: company.foundedYear,
    employee_count_range: company.sizeLabel,
    city: seat.city,
    state: seat.state,
    country: seat.country,
    country_code: seat.countryCode,
    country_region: seat.region,
    ...flattened('headquarters', { city: seat.city, country_name: seat.country, state: seat.state }),
    phone: company.phone,
    postcode: seat.postcode,
    street: seat.street,
    revenue_range: company.revenue?.label,
  };
}

/** The specification does not list the keys of this group, so the keys of the company profile's `funding` are used. */
function funding(company: Company) {
  const last = company.funding.at(-1);
  const total = company.funding.reduce((sum, round) => sum + (round.amount ?? 0), 0);
  return {
    total_funding: last === undefined ? undefined : total,
    ...flattened('last_funding_round', {
      type: last?.type,
      amount: last?.amount,
      date: last?.date,
      valuation: last?.valuation,
    }),
    investors: Array.from(new Set(company.funding.flatMap((round) => round.investors))).join('; '),
  };
}

export interface ProfileOptions {
  readonly funding: boolean;
  readonly technology: boolean;
  readonly contacts: boolean;
}

/** The specification's "Company profile record". @param staff the present employees. */
export function companyProfileRecord(
  company: Company,
  { staff, nowMs, options }: { staff: readonly Person[]; nowMs: number; options: ProfileOptions },
): WireRecord {
  const [seat] = company.locations;
  return withoutGaps({
    id: company.id,
    name: company.name,
    network_url: companyPageUrl(company.networkSlug),
    website_url: websiteUrl(company.domains[0]),
    primary_domain: company.domains[0],
    domains: company.domains,
    description: company.about,
    industry: company.industry,
    industries: company.industries,
    specialities: company.specialties,
    founded_year: company.foundedYear,
    company_size: company.sizeLabel,
    employee_count: company.employeeCount,
    headquarters: headquarters(seat),
    locations: company.locations.map(location),
    phone: company.phone,
    logo_url: `${websiteUrl(company.domains[0])}/logo.png`,
    stock_symbol: company.stockSymbol,
    type: company.type,
    annual_revenue:
      company.revenue === undefined
        ? undefined
        : { amount: company.revenue.amount, currency: 'USD', year: company.revenue.year },
    funding: options.funding ? fundingGroup(company) : undefined,
    technology: options.technology ? technologyGroup(company) : undefined,
    contacts: options.contacts ? contacts(staff, nowMs) : undefined,
  });
}

function headquarters(seat: Address): WireRecord {
  return withoutGaps({
    address: seat.street,
    city: seat.city,
    state: seat.state,
    country: seat.country,
    postal_code: seat.postcode,
  });
}

function location({ city, state, country, isHeadquarters }: Address): WireRecord {
  return withoutGaps({ city, state, country, is_headquarters: isHeadquarters });
}

function fundingGroup({ funding }: Company): WireRecord | undefined {
  const last = funding.at(-1);
  if (last === undefined) return undefined;
  return withoutGaps({
    total_funding: funding.reduce((sum, round) => sum + (round.amount ?? 0), 0),
    last_funding_round: fundingRound(last),
    funding_rounds: funding.map(fundingRound),
    investors: Array.from(new Set(funding.flatMap((round) => round.investors))),
  });
}

function fundingRound({ type, amount, date, valuation }: FundingRound): WireRecord {
  return withoutGaps({ type, amount, date, valuation });
}

const CATEGORY_LABELS: Readonly<Record<string, string>> = {
  automation: 'Marketing Automation',
  cloud_provider: 'Cloud Hosting',
  cms: 'Content Management',
  crm: 'CRM',
  email_hosting: 'Email Hosting',
};

function technologyGroup({ technologies }: Company): WireRecord {
  const integrations = [technologies['automation'], technologies['crm']].filter((tool) => tool !== undefined);
  return withoutGaps({
    categories: Object.keys(technologies).map((category) => CATEGORY_LABELS[category] ?? category),
    tools: Object.values(technologies),
    integrations,
  });
}

const MAX_CONTACTS = 5;

/** The employees with the highest seniority. */
function contacts(staff: readonly Person[], nowMs: number): WireRecord[] {
  const ranked = staff.map((person) => ({ person, job: jobAt(person, nowMs) }));
  ranked.sort((a, b) => rank(a.job.seniority) - rank(b.job.seniority));
  return ranked.slice(0, MAX_CONTACTS).map(({ person, job }) =>
    withoutGaps({
      name: fullName(person),
      title: job.title,
      network_url: profileUrl(person.networkSlug),
      email: job.email,
    }),
  );
}

function rank(seniority: string | undefined): number {
  return seniority === undefined ? SENIORITIES.length : SENIORITIES.indexOf(seniority);
}

type RecordValue = string | number | boolean | object;

type WireRecord = Readonly<Record<string, RecordValue>>;

/** Omits fields without a value, as specified. These are absent values, empty texts, empty lists and empty objects. */
function withoutGaps(fields: Readonly<Record<string, RecordValue | undefined>>): WireRecord {
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, RecordValue] => hasValue(entry[1])),
  );
}

function hasValue(value: RecordValue | undefined): boolean {
  if (value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** `{ sales: 3 }` under `role_count` becomes the literal key `role_count.sales`. */
function flattened(
  group: string,
  fields: Readonly<Record<string, RecordValue | undefined>>,
): Record<string, RecordValue | undefined> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${group}.${key}`, value]));
}

function companyPageUrl(slug: string): string {
  return `https://www.linkedin.com/company/${slug}`;
}

function profileUrl(slug: string | undefined): string | undefined {
  return slug === undefined ? undefined : `https://www.linkedin.com/in/${slug}`;
}

function websiteUrl(domain: string): string {
  return `https://www.${domain}`;
}
