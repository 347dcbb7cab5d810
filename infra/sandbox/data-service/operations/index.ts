import type { Operation } from '../operation.ts';
import { companyEmployeeSearch } from './company-employee-search.ts';
import { companyProfile } from './company-profile.ts';
import { peopleLookup } from './people-lookup.ts';
import { peopleProfile, reverseEmailLookup, reversePhoneLookup } from './person-by-identifier.ts';
import { companySearch, peopleSearch } from './searches.ts';

/** The workspace of the stand-in. It is the same for all keys. */
const WORKSPACE = {
  name: 'Sandbox Workspace',
  id: '5b0ce5b0ce5b0ce5b0ce0001',
  user_id: '5b0ce5b0ce5b0ce5b0ce0002',
};

/** Spec: "Check API key". Free. */
const checkApiKey: Operation = {
  name: 'check-api-key',
  method: 'GET',
  path: '/api/v1/public/auth',
  successStatus: 200,
  read: () => ({
    price: { per: 'request', base: 0, full: 0 },
    answer: () => ({ resultCount: 1, body: { data: WORKSPACE } }),
  }),
};

export const operations: readonly Operation[] = [
  checkApiKey,
  peopleSearch,
  companySearch,
  companyEmployeeSearch,
  peopleLookup,
  peopleProfile,
  companyProfile,
  reverseEmailLookup,
  reversePhoneLookup,
];
