import {
  BOOLEAN,
  COUNTRY_CODE,
  DATE,
  DOMAIN,
  EMAIL,
  type FieldRow,
  NUMBER,
  OBJECT,
  OBJECTS,
  PHONE,
  REGION,
  TAGS,
  TEXT,
  TEXT_RANGE,
  TEXTS,
  URL_TEXT,
  YEAR,
} from './field-kinds.ts';

/** Specification: Workspace. */
export const WORKSPACE_ROWS: readonly FieldRow[] = [
  ['name', TEXT],
  ['id', TEXT],
  ['user_id', TEXT],
];

/** Specification: Person record, without what enrichment adds. */
export const PERSON_ROWS: readonly FieldRow[] = [
  ['id', TEXT],
  ['name', TEXT],
  ['first_name', TEXT],
  ['last_name', TEXT],
  ['title', TEXT],
  ['seniority', TEXT],
  ['network_url', URL_TEXT],
  ['job_start_date', DATE],
  ['city', TEXT],
  ['state', TEXT],
  ['country', TEXT],
  ['country_code', COUNTRY_CODE],
  ['country_region', REGION],
  ['organization_id', TEXT],
  ['organizations.name', TEXT],
  ['organizations.network_url', URL_TEXT],
  ['organizations.primary_domain', DOMAIN],
  ['organizations.website_url', URL_TEXT],
  ['organizations.founded_year', YEAR],
];

/** Only when asked for, and never from a reverse lookup. */
export const CONTACT_ROWS: readonly FieldRow[] = [
  ['email', EMAIL],
  ['mobile_number', PHONE],
];

/** Specification: Company search record. */
export const COMPANY_SEARCH_ROWS: readonly FieldRow[] = [
  ['id', TEXT],
  ['name', TEXT],
  ['about_us', TEXT],
  ['network_url', URL_TEXT],
  ['website_url', URL_TEXT],
  ['primary_domain', DOMAIN],
  ['industry', TEXT],
  ['specialties', TAGS],
  ['founded_year', YEAR],
  ['employee_count_range', TEXT_RANGE],
  ['employee_on_network_growth_rate', NUMBER],
  ['city', TEXT],
  ['state', TEXT],
  ['country', TEXT],
  ['country_code', COUNTRY_CODE],
  ['country_region', REGION],
  ['headquarters.city', TEXT],
  ['headquarters.country_name', TEXT],
  ['headquarters.state', TEXT],
  ['phone', PHONE],
  ['postcode', TEXT],
  ['street', TEXT],
  ['revenue_range', TEXT_RANGE],
  ['location_count', NUMBER],
  ['technologies.*', TEXT],
  ['technologies.automation', TEXT],
  ['technologies.cloud_provider', TEXT],
  ['technologies.cms', TEXT],
  ['technologies.crm', TEXT],
  ['technologies.email_hosting', TEXT],
  ['website_traffic.total_monthly', NUMBER],
];

/** Specification: Employee record. */
export const EMPLOYEE_ROWS: readonly FieldRow[] = [
  ['id', TEXT],
  ['name', TEXT],
  ['first_name', TEXT],
  ['last_name', TEXT],
  ['title', TEXT],
  ['department', TEXT],
  ['seniority', TEXT],
  ['network_url', URL_TEXT],
  ['job_start_date', DATE],
  ['tenure_months', NUMBER],
  ['location', TEXT],
  ...CONTACT_ROWS,
  ['previous_companies', OBJECTS],
];

export const PREVIOUS_COMPANY_ROWS: readonly FieldRow[] = [
  ['name', TEXT],
  ['title', TEXT],
  ['duration_months', NUMBER],
];

export const COMPANY_INFO_ROWS: readonly FieldRow[] = [
  ['name', TEXT],
  ['domain', DOMAIN],
  ['total_employees_found', NUMBER],
];

export const PAGINATION_ROWS: readonly FieldRow[] = [
  ['total', NUMBER],
  ['limit', NUMBER],
  ['offset', NUMBER],
  ['has_more', BOOLEAN],
];

/** Specification: Company profile record. */
export const COMPANY_PROFILE_ROWS: readonly FieldRow[] = [
  ['id', TEXT],
  ['name', TEXT],
  ['network_url', URL_TEXT],
  ['website_url', URL_TEXT],
  ['primary_domain', DOMAIN],
  ['domains', TEXTS],
  ['description', TEXT],
  ['industry', TEXT],
  ['industries', TEXTS],
  ['specialities', TEXTS],
  ['founded_year', YEAR],
  ['company_size', TEXT_RANGE],
  ['employee_count', NUMBER],
  ['headquarters', OBJECT],
  ['locations', OBJECTS],
  ['phone', PHONE],
  ['logo_url', URL_TEXT],
  ['stock_symbol', TEXT],
  ['type', TEXT],
  ['annual_revenue', OBJECT],
  ['funding', OBJECT],
  ['technology', OBJECT],
  ['contacts', OBJECTS],
];

/** The objects within a company profile, by the key they are under. */
export const PROFILE_GROUP_ROWS: Readonly<Record<string, readonly FieldRow[]>> = {
  headquarters: [
    ['address', TEXT],
    ['city', TEXT],
    ['state', TEXT],
    ['country', TEXT],
    ['postal_code', TEXT],
  ],
  locations: [
    ['city', TEXT],
    ['state', TEXT],
    ['country', TEXT],
    ['is_headquarters', BOOLEAN],
  ],
  annual_revenue: [
    ['amount', NUMBER],
    ['currency', TEXT],
    ['year', YEAR],
  ],
  funding: [
    ['total_funding', NUMBER],
    ['last_funding_round', OBJECT],
    ['funding_rounds', OBJECTS],
    ['investors', TEXTS],
  ],
  technology: [
    ['categories', TEXTS],
    ['tools', TEXTS],
    ['integrations', TEXTS],
  ],
  contacts: [
    ['name', TEXT],
    ['title', TEXT],
    ['network_url', URL_TEXT],
    ['email', EMAIL],
  ],
};

/** Of `last_funding_round` and of each of `funding_rounds`. */
export const FUNDING_ROUND_ROWS: readonly FieldRow[] = [
  ['type', TEXT],
  ['amount', NUMBER],
  ['date', TEXT],
  ['valuation', NUMBER],
];
