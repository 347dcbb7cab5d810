/**
 * The records as the service sends them: names untouched, nested groups as flat dotted keys. A field without
 * a value is absent. Keys that the specification does not name are kept and have type `unknown`.
 */

export interface Workspace {
  readonly name?: string;
  readonly id?: string;
  readonly user_id?: string;
  readonly [unknownKey: string]: unknown;
}

export interface PersonRecord {
  readonly id?: string;
  readonly name?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly title?: string;
  readonly seniority?: string;
  readonly network_url?: string;
  /** `YYYY-MM-DD`. */
  readonly job_start_date?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  /** Two letters, ISO 3166. */
  readonly country_code?: string;
  /** NORAM, EMEA, APAC or LATAM. */
  readonly country_region?: string;
  /** Only with `include_email`, never from reverse email lookup. */
  readonly email?: string;
  /** Only with `include_phone`, never from reverse phone lookup. */
  readonly mobile_number?: string;
  readonly organization_id?: string;
  readonly 'organizations.name'?: string;
  readonly 'organizations.network_url'?: string;
  readonly 'organizations.primary_domain'?: string;
  readonly 'organizations.website_url'?: string;
  readonly 'organizations.founded_year'?: number;
  readonly [unknownKey: string]: unknown;
}

export interface CompanySearchRecord {
  readonly id?: string;
  readonly name?: string;
  readonly about_us?: string;
  readonly network_url?: string;
  readonly website_url?: string;
  readonly primary_domain?: string;
  readonly industry?: string;
  /** Separated by semicolons. */
  readonly specialties?: string;
  readonly founded_year?: number;
  readonly employee_count_range?: string;
  /** Per cent. */
  readonly employee_on_network_growth_rate?: number;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly country_code?: string;
  readonly country_region?: string;
  readonly phone?: string;
  readonly postcode?: string;
  readonly street?: string;
  readonly revenue_range?: string;
  /** Yes, No or Unknown. */
  readonly has_cio?: string;
  readonly has_ciso?: string;
  readonly has_mobile_app?: boolean;
  readonly has_web_app?: boolean;
  readonly is_website_for_sale?: boolean;
  readonly is_network_url_claimed?: string;
  readonly location_continent?: string;
  readonly location_count?: number;
  readonly valid_email_count?: string;
  readonly monthly_google_adspend?: number;
  readonly total_reviews?: number;
  readonly [headquarters: `headquarters.${string}`]: string;
  readonly [roleCount: `role_count.${string}`]: number;
  readonly [openRolesCount: `open_roles_count.${string}`]: number;
  readonly [industryDetails: `industry_details.${string}`]: string;
  readonly [technologies: `technologies.${string}`]: string;
  readonly [websiteTraffic: `website_traffic.${string}`]: number;
  readonly [iosStore: `iosstore.${string}`]: string | number;
  readonly [androidStore: `androidstore.${string}`]: string | number;
  readonly [unknownKey: string]: unknown;
}

export interface PreviousCompany {
  readonly name?: string;
  readonly title?: string;
  readonly duration_months?: number;
  readonly [unknownKey: string]: unknown;
}

export interface EmployeeRecord {
  readonly id?: string;
  readonly name?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly title?: string;
  readonly department?: string;
  readonly seniority?: string;
  readonly network_url?: string;
  /** `YYYY-MM-DD`. */
  readonly job_start_date?: string;
  /** Months at the company. */
  readonly tenure_months?: number;
  /** City, state or `Remote`. */
  readonly location?: string;
  readonly email?: string;
  readonly mobile_number?: string;
  readonly previous_companies?: readonly PreviousCompany[];
  readonly [unknownKey: string]: unknown;
}

export interface CompanyLocation {
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly is_headquarters?: boolean;
  readonly [unknownKey: string]: unknown;
}

export interface CompanyHeadquarters {
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly country?: string;
  readonly postal_code?: string;
  readonly [unknownKey: string]: unknown;
}

export interface AnnualRevenue {
  readonly amount?: number;
  readonly currency?: string;
  readonly year?: number;
  readonly [unknownKey: string]: unknown;
}

export interface FundingRound {
  readonly type?: string;
  readonly amount?: number;
  readonly date?: string;
  readonly valuation?: number;
  readonly [unknownKey: string]: unknown;
}

export interface CompanyFunding {
  /** USD. */
  readonly total_funding?: number;
  readonly last_funding_round?: FundingRound;
  readonly funding_rounds?: readonly FundingRound[];
  readonly investors?: readonly string[];
  readonly [unknownKey: string]: unknown;
}

export interface CompanyTechnology {
  readonly categories?: readonly string[];
  readonly tools?: readonly string[];
  readonly integrations?: readonly string[];
  readonly [unknownKey: string]: unknown;
}

export interface CompanyContact {
  readonly name?: string;
  readonly title?: string;
  readonly network_url?: string;
  readonly email?: string;
  readonly [unknownKey: string]: unknown;
}

export interface CompanyProfileRecord {
  readonly id?: string;
  readonly name?: string;
  readonly network_url?: string;
  readonly website_url?: string;
  readonly primary_domain?: string;
  readonly domains?: readonly string[];
  readonly description?: string;
  readonly industry?: string;
  readonly industries?: readonly string[];
  readonly specialities?: readonly string[];
  readonly founded_year?: number;
  /** A range as text. */
  readonly company_size?: string;
  /** Estimate. */
  readonly employee_count?: number;
  readonly headquarters?: CompanyHeadquarters;
  readonly locations?: readonly CompanyLocation[];
  readonly phone?: string;
  readonly logo_url?: string;
  /** Only of companies that are publicly traded. */
  readonly stock_symbol?: string;
  /** Public, Private, Non-profit, ... */
  readonly type?: string;
  readonly annual_revenue?: AnnualRevenue;
  /** Only with `include_funding`. */
  readonly funding?: CompanyFunding;
  /** Only with `include_technology`. */
  readonly technology?: CompanyTechnology;
  /** Only with `include_contacts`. */
  readonly contacts?: readonly CompanyContact[];
  readonly [unknownKey: string]: unknown;
}

/** `company_info` of employee search. */
export interface CompanyInfo {
  readonly name?: string;
  readonly domain?: string;
  /** All employees that match, not only those of this page. */
  readonly total_employees_found?: number;
  readonly [unknownKey: string]: unknown;
}

/** `pagination` of employee search. */
export interface Pagination {
  readonly total?: number;
  readonly limit?: number;
  readonly offset?: number;
  readonly has_more?: boolean;
  readonly [unknownKey: string]: unknown;
}
