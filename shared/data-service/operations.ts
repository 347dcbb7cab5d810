import { many, one } from './lenient.ts';
import type { Operation } from './operation.ts';
import {
  companyDomain,
  companyPageUrl,
  domain,
  emailAddress,
  inclusion,
  offset,
  oneOf,
  pageNumber,
  pageSize,
  personProfileUrl,
  phoneNumber,
  text,
} from './parameter-rules.ts';
import { DEPARTMENTS, SENIORITIES } from './parameter-types.ts';
import {
  companyProfileSchema,
  companySearchSchema,
  employeeSchema,
  personSchema,
  workspaceSchema,
} from './schemas.ts';
import { FILTER_RULES, hasFilter } from './search-filters.ts';
import type { OperationName } from './types.ts';

/** The paid options that every operation with persons in its answer takes, except the reverse lookups. */
const personOptions = { include_email: inclusion, include_phone: inclusion };

export const OPERATIONS: { readonly [Name in OperationName]: Operation<Name> } = {
  /** Free, and the only operation that finds nothing: it says whose key this is. */
  checkKey: {
    name: 'checkKey',
    method: 'GET',
    path: '/api/v1/public/auth',
    successStatus: 200,
    parameters: {},
    readData: one(workspaceSchema),
  },
  searchPeople: {
    name: 'searchPeople',
    method: 'POST',
    path: '/api/v1/people/search',
    successStatus: 201,
    parameters: { page: pageNumber, per_page: pageSize, ...personOptions, ...FILTER_RULES },
    lacks: (parameters) => (hasFilter(parameters) ? undefined : 'At least one search criterion is required'),
    readData: many(personSchema),
  },
  searchCompanies: {
    name: 'searchCompanies',
    method: 'POST',
    path: '/api/v1/company/search',
    successStatus: 201,
    parameters: {
      page: pageNumber,
      per_page: pageSize,
      funding: inclusion,
      extra: inclusion,
      technology: inclusion,
      website_traffic: inclusion,
      headcount_growth: inclusion,
      ...FILTER_RULES,
    },
    lacks: (parameters) => (hasFilter(parameters) ? undefined : 'At least one search filter is required'),
    readData: many(companySearchSchema),
  },
  searchEmployees: {
    name: 'searchEmployees',
    method: 'GET',
    path: '/api/v1/company/employee-search',
    successStatus: 200,
    parameters: {
      company_domain: companyDomain,
      company_network_url: companyPageUrl,
      title: text,
      department: oneOf(DEPARTMENTS),
      seniority: oneOf(SENIORITIES),
      location: text,
      keywords: text,
      limit: pageSize,
      offset,
      ...personOptions,
    },
    // The vendor's text names the second parameter so, although it is `company_network_url`.
    lacks: ({ company_domain, company_network_url }) =>
      company_domain || company_network_url
        ? undefined
        : 'Either company_domain or company_linkedin_url is required',
    readData: many(employeeSchema),
  },
  lookUpPerson: {
    name: 'lookUpPerson',
    method: 'GET',
    path: '/api/v1/people/lookup',
    successStatus: 200,
    parameters: {
      company_domain: companyDomain,
      first_name: text,
      last_name: text,
      title: text,
      location: text,
      ...personOptions,
    },
    lacks: ({ company_domain, first_name }) =>
      company_domain && first_name
        ? undefined
        : 'Missing required parameters: company_domain and first_name are required',
    readData: one(personSchema),
  },
  personProfile: {
    name: 'personProfile',
    method: 'GET',
    path: '/api/v1/people/profile',
    successStatus: 200,
    parameters: { network_url: personProfileUrl, ...personOptions },
    lacks: ({ network_url }) => (network_url ? undefined : 'Missing required parameter: network_url'),
    readData: one(personSchema),
  },
  companyProfile: {
    name: 'companyProfile',
    method: 'GET',
    path: '/api/v1/company/profile',
    successStatus: 200,
    parameters: {
      network_url: companyPageUrl,
      domain,
      include_funding: inclusion,
      include_technology: inclusion,
      include_contacts: inclusion,
    },
    // The vendor's text names the second parameter so, although it is `network_url`.
    lacks: (parameters) =>
      parameters['network_url'] || parameters['domain']
        ? undefined
        : 'Either domain or linkedin_url parameter is required',
    readData: one(companyProfileSchema),
  },
  reverseEmail: {
    name: 'reverseEmail',
    method: 'GET',
    path: '/api/v1/people/lookup/email',
    successStatus: 200,
    parameters: { email: emailAddress },
    lacks: ({ email }) => (email ? undefined : 'Missing required parameter: email'),
    readData: one(personSchema),
  },
  reversePhone: {
    name: 'reversePhone',
    method: 'GET',
    path: '/api/v1/people/lookup/phone',
    successStatus: 200,
    parameters: { phone: phoneNumber },
    lacks: ({ phone }) => (phone ? undefined : 'Missing required parameter: phone'),
    readData: one(personSchema),
  },
};
