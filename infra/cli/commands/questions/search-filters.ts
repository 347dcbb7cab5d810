import type { FILTERS, OPERATIONS } from '#shared/data-service/index.ts';

/** The flag of each parameter, and its help. The types keep the lists complete. */
type Words<Kinds> = { readonly [parameter in keyof Kinds]: readonly [flag: string, about: string] };

/** The filters that people search and company search share. */
export const FILTER_WORDS: Words<typeof FILTERS> = {
  person_titles: ['title', 'current title'],
  person_not_titles: ['not-title', 'not this current title'],
  person_past_titles: ['past-title', 'a title held earlier'],
  person_seniorities: ['seniority', 'such as C-Team, Manager, Director'],
  person_location: ['location', "a person's city, state or country"],
  not_person_location: ['not-location', 'not this city, state or country'],
  person_days_in_current_title_range: ['days-in-title', 'days in the current title'],
  q_organization_domains: ['domain', 'domain of the company'],
  not_q_organization_domains: ['not-domain', 'not this domain'],
  organization_location: ['company-location', "a company's city, state or country"],
  not_organization_location: ['not-company-location', 'no company from there'],
  organization_industry: ['industry', 'industry of the company'],
  organization_not_industry: ['not-industry', 'not this industry'],
  organization_sic_industry: ['sic', 'SIC code'],
  organization_not_sic_industry: ['not-sic', 'not this SIC code'],
  organization_naics_industry: ['naics', 'NAICS code'],
  organization_not_naics_industry: ['not-naics', 'not this NAICS code'],
  organization_revenue_ranges: ['revenue', 'label such as "<$1M" or "$1M-$10M"'],
  organization_technology: ['uses', 'the company uses any of these technologies'],
  organization_all_technology: ['uses-all', 'the company uses all of these'],
  not_organization_technology: ['not-using', 'the company uses none of these'],
  organization_has_web_app: ['has-web-app', 'has a web application'],
  organization_has_mobile_app: ['has-mobile-app', 'has a mobile application'],
  organization_appstore_app_category: ['ios-category', 'category of its iOS app'],
  organization_playstore_app_category: ['android-category', 'category of its Android app'],
  organization_appstore_rating: ['ios-rating', 'rating of its iOS app, 1 to 5'],
  organization_playstore_rating: ['android-rating', 'rating of its Android app, 1 to 5'],
  organization_appstore_review_count: ['ios-reviews', 'reviews of its iOS app'],
  organization_playstore_review_count: ['android-reviews', 'reviews of its Android app'],
  organization_is_website_for_sale: ['website-for-sale', 'its website is for sale'],
  organization_website_traffic_total_monthly: ['traffic', 'visits a month'],
  organization_website_traffic_monthly_organic: ['organic-traffic', 'organic visits a month'],
  organization_website_traffic_monthly_paid: ['paid-traffic', 'paid visits a month'],
  organization_monthly_google_adspend: ['google-adspend', 'USD a month, an estimate'],
  organization_funding_amount: ['funding-amount', 'of the last funding round'],
  organization_funding_total_amount: ['funding-total', 'raised in all'],
  organization_funding_date: ['funding-months-ago', 'months since the last funding round'],
  organization_funding_type: ['funding-type', 'stage, such as Seed or "Series A"'],
  organization_funding_lead_investors: ['lead-investor', 'name of a lead investor'],
  organization_funding_number_of_investors: ['investors', 'investors in the last round'],
  organization_roles_count: ['roles-count', 'people of a department, such as sales=5..50'],
  organization_open_roles_count: ['open-roles-count', 'open positions of a department'],
};

type Employees = (typeof OPERATIONS)['searchEmployees'];

/** The filters of employee search; the pages are turned by `--max`. */
export const EMPLOYEE_WORDS: Words<Employees['either'] & Omit<Employees['optional'], 'limit' | 'offset'>> = {
  company_domain: ['domain', 'domain of the company'],
  company_network_url: ['page', 'company page, instead of the domain'],
  title: ['title', 'part of a job title'],
  department: ['department', 'department'],
  seniority: ['seniority', 'level'],
  location: ['location', 'city, state or Remote'],
  keywords: ['keywords', 'words in the profile'],
};

/** The paid options of the three searches: each costs more for every result. */
export const ADDITION_WORDS: Readonly<Record<string, string>> = {
  include_email: 'email addresses',
  include_phone: 'mobile numbers',
  funding: 'funding',
  extra: 'extended details',
  technology: 'technologies',
  website_traffic: 'website traffic',
  headcount_growth: 'growth of the staff',
};
