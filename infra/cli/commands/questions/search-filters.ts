import { InvalidArgumentError, Option } from 'commander';
import type { FILTERS } from '#shared/data-service';
import { text } from '../../terminal/option-values.ts';

/** Every filter that people search and company search share, as an option; the type keeps the list complete. */
export const FILTER_OPTIONS: { readonly [filter in keyof typeof FILTERS]: Option } = {
  person_titles: texts('title', 'current title'),
  person_not_titles: texts('not-title', 'not this current title'),
  person_past_titles: texts('past-title', 'a title held earlier'),
  person_seniorities: texts('seniority', 'such as C-Team, Manager, Director'),
  person_location: texts('location', "a person's city, state or country"),
  not_person_location: texts('not-location', 'not this city, state or country'),
  person_days_in_current_title_range: range('days-in-title', 'days in the current title'),
  q_organization_domains: texts('domain', 'domain of the company'),
  not_q_organization_domains: texts('not-domain', 'not this domain'),
  organization_location: texts('company-location', "a company's city, state or country"),
  not_organization_location: texts('not-company-location', 'no company from there'),
  organization_industry: texts('industry', 'industry of the company'),
  organization_not_industry: texts('not-industry', 'not this industry'),
  organization_sic_industry: texts('sic', 'SIC code'),
  organization_not_sic_industry: texts('not-sic', 'not this SIC code'),
  organization_naics_industry: texts('naics', 'NAICS code'),
  organization_not_naics_industry: texts('not-naics', 'not this NAICS code'),
  organization_revenue_ranges: texts('revenue', 'label such as "<$1M" or "$1M-$10M"'),
  organization_technology: texts('uses', 'the company uses any of these technologies'),
  organization_all_technology: texts('uses-all', 'the company uses all of these'),
  not_organization_technology: texts('not-using', 'the company uses none of these'),
  organization_has_web_app: flag('has-web-app', 'has a web application'),
  organization_has_mobile_app: flag('has-mobile-app', 'has a mobile application'),
  organization_appstore_app_category: texts('ios-category', 'category of its iOS app'),
  organization_playstore_app_category: texts('android-category', 'category of its Android app'),
  organization_appstore_rating: range('ios-rating', 'rating of its iOS app, 1 to 5'),
  organization_playstore_rating: range('android-rating', 'rating of its Android app, 1 to 5'),
  organization_appstore_review_count: range('ios-reviews', 'reviews of its iOS app'),
  organization_playstore_review_count: range('android-reviews', 'reviews of its Android app'),
  organization_is_website_for_sale: flag('website-for-sale', 'its website is for sale'),
  organization_website_traffic_total_monthly: range('traffic', 'visits a month'),
  organization_website_traffic_monthly_organic: range('organic-traffic', 'organic visits a month'),
  organization_website_traffic_monthly_paid: range('paid-traffic', 'paid visits a month'),
  organization_monthly_google_adspend: range('google-adspend', 'USD a month, an estimate'),
  organization_funding_amount: range('funding-amount', 'of the last funding round'),
  organization_funding_total_amount: range('funding-total', 'raised in all'),
  organization_funding_date: range('funding-months-ago', 'months since the last funding round'),
  organization_funding_type: texts('funding-type', 'stage, such as Seed or "Series A"'),
  organization_funding_lead_investors: texts('lead-investor', 'name of a lead investor'),
  organization_funding_number_of_investors: range('investors', 'investors in the last round'),
  organization_roles_count: departments('roles-count', 'people of a department, such as sales=5..50'),
  organization_open_roles_count: departments('open-roles-count', 'open positions of a department'),
};

function texts(flag: string, about: string): Option {
  return new Option(`--${flag} <text>`, `${about} (repeatable)`).argParser(collected(text));
}

function range(flag: string, about: string): Option {
  return new Option(`--${flag} <min..max>`, about).argParser(rangeOf);
}

function flag(name: string, about: string): Option {
  return new Option(`--${name} <yes|no>`, about).argParser(yesOrNo);
}

function departments(flag: string, about: string): Option {
  return new Option(`--${flag} <dept=min..max>`, `${about} (repeatable)`).argParser(
    collected(departmentRange),
  );
}

function rangeOf(given: string) {
  const [, min, max] = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(given.trim()) ?? [];
  if (min !== undefined && max !== undefined && Number(min) <= Number(max)) {
    return { min: Number(min), max: Number(max) };
  }
  throw new InvalidArgumentError('It must be min..max, such as 10..50.');
}

function departmentRange(given: string) {
  const split = given.lastIndexOf('=');
  const department = given.slice(0, Math.max(0, split)).trim();
  if (department !== '') return { department, range: rangeOf(given.slice(split + 1)) };
  throw new InvalidArgumentError('It must be department=min..max, such as sales=5..50.');
}

function yesOrNo(given: string): boolean {
  if (/^(?:yes|true)$/i.test(given)) return true;
  if (/^(?:no|false)$/i.test(given)) return false;
  throw new InvalidArgumentError('It must be yes or no.');
}

function collected<Value>(read: (given: string) => Value): (given: string, before?: Value[]) => Value[] {
  return (given, before = []) => [...before, read(given)];
}
