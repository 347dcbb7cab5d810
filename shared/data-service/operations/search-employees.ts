import { many } from '../lenient.ts';
import { companyDomain, companyPageUrl, offset, oneOf, pageSize, text } from '../parameter-rules.ts';
import { DEPARTMENTS, SENIORITIES } from '../parameter-types.ts';
import { employeeSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';
import { personOptions } from './person-options.ts';

export const searchEmployees: Operation<'searchEmployees'> = {
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
};
