import { notFound } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { readSwitch } from '../parameters.ts';
import { companyProfileRecord, type ProfileOptions } from '../records/company-profile-record.ts';
import { currentStaff } from '../world/employment.ts';
import { findCompany, readCompanyIdentity } from './company-identity.ts';

/** Spec: "Company profile". */
export const companyProfile: Operation = {
  name: 'company-profile',
  method: 'GET',
  path: '/api/v1/company/profile',
  successStatus: 200,
  read: ({ query }) => {
    const identity = readCompanyIdentity(query, {
      domain: 'domain',
      url: 'network_url',
      missingText: 'Either domain or linkedin_url parameter is required',
    });
    const options = {
      funding: readSwitch(query.get('include_funding'), 'include_funding'),
      technology: readSwitch(query.get('include_technology'), 'include_technology'),
      contacts: readSwitch(query.get('include_contacts'), 'include_contacts'),
    };
    return {
      price: { per: 'request', base: 1, full: 1 + optionCredits(options) },
      answer: ({ world, nowMs }) => {
        const company = findCompany(world, identity);
        if (company === undefined) throw notFound('No company found matching the provided criteria');
        const staff = currentStaff(world, company, nowMs);
        return {
          resultCount: 1,
          body: { data: companyProfileRecord(company, { staff, nowMs, options }) },
        };
      },
    };
  },
};

function optionCredits({ funding, technology, contacts }: ProfileOptions): number {
  return (funding ? 2 : 0) + (technology ? 1 : 0) + (contacts ? 3 : 0);
}
