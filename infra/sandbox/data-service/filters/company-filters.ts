import { monthsBetween } from '../world/dates.ts';
import { fold } from '../world/folding.ts';
import type { Company } from '../world/types.ts';
import { readDomain } from '../written-forms.ts';
import {
  allOf,
  anyCodeOf,
  anyOf,
  anyRoleCount,
  type Filter,
  fromTexts,
  inRange,
  isTrue,
  noneOf,
} from './conditions.ts';
import { placeMatcher } from './matching.ts';

export interface CompanySubject {
  readonly company: Company;
  readonly nowMs: number;
}

type Texts = (company: Company) => readonly (string | undefined)[];
type Figure = (company: Company) => number | undefined;

const texts =
  (textsOf: Texts) =>
  ({ company }: CompanySubject): readonly string[] =>
    textsOf(company).filter((text) => text !== undefined);

const range = (numberOf: Figure) => inRange<CompanySubject>(({ company }) => numberOf(company));

const byPlace: Filter<CompanySubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ company }) => company.locations.some(matches);
});

const lastRound = (company: Company) => company.funding.at(-1);

const byDomain = anyOf(
  texts((company) => company.domains),
  (text) => readDomain(text) ?? fold(text),
);
const byIndustry = anyOf(texts((company) => company.industries));
const bySic = anyCodeOf(texts((company) => company.sicCodes));
const byNaics = anyCodeOf(texts((company) => company.naics.map(({ code }) => code)));
const toolsOf = texts((company) => Object.values(company.technologies));

/** The specification's "Shared filter fields" about companies, in its order. */
export const companyFilters: Readonly<Record<string, Filter<CompanySubject>>> = {
  q_organization_domains: byDomain,
  not_q_organization_domains: noneOf(byDomain),
  organization_location: byPlace,
  not_organization_location: noneOf(byPlace),
  organization_industry: byIndustry,
  organization_not_industry: noneOf(byIndustry),
  organization_sic_industry: bySic,
  organization_not_sic_industry: noneOf(bySic),
  organization_naics_industry: byNaics,
  organization_not_naics_industry: noneOf(byNaics),
  organization_revenue_ranges: anyOf(
    texts((company) => [company.revenue?.label]),
    (label) => fold(label).replaceAll(' ', '').replaceAll('–', '-'),
  ),
  organization_technology: anyOf(toolsOf),
  organization_all_technology: allOf(toolsOf),
  not_organization_technology: noneOf(anyOf(toolsOf)),
  organization_has_web_app: isTrue(({ company }) => company.hasWebApp),
  organization_has_mobile_app: isTrue(
    ({ company }) => company.iosApp !== undefined || company.androidApp !== undefined,
  ),
  organization_appstore_app_category: anyOf(texts((company) => [company.iosApp?.category])),
  organization_playstore_app_category: anyOf(texts((company) => [company.androidApp?.category])),
  organization_appstore_rating: range((company) => company.iosApp?.rating),
  organization_playstore_rating: range((company) => company.androidApp?.rating),
  organization_appstore_review_count: range((company) => company.iosApp?.reviewCount),
  organization_playstore_review_count: range((company) => company.androidApp?.reviewCount),
  organization_is_website_for_sale: isTrue(({ company }) => company.isWebsiteForSale),
  organization_website_traffic_total_monthly: range((company) => company.traffic?.total),
  organization_website_traffic_monthly_organic: range((company) => company.traffic?.organic),
  organization_website_traffic_monthly_paid: range((company) => company.traffic?.paid),
  organization_monthly_google_adspend: range((company) => company.adSpend),
  organization_funding_amount: range((company) => lastRound(company)?.amount),
  organization_funding_total_amount: range((company) =>
    company.funding.length === 0
      ? undefined
      : company.funding.reduce((sum, round) => sum + (round.amount ?? 0), 0),
  ),
  organization_funding_date: inRange(({ company, nowMs }) => {
    const round = lastRound(company);
    return round === undefined ? undefined : monthsBetween(Date.parse(round.date), nowMs);
  }),
  organization_funding_type: anyOf(texts((company) => [lastRound(company)?.type])),
  organization_funding_lead_investors: anyOf(
    texts((company) => company.funding.map((round) => round.investors[0])),
  ),
  organization_funding_number_of_investors: range((company) => lastRound(company)?.investors.length),
  organization_roles_count: anyRoleCount(({ company }) => company.roleCounts),
  organization_open_roles_count: anyRoleCount(({ company }) => company.openRoleCounts),
};
