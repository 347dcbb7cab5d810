import { one } from '../lenient.ts';
import { companyDomain, text } from '../parameter-rules.ts';
import { personSchema } from '../schemas.ts';
import type { Operation } from './operation.ts';
import { personOptions } from './person-options.ts';

export const lookUpPerson: Operation<'lookUpPerson'> = {
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
};
