import { jobAt } from '../world/employment.ts';
import { SENIORITIES } from '../world/titles.ts';
import type { Address, Company, FundingRound, Person } from '../world/types.ts';
import { fullName } from './person-record.ts';
import { companyPageUrl, profileUrl, type WireRecord, websiteUrl, withoutGaps } from './record.ts';

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
