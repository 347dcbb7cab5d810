import { many } from '../lenient.ts';
import { inclusion, pageNumber, pageSize } from '../parameter-rules.ts';
import { companySearchSchema } from '../schemas.ts';
import { FILTER_RULES, hasFilter } from '../search-filters.ts';
import type { Operation } from './operation.ts';

export const searchCompanies: Operation<'searchCompanies'> = {
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
};
