import type { Rule } from './operation.ts';
import { departmentRanges, domains, flag, isAbsent, range, texts } from './parameter-rules.ts';
import type { SearchFilters } from './types.ts';

/** One rule a filter; the type keeps the list complete. */
export const FILTER_RULES: {
  readonly [filter in keyof SearchFilters]-?: Rule<NonNullable<SearchFilters[filter]>>;
} = {
  person_titles: texts,
  person_not_titles: texts,
  person_past_titles: texts,
  person_seniorities: texts,
  person_location: texts,
  not_person_location: texts,
  person_days_in_current_title_range: range,
  q_organization_domains: domains,
  not_q_organization_domains: domains,
  organization_location: texts,
  not_organization_location: texts,
  organization_industry: texts,
  organization_not_industry: texts,
  organization_sic_industry: texts,
  organization_not_sic_industry: texts,
  organization_naics_industry: texts,
  organization_not_naics_industry: texts,
  organization_revenue_ranges: texts,
  organization_technology: texts,
  organization_all_technology: texts,
  not_organization_technology: texts,
  organization_has_web_app: flag,
  organization_has_mobile_app: flag,
  organization_appstore_app_category: texts,
  organization_playstore_app_category: texts,
  organization_appstore_rating: range,
  organization_playstore_rating: range,
  organization_appstore_review_count: range,
  organization_playstore_review_count: range,
  organization_is_website_for_sale: flag,
  organization_website_traffic_total_monthly: range,
  organization_website_traffic_monthly_organic: range,
  organization_website_traffic_monthly_paid: range,
  organization_monthly_google_adspend: range,
  organization_funding_amount: range,
  organization_funding_total_amount: range,
  organization_funding_date: range,
  organization_funding_type: texts,
  organization_funding_lead_investors: texts,
  organization_funding_number_of_investors: range,
  organization_roles_count: departmentRanges,
  organization_open_roles_count: departmentRanges,
};

/** True when at least one filter, not only paging and options, is left in checked parameters. */
export function hasFilter(parameters: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(FILTER_RULES).some((filter) => !isAbsent(parameters[filter]));
}
