import { badRequest } from '../errors.ts';
import { findCompanies, isEmpty, readSearch } from '../filters/search.ts';
import type { Operation } from '../operation.ts';
import { readSwitch } from '../parameters.ts';
import {
  COMPANY_OPTION_CREDITS,
  COMPANY_OPTIONS,
  type CompanyOption,
  companySearchRecord,
} from '../records/company-search-record.ts';
import { readBody, readPage, sliceOf } from './search-body.ts';

/** Spec: "Company search". */
export const companySearch: Operation = {
  name: 'company-search',
  method: 'POST',
  path: '/api/v1/company/search',
  successStatus: 201,
  read: (input) => {
    const body = readBody(input);
    const page = readPage(body);
    const search = readSearch(body);
    if (isEmpty(search)) throw badRequest('At least one search filter is required');
    const options = new Set(COMPANY_OPTIONS.filter((option) => readSwitch(body[option], option)));
    return {
      price: { per: 'result', base: 1, full: 1 + optionCredits(options) },
      answer: (view) => {
        const found = sliceOf(findCompanies(search, view), page);
        const data = found.map((company) => companySearchRecord(company, options));
        return { resultCount: data.length, body: { data } };
      },
    };
  },
};

function optionCredits(options: ReadonlySet<CompanyOption>): number {
  return [...options].reduce((sum, option) => sum + COMPANY_OPTION_CREDITS[option], 0);
}
