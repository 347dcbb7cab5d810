import { one } from '../lenient.ts';
import { companyPageUrl, domain, inclusion } from '../parameter-rules.ts';
import { companyProfileSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';

export const companyProfile: Operation<'companyProfile'> = {
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
};
