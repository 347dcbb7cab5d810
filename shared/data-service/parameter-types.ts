/** The two words of every enrichment option. Left out means `exclude`. */
export type Inclusion = 'include' | 'exclude';

/** Both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface DepartmentRange {
  readonly department: string;
  readonly range: Range;
}

/** The filters that people search and company search share. At least one must hold something. */
export interface SearchFilters {
  readonly person_titles?: readonly string[];
  readonly person_not_titles?: readonly string[];
  readonly person_past_titles?: readonly string[];
  readonly person_seniorities?: readonly string[];
  /** City, state or country. */
  readonly person_location?: readonly string[];
  readonly not_person_location?: readonly string[];
  readonly person_days_in_current_title_range?: Range;
  readonly q_organization_domains?: readonly string[];
  readonly not_q_organization_domains?: readonly string[];
  readonly organization_location?: readonly string[];
  readonly not_organization_location?: readonly string[];
  readonly organization_industry?: readonly string[];
  readonly organization_not_industry?: readonly string[];
  readonly organization_sic_industry?: readonly string[];
  readonly organization_not_sic_industry?: readonly string[];
  readonly organization_naics_industry?: readonly string[];
  readonly organization_not_naics_industry?: readonly string[];
  /** Labels such as `<$1M` and `$1M-$10M`. */
  readonly organization_revenue_ranges?: readonly string[];
  /** The company uses any of these. */
  readonly organization_technology?: readonly string[];
  /** The company uses all of these. */
  readonly organization_all_technology?: readonly string[];
  readonly not_organization_technology?: readonly string[];
  readonly organization_has_web_app?: boolean;
  readonly organization_has_mobile_app?: boolean;
  readonly organization_appstore_app_category?: readonly string[];
  readonly organization_playstore_app_category?: readonly string[];
  /** Scale 1 to 5. */
  readonly organization_appstore_rating?: Range;
  /** Scale 1 to 5. */
  readonly organization_playstore_rating?: Range;
  readonly organization_appstore_review_count?: Range;
  readonly organization_playstore_review_count?: Range;
  readonly organization_is_website_for_sale?: boolean;
  /** Visits a month. */
  readonly organization_website_traffic_total_monthly?: Range;
  readonly organization_website_traffic_monthly_organic?: Range;
  readonly organization_website_traffic_monthly_paid?: Range;
  /** Estimate, USD. */
  readonly organization_monthly_google_adspend?: Range;
  /** Last funding round. */
  readonly organization_funding_amount?: Range;
  readonly organization_funding_total_amount?: Range;
  /** Months since the last funding round. */
  readonly organization_funding_date?: Range;
  /** Labels such as Seed and Series A. */
  readonly organization_funding_type?: readonly string[];
  readonly organization_funding_lead_investors?: readonly string[];
  /** Investors in the last round. */
  readonly organization_funding_number_of_investors?: Range;
  readonly organization_roles_count?: readonly DepartmentRange[];
  readonly organization_open_roles_count?: readonly DepartmentRange[];
}

interface PageParameters {
  /** From 1; 1 unless given. */
  readonly page?: number;
  /** 1 to 100; 25 unless given. */
  readonly per_page?: number;
}

interface PersonOptions {
  readonly include_email?: Inclusion;
  readonly include_phone?: Inclusion;
}

export interface PeopleSearchParameters extends SearchFilters, PageParameters, PersonOptions {}

export interface CompanySearchParameters extends SearchFilters, PageParameters {
  readonly funding?: Inclusion;
  readonly extra?: Inclusion;
  readonly technology?: Inclusion;
  readonly website_traffic?: Inclusion;
  readonly headcount_growth?: Inclusion;
}

export const DEPARTMENTS = [
  'Engineering',
  'Sales',
  'Marketing',
  'Operations',
  'Human Resources',
  'Finance',
  'Customer Success',
  'Product',
] as const;

export const SENIORITIES = ['C-Suite', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'] as const;

/** One of `company_domain` and `company_network_url` is required. */
export interface EmployeeSearchParameters extends PersonOptions {
  readonly company_domain?: string;
  readonly company_network_url?: string;
  /** Part of a title is enough. */
  readonly title?: string;
  readonly department?: (typeof DEPARTMENTS)[number];
  readonly seniority?: (typeof SENIORITIES)[number];
  /** City, state or `Remote`. */
  readonly location?: string;
  readonly keywords?: string;
  /** 1 to 100; 10 unless given. */
  readonly limit?: number;
  /** Results to skip; 0 unless given. */
  readonly offset?: number;
}

export interface PeopleLookupParameters extends PersonOptions {
  readonly company_domain: string;
  readonly first_name: string;
  /** Recommended by the vendor for accuracy. */
  readonly last_name?: string;
  readonly title?: string;
  /** City, state or country. */
  readonly location?: string;
}

export interface PersonProfileParameters extends PersonOptions {
  readonly network_url: string;
}

/** One of `network_url` and `domain` is required. */
export interface CompanyProfileParameters {
  readonly network_url?: string;
  readonly domain?: string;
  readonly include_funding?: Inclusion;
  readonly include_technology?: Inclusion;
  readonly include_contacts?: Inclusion;
}

export interface ReverseEmailParameters {
  readonly email: string;
}

export interface ReversePhoneParameters {
  /** With country code if possible; national and punctuated forms are accepted. */
  readonly phone: string;
}
