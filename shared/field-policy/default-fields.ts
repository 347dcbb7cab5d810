import type { ObjectType } from '#shared/crm';
import type { FieldRule } from './field-rule.ts';

/**
 * Default rules from a person record to a contact. The country code precedes the country, because a country name has
 * many spellings.
 */
const DEFAULT_CONTACT_FIELDS: readonly FieldRule[] = asOptional([
  { property: 'firstname', from: 'firstName', convert: 'text', write: 'fill-blank' },
  { property: 'lastname', from: 'lastName', convert: 'text', write: 'fill-blank' },
  { property: 'jobtitle', from: 'title', convert: 'text', write: 'ours' },
  { property: 'start_date', from: 'jobStartDate', convert: 'date', write: 'ours' },
  { property: 'hs_seniority', from: 'seniority', convert: 'option', write: 'ours' },
  { property: 'hs_linkedin_url', from: 'profileUrl', convert: 'url', write: 'fill-blank' },
  { property: 'email', from: 'email', convert: 'email', write: 'fill-blank' },
  { property: 'mobilephone', from: 'mobilePhone', convert: 'phone', write: 'fill-blank' },
  { property: 'city', from: 'city', convert: 'text', write: 'fill-blank' },
  { property: 'state', from: 'state', convert: 'text', write: 'fill-blank' },
  { property: 'hs_state_code', from: 'state', convert: 'state-code', write: 'fill-blank' },
  { property: 'country', from: 'countryCode', convert: 'country-name', write: 'fill-blank' },
  { property: 'country', from: 'country', convert: 'country-name', write: 'fill-blank' },
  { property: 'hs_country_region_code', from: 'countryCode', convert: 'country-code', write: 'fill-blank' },
  { property: 'hs_country_region_code', from: 'country', convert: 'country-code', write: 'fill-blank' },
  { property: 'company', from: 'employerName', convert: 'text', write: 'ours' },
  { property: 'website', from: 'employerWebsite', convert: 'url', write: 'ours' },
]);

/**
 * Default rules from a company profile to a company. Fields that become stale have the mode `ours`, so a refresh
 * updates them, unless a person changed the value. The head count comes from the estimate, never from the range text.
 * Amounts are written only in the account's currency.
 */
const DEFAULT_COMPANY_FIELDS: readonly FieldRule[] = asOptional([
  { property: 'name', from: 'name', convert: 'text', write: 'fill-blank' },
  { property: 'domain', from: 'domain', convert: 'domain', write: 'fill-blank' },
  { property: 'website', from: 'website', convert: 'url', write: 'fill-blank' },
  { property: 'description', from: 'description', convert: 'text', write: 'ours' },
  { property: 'industry', from: 'industry', convert: 'option', write: 'ours' },
  { property: 'numberofemployees', from: 'employeeCount', convert: 'number', write: 'ours' },
  {
    property: 'annualrevenue',
    from: 'revenue/amount',
    convert: 'number',
    write: 'ours',
    currency: { from: 'revenue/currency' },
  },
  {
    property: 'hs_annual_revenue_currency_code',
    from: 'revenue/currency',
    convert: 'option',
    write: 'ours',
    currency: { from: 'revenue/currency' },
  },
  { property: 'founded_year', from: 'foundedYear', convert: 'year', write: 'fill-blank' },
  { property: 'phone', from: 'phone', convert: 'phone', write: 'ours' },
  { property: 'linkedin_company_page', from: 'pageUrl', convert: 'url', write: 'fill-blank' },
  { property: 'address', from: 'headquarters/address', convert: 'text', write: 'fill-blank' },
  { property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' },
  { property: 'state', from: 'headquarters/state', convert: 'text', write: 'fill-blank' },
  { property: 'hs_state_code', from: 'headquarters/state', convert: 'state-code', write: 'fill-blank' },
  { property: 'zip', from: 'headquarters/postalCode', convert: 'text', write: 'fill-blank' },
  { property: 'country', from: 'headquarters/country', convert: 'country-name', write: 'fill-blank' },
  { property: 'web_technologies', from: 'technology/tools', convert: 'list', write: 'ours' },
  { property: 'hs_country_code', from: 'headquarters/country', convert: 'country-code', write: 'fill-blank' },
  { property: 'hs_employee_range', from: 'employeeRange', convert: 'text', write: 'ours' },
  { property: 'hs_industry_group', from: 'industry', convert: 'text', write: 'ours' },
  { property: 'is_public', from: 'type', convert: 'is-public', write: 'ours' },
  { property: 'hs_logo_url', from: 'logoUrl', convert: 'url', write: 'ours' },
  {
    property: 'total_money_raised',
    from: 'funding/total',
    convert: 'number',
    write: 'ours',
    // The data service gives this amount in US dollars.
    currency: { is: 'USD' },
  },
]);

/** The default rules by object type. */
export const DEFAULT_FIELDS: Readonly<Record<ObjectType, readonly FieldRule[]>> = {
  contacts: DEFAULT_CONTACT_FIELDS,
  companies: DEFAULT_COMPANY_FIELDS,
};

/** Makes the default fields optional. If an account lacks such a property, only `doctor` warns. */
function asOptional(rules: readonly FieldRule[]): readonly FieldRule[] {
  return rules.map((rule) => ({ ...rule, optional: true }));
}

/** Customers and open deals come before records that are far from a purchase. */
export const DEFAULT_WEIGHTS = [
  { property: 'lifecyclestage', is: 'customer', weight: 10 },
  { property: 'lifecyclestage', is: 'opportunity', weight: 10 },
  { property: 'lifecyclestage', is: 'salesqualifiedlead', weight: 3 },
] as const;
