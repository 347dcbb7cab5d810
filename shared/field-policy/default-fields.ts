import type { FieldRule } from './field-rule.ts';

/** From a person record to a contact. Country: the code first, because a name has many spellings. */
export const DEFAULT_CONTACT_FIELDS: readonly FieldRule[] = [
  { property: 'firstname', from: 'first_name', convert: 'text', write: 'fill-blank' },
  { property: 'lastname', from: 'last_name', convert: 'text', write: 'fill-blank' },
  { property: 'jobtitle', from: 'title', convert: 'text', write: 'ours' },
  { property: 'hs_seniority', from: 'seniority', convert: 'option', write: 'ours' },
  { property: 'hs_linkedin_url', from: 'network_url', convert: 'url', write: 'fill-blank' },
  { property: 'email', from: 'email', convert: 'email', write: 'fill-blank' },
  { property: 'mobilephone', from: 'mobile_number', convert: 'phone', write: 'fill-blank' },
  { property: 'city', from: 'city', convert: 'text', write: 'fill-blank' },
  { property: 'state', from: 'state', convert: 'text', write: 'fill-blank' },
  { property: 'country', from: 'country_code', convert: 'country-name', write: 'fill-blank' },
  { property: 'country', from: 'country', convert: 'country-name', write: 'fill-blank' },
  { property: 'company', from: 'organizations.name', convert: 'text', write: 'ours' },
  { property: 'website', from: 'organizations.website_url', convert: 'url', write: 'fill-blank' },
];

/**
 * From a company profile to a company. The head count comes from the estimate, never from the range text;
 * the revenue only in US dollars, because HubSpot's `annualrevenue` is in the account's currency: an account in
 * another currency changes `onlyWhen`.
 */
export const DEFAULT_COMPANY_FIELDS: readonly FieldRule[] = [
  { property: 'name', from: 'name', convert: 'text', write: 'fill-blank' },
  { property: 'domain', from: 'primary_domain', convert: 'domain', write: 'fill-blank' },
  { property: 'website', from: 'website_url', convert: 'url', write: 'fill-blank' },
  { property: 'description', from: 'description', convert: 'text', write: 'fill-blank' },
  { property: 'industry', from: 'industry', convert: 'option', write: 'fill-blank' },
  { property: 'numberofemployees', from: 'employee_count', convert: 'number', write: 'fill-blank' },
  {
    property: 'annualrevenue',
    from: 'annual_revenue/amount',
    convert: 'number',
    write: 'fill-blank',
    onlyWhen: { from: 'annual_revenue/currency', is: 'USD' },
  },
  { property: 'founded_year', from: 'founded_year', convert: 'year', write: 'fill-blank' },
  { property: 'phone', from: 'phone', convert: 'phone', write: 'fill-blank' },
  { property: 'linkedin_company_page', from: 'network_url', convert: 'url', write: 'fill-blank' },
  { property: 'address', from: 'headquarters/address', convert: 'text', write: 'fill-blank' },
  { property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' },
  { property: 'state', from: 'headquarters/state', convert: 'text', write: 'fill-blank' },
  { property: 'zip', from: 'headquarters/postal_code', convert: 'text', write: 'fill-blank' },
  { property: 'country', from: 'headquarters/country', convert: 'country-name', write: 'fill-blank' },
  { property: 'web_technologies', from: 'technology/tools', convert: 'list', write: 'fill-blank' },
  { property: 'total_money_raised', from: 'funding/total_funding', convert: 'number', write: 'fill-blank' },
];
