import type { Operation } from '../operation.ts';
import { checkApiKey } from './check-api-key.ts';
import { companyEmployeeSearch } from './company-employee-search.ts';
import { companyProfile } from './company-profile.ts';
import { companySearch } from './company-search.ts';
import { peopleLookup } from './people-lookup.ts';
import { peopleProfile } from './people-profile.ts';
import { peopleSearch } from './people-search.ts';
import { reverseEmailLookup } from './reverse-email-lookup.ts';
import { reversePhoneLookup } from './reverse-phone-lookup.ts';

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
