/**
 * The nine operations of the data service and their parameters. Requests, checks, prices, pages and types are derived
 * from these tables. Source: the specification's Endpoints and Limits.
 */

import type { GivenValue, Lookup } from '../vendor.ts';

/** The allowed words of parameters that take a word from a list. */
export const PARAMETER_WORDS = {
  inclusion: ['include', 'exclude'],
  department: [
    'Engineering',
    'Sales',
    'Marketing',
    'Operations',
    'Human Resources',
    'Finance',
    'Customer Success',
    'Product',
  ],
  seniority: ['C-Suite', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'],
} as const;

/** Kinds of parameters. `schemas.ts` has the check for each kind. */
export type ParameterKind =
  | keyof typeof PARAMETER_WORDS
  | ('text' | 'texts' | 'flag' | 'range' | 'departmentRanges')
  /** A bare host name, such as `acme.example`. */
  | ('domain' | 'companyDomain' | 'domains')
  /** For a phone, a country code is recommended. National and punctuated forms are also accepted. */
  | ('personProfileUrl' | 'companyPageUrl' | 'emailAddress' | 'phoneNumber')
  /** A page number from 1, a size from 1 to {@link LARGEST_PAGE}, and an offset from 0. */
  | ('pageNumber' | 'pageSize' | 'offset');
type ParameterKinds = Readonly<Record<string, ParameterKind>>;

/** Maximum number of results on one page, in all three searches. Source: the specification's Paging limits. */
export const LARGEST_PAGE = 100;

/** The filters that people search and company search share. At least one of them is required. */
export const FILTERS = {
  person_titles: 'texts',
  person_not_titles: 'texts',
  person_past_titles: 'texts',
  person_seniorities: 'texts',
  /** City, state or country. */
  person_location: 'texts',
  not_person_location: 'texts',
  person_days_in_current_title_range: 'range',
  q_organization_domains: 'domains',
  not_q_organization_domains: 'domains',
  organization_location: 'texts',
  not_organization_location: 'texts',
  organization_industry: 'texts',
  organization_not_industry: 'texts',
  organization_sic_industry: 'texts',
  organization_not_sic_industry: 'texts',
  organization_naics_industry: 'texts',
  organization_not_naics_industry: 'texts',
  /** Labels such as `<$1M` and `$1M-$10M`. */
  organization_revenue_ranges: 'texts',
  /** The company uses at least one of these technologies. */
  organization_technology: 'texts',
  /** The company uses all of these technologies. */
  organization_all_technology: 'texts',
  not_organization_technology: 'texts',
  organization_has_web_app: 'flag',
  organization_has_mobile_app: 'flag',
  organization_appstore_app_category: 'texts',
  organization_playstore_app_category: 'texts',
  /** Scale 1 to 5. */
  organization_appstore_rating: 'range',
  /** Scale 1 to 5. */
  organization_playstore_rating: 'range',
  organization_appstore_review_count: 'range',
  organization_playstore_review_count: 'range',
  organization_is_website_for_sale: 'flag',
  /** Visits a month. */
  organization_website_traffic_total_monthly: 'range',
  organization_website_traffic_monthly_organic: 'range',
  organization_website_traffic_monthly_paid: 'range',
  /** An estimate in USD. */
  organization_monthly_google_adspend: 'range',
  /** Amount of the last funding round. */
  organization_funding_amount: 'range',
  organization_funding_total_amount: 'range',
  /** Months since the last funding round. */
  organization_funding_date: 'range',
  /** Labels such as Seed and Series A. */
  organization_funding_type: 'texts',
  organization_funding_lead_investors: 'texts',
  /** Investors in the last round. */
  organization_funding_number_of_investors: 'range',
  organization_roles_count: 'departmentRanges',
  organization_open_roles_count: 'departmentRanges',
} as const satisfies ParameterKinds;

export interface OperationRow {
  readonly label: string;
  /** Absent for the key check. */
  readonly lookup?: Pick<Lookup, 'words' | 'about'> & {
    /** Absent if several people can share the identifiers. */
    readonly identifies?: true;
    /** The value that each parameter carries; none for a search. */
    readonly carries?: Readonly<Record<string, GivenValue>>;
  };
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** HTTP status of a success, and `statusCode` in the body. */
  readonly successStatus: 200 | 201;
  /** Credits for each result of a search, or for each request of another operation. */
  readonly base: number;
  /** Parameters that add data to the answer. Each adds its number of credits to `base`. */
  readonly options?: Readonly<Record<string, number>>;
  /** All of these are required. */
  readonly required?: ParameterKinds;
  /** At least one of these is required. */
  readonly either?: ParameterKinds;
  /** Set if at least one of the {@link FILTERS} is required, instead of `either`. */
  readonly isFiltered?: true;
  readonly optional?: ParameterKinds;
  /** The vendor's text for a missing required parameter. */
  readonly lacking?: string;
  /** Only for searches: the parameters of a page, and the default page size. */
  readonly page?: {
    readonly place: 'page' | 'offset';
    readonly size: 'per_page' | 'limit';
    readonly defaultSize: number;
  };
}

const PERSON_OPTIONS = { include_email: 2, include_phone: 3 } as const;

export const OPERATIONS = {
  /** Returns the owner of the key. The only free operation. */
  checkKey: {
    label: 'Key check',
    method: 'GET',
    path: '/api/v1/public/auth',
    successStatus: 200,
    base: 0,
  },
  personProfile: {
    label: 'Person profile',
    lookup: {
      words: 'by profile URL',
      about: 'person',
      identifies: true,
      carries: { network_url: 'profileUrl' },
    },
    method: 'GET',
    path: '/api/v1/people/profile',
    successStatus: 200,
    base: 1,
    options: PERSON_OPTIONS,
    required: { network_url: 'personProfileUrl' },
    lacking: 'Missing required parameter: network_url',
  },
  reverseEmail: {
    label: 'Reverse email lookup',
    lookup: { words: 'by email', about: 'person', identifies: true, carries: { email: 'email' } },
    method: 'GET',
    path: '/api/v1/people/lookup/email',
    successStatus: 200,
    base: 1,
    required: { email: 'emailAddress' },
    lacking: 'Missing required parameter: email',
  },
  lookUpPerson: {
    label: 'Person lookup',
    lookup: {
      words: 'by name and company',
      about: 'person',
      carries: {
        company_domain: 'domain',
        first_name: 'firstName',
        last_name: 'lastName',
        title: 'title',
        location: 'location',
      },
    },
    method: 'GET',
    path: '/api/v1/people/lookup',
    successStatus: 200,
    base: 1,
    options: PERSON_OPTIONS,
    required: { company_domain: 'companyDomain', first_name: 'text' },
    lacking: 'Missing required parameters: company_domain and first_name are required',
    optional: {
      /** The vendor recommends this parameter for accuracy. */
      last_name: 'text',
      title: 'text',
      /** City, state or country. */
      location: 'text',
    },
  },
  reversePhone: {
    label: 'Reverse phone lookup',
    lookup: { words: 'by phone', about: 'person', carries: { phone: 'phone' } },
    method: 'GET',
    path: '/api/v1/people/lookup/phone',
    successStatus: 200,
    base: 1,
    required: { phone: 'phoneNumber' },
    lacking: 'Missing required parameter: phone',
  },
  companyProfile: {
    label: 'Company profile',
    lookup: {
      words: 'by company domain or page',
      about: 'company',
      identifies: true,
      carries: { domain: 'domain', network_url: 'pageUrl' },
    },
    method: 'GET',
    path: '/api/v1/company/profile',
    successStatus: 200,
    base: 1,
    options: { include_funding: 2, include_technology: 1, include_contacts: 3 },
    either: { domain: 'domain', network_url: 'companyPageUrl' },
    // The vendor's text has this name for `network_url`.
    lacking: 'Either domain or linkedin_url parameter is required',
  },
  searchPeople: {
    label: 'People search',
    lookup: { words: 'by search', about: 'person' },
    method: 'POST',
    path: '/api/v1/people/search',
    successStatus: 201,
    base: 1,
    options: PERSON_OPTIONS,
    isFiltered: true,
    lacking: 'At least one search criterion is required',
    optional: { page: 'pageNumber', per_page: 'pageSize' },
    page: { place: 'page', size: 'per_page', defaultSize: 25 },
  },
  searchCompanies: {
    label: 'Company search',
    lookup: { words: 'by search', about: 'company' },
    method: 'POST',
    path: '/api/v1/company/search',
    successStatus: 201,
    base: 1,
    options: { funding: 1, extra: 1, technology: 2, website_traffic: 1, headcount_growth: 1 },
    isFiltered: true,
    lacking: 'At least one search filter is required',
    optional: { page: 'pageNumber', per_page: 'pageSize' },
    page: { place: 'page', size: 'per_page', defaultSize: 25 },
  },
  searchEmployees: {
    label: 'Employee search',
    lookup: { words: 'by search', about: 'person' },
    method: 'GET',
    path: '/api/v1/company/employee-search',
    successStatus: 200,
    base: 1,
    options: PERSON_OPTIONS,
    either: { company_domain: 'companyDomain', company_network_url: 'companyPageUrl' },
    // The vendor's text has this name for `company_network_url`.
    lacking: 'Either company_domain or company_linkedin_url is required',
    optional: {
      /** A part of a title is enough. */
      title: 'text',
      department: 'department',
      seniority: 'seniority',
      /** City, state or `Remote`. */
      location: 'text',
      /** Words to search in the profiles. */
      keywords: 'text',
      limit: 'pageSize',
      /** How many results to skip. */
      offset: 'offset',
    },
    page: { place: 'offset', size: 'limit', defaultSize: 10 },
  },
} as const satisfies Readonly<Record<string, OperationRow>>;

type Operations = typeof OPERATIONS;
export type OperationName = keyof Operations;

export function isFree(operation: OperationName): boolean {
  return OPERATIONS[operation].base === 0;
}

/** Kinds of each operation's parameters, without paid options. Required parameters come first. */
export const PARAMETER_KINDS: ReadonlyMap<string, ParameterKinds> = new Map(
  Object.entries(OPERATIONS).map(
    ([name, { required, either, optional, isFiltered }]: [string, OperationRow]) => [
      name,
      { ...required, ...(isFiltered ? FILTERS : either), ...optional },
    ],
  ),
);

/** The three searches, which are paid by the result. */
export type SearchOperation = {
  [Name in OperationName]: Operations[Name] extends { readonly page: unknown } ? Name : never;
}[OperationName];
