import { countryByCode } from '../world/countries.ts';
import type { App, Company } from '../world/types.ts';
import { companyPageUrl, flattened, type WireRecord, websiteUrl, withoutGaps } from './record.ts';

/** Paid options of the company search, with their credits for each result (specification, "Credits"). */
export const COMPANY_OPTION_CREDITS = {
  funding: 1,
  extra: 1,
  technology: 2,
  website_traffic: 1,
  headcount_growth: 1,
} as const;
type CompanyOption = keyof typeof COMPANY_OPTION_CREDITS;

export function isCompanyOption(name: string): name is CompanyOption {
  return Object.hasOwn(COMPANY_OPTION_CREDITS, name);
}

/** The specification's "Company search record". The README lists our choice of fields for each option. */
export function companySearchRecord(company: Company, options: ReadonlySet<CompanyOption>): WireRecord {
  return withoutGaps({
    ...basics(company),
    ...(options.has('extra') ? extra(company) : {}),
    ...(options.has('funding') ? flattened('funding', funding(company)) : {}),
    ...(options.has('technology') ? flattened('technologies', company.technologies) : {}),
    ...(options.has('website_traffic') ? flattened('website_traffic', traffic(company)) : {}),
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

function extra(company: Company) {
  const apps = [company.iosApp, company.androidApp].filter((app) => app !== undefined);
  const reviews = apps.reduce((sum, app) => sum + app.reviewCount, 0);
  return {
    has_cio: company.hasCio,
    has_ciso: company.hasCiso,
    has_mobile_app: apps.length > 0,
    has_web_app: company.hasWebApp,
    is_website_for_sale: company.isWebsiteForSale,
    is_network_url_claimed: company.isPageClaimed ? 'Yes' : 'No',
    location_continent: countryByCode.get(company.locations[0].countryCode)?.continent,
    location_count: company.locations.length,
    valid_email_count: String(Math.round(company.employeeCount * 0.86)),
    ...flattened('role_count', company.roleCounts),
    ...flattened('open_roles_count', company.openRoleCounts),
    ...flattened('industry_details', {
      naics_code: company.naics.map(({ code }) => code).join('; '),
      naics_description: company.naics.map(({ description }) => description).join('; '),
    }),
    ...appGroup('iosstore', 'update_count', company.iosApp),
    ...appGroup('androidstore', 'download_count', company.androidApp),
    monthly_google_adspend: company.adSpend,
    total_reviews: apps.length > 0 ? reviews : undefined,
  };
}

function appGroup(group: string, countKey: string, app: App | undefined) {
  return flattened(group, {
    app_category: app?.category,
    last_update: app?.lastUpdate,
    top_rating: app?.rating,
    top_review_count: app?.reviewCount,
    top_url: app?.url,
    [countKey]: app?.count,
  });
}

function traffic({ traffic: known }: Company) {
  return { monthly_organic: known?.organic, total_monthly: known?.total };
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
