import { notFound } from '../errors.ts';
import { readEmployeeQuery } from '../filters/employee-query.ts';
import type { Operation, View } from '../operation.ts';
import { contactCredits, readContactOptions, readPageSize, readPosition } from '../parameters.ts';
import { employeeRecord } from '../records/employee-record.ts';
import { currentStaff } from '../world/employment.ts';
import type { Company, Person } from '../world/types.ts';
import { findCompany, readCompanyIdentity } from './company-identity.ts';

const DEFAULT_LIMIT = 10;

/** Spec: "Company employee search". */
export const companyEmployeeSearch: Operation = {
  name: 'company-employee-search',
  method: 'GET',
  path: '/api/v1/company/employee-search',
  successStatus: 200,
  read: ({ query }) => {
    const limit = readPageSize(query.get('limit') ?? undefined, DEFAULT_LIMIT);
    const identity = readCompanyIdentity(query, {
      domain: 'company_domain',
      url: 'company_network_url',
      missingText: 'Either company_domain or company_linkedin_url is required',
    });
    const offset = readPosition(query.get('offset') ?? undefined, 'offset');
    const options = readContactOptions(query);
    const isWanted = readEmployeeQuery(query);
    return {
      price: { per: 'result', base: 1, full: 1 + contactCredits(options) },
      answer: (view) => {
        const company = findCompany(view.world, identity);
        const matching = staffOf(company, view).filter((person) => isWanted(person, view.nowMs));
        const found = matching.slice(offset, offset + limit);
        const total = matching.length;
        const body = {
          data: found.map((person) => employeeRecord(person, view.nowMs, options)),
          company_info: { name: company?.name, domain: company?.domains[0], total_employees_found: total },
          pagination: { total, limit, offset, has_more: offset + found.length < total },
        };
        return { resultCount: found.length, body };
      },
    };
  },
};

/** @throws ApiError 404 for an unknown company, and for a company without known people */
function staffOf(company: Company | undefined, view: View): Person[] {
  const staff = company === undefined ? [] : currentStaff(view.world, company, view.nowMs);
  if (staff.length === 0) throw notFound('Company not found or has insufficient employee data');
  return staff;
}
