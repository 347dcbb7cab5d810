import { type Fields, textOf } from './answer.ts';
import {
  CHECK_KEY,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  EMPLOYEE_SEARCH,
  type Endpoint,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './endpoints.ts';
import type { Existing } from './error-rows.ts';
import { nameOf } from './record-sets.ts';
import { pickWith, type Samples } from './samples.ts';

/** A question of each operation that has an answer, without options. */
export interface Question {
  readonly operation: string;
  readonly endpoint: Endpoint;
  readonly params: (samples: Samples) => Fields;
}

const question = (endpoint: Endpoint, params: Question['params']): Question => ({
  operation: endpoint.operation,
  endpoint,
  params,
});

/** One who can be asked for in every way. */
function personOf({ people }: Samples): Fields {
  return pickWith(people, 'email', 'mobile_number', 'network_url', 'title', 'city');
}

function domainOf(samples: Samples): string {
  return textOf(personOf(samples), 'organizations.primary_domain');
}

export function existingOf(samples: Samples): Existing {
  const person = personOf(samples);
  return {
    domain: domainOf(samples),
    companyUrl: textOf(person, 'organizations.network_url'),
    profileUrl: textOf(person, 'network_url'),
  };
}

export const QUESTIONS: readonly Question[] = [
  question(CHECK_KEY, () => ({})),
  question(PEOPLE_SEARCH, (samples) => ({ q_organization_domains: [domainOf(samples)], per_page: 3 })),
  question(COMPANY_SEARCH, (samples) => ({ q_organization_domains: [domainOf(samples)], per_page: 3 })),
  question(EMPLOYEE_SEARCH, (samples) => ({ company_domain: domainOf(samples), limit: 3 })),
  question(PEOPLE_LOOKUP, (samples) => nameOf(personOf(samples))),
  question(PEOPLE_PROFILE, (samples) => ({ network_url: personOf(samples)['network_url'] })),
  question(COMPANY_PROFILE, (samples) => ({ domain: domainOf(samples) })),
  question(REVERSE_EMAIL, (samples) => ({ email: personOf(samples)['email'] })),
  question(REVERSE_PHONE, (samples) => ({ phone: personOf(samples)['mobile_number'] })),
];
