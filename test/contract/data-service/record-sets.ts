import { type Fields, isFields, listOf, readFields, recordOf, recordsOf, textOf } from './answer.ts';
import {
  CHECK_KEY,
  COMPANY_OPTIONS,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  EMPLOYEE_SEARCH,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  PERSON_OPTIONS,
  PROFILE_OPTIONS,
  REVERSE_EMAIL,
  REVERSE_PHONE,
} from './endpoints.ts';
import { COMPANY_PROFILE_ROWS, CONTACT_ROWS, PERSON_ROWS, PROFILE_GROUP_ROWS } from './field-rows.ts';
import { type CompanySample, pick, pickWith, type Samples } from './samples.ts';
import type { Target } from './target.ts';

const PAGE = 100;
const COMPANIES_ASKED = 12;

/** Answers of every operation with all options, chosen so that each field of the specification occurs. */
export async function askForEverything(target: Target, samples: Samples) {
  const { ask } = target;
  const person = pickWith(samples.people, ...[...PERSON_ROWS, ...CONTACT_ROWS].map(([key]) => key));
  const url = { network_url: textOf(person, 'network_url') };
  const domains = samples.companies.slice(0, PAGE).map(({ domain }) => domain);
  const inCompanies = { q_organization_domains: domains, per_page: PAGE };
  const employees = await askForEmployees(target, samples);
  const profiles = await askForProfiles(target, samples.companies);
  return {
    'Check API key': [recordOf(await ask(CHECK_KEY))],
    'People search': recordsOf(await ask(PEOPLE_SEARCH, { ...inCompanies, ...PERSON_OPTIONS })),
    'Company search': recordsOf(await ask(COMPANY_SEARCH, { ...inCompanies, ...COMPANY_OPTIONS })),
    'Employee search': employees.flatMap((body) => listOf(body, 'data').map(readFields)),
    company_info: employees.map((body) => readFields(body['company_info'])),
    pagination: employees.map((body) => readFields(body['pagination'])),
    previous_companies: employees.flatMap((body) =>
      listOf(body, 'data').flatMap((one) => groupsAt(readFields(one), 'previous_companies')),
    ),
    'People lookup': [recordOf(await ask(PEOPLE_LOOKUP, { ...nameOf(person), ...PERSON_OPTIONS }))],
    'People profile': [recordOf(await ask(PEOPLE_PROFILE, { ...url, ...PERSON_OPTIONS }))],
    'Company profile': profiles,
    ...Object.fromEntries(
      Object.keys(PROFILE_GROUP_ROWS).map((key) => [key, profiles.flatMap((one) => groupsAt(one, key))]),
    ),
    last_funding_round: profiles.flatMap((one) =>
      groupsAt(one, 'funding').flatMap((funding) => groupsAt(funding, 'last_funding_round')),
    ),
    funding_rounds: profiles.flatMap((one) =>
      groupsAt(one, 'funding').flatMap((funding) => groupsAt(funding, 'funding_rounds')),
    ),
    'Reverse email lookup': [recordOf(await ask(REVERSE_EMAIL, { email: person['email'] }))],
    'Reverse phone lookup': [recordOf(await ask(REVERSE_PHONE, { phone: person['mobile_number'] }))],
  } satisfies Readonly<Record<string, readonly Fields[]>>;
}

/** All that people lookup can be told of a person. */
export function nameOf(person: Fields) {
  return {
    company_domain: textOf(person, 'organizations.primary_domain'),
    first_name: textOf(person, 'first_name'),
    last_name: textOf(person, 'last_name'),
    title: person['title'],
    location: person['city'],
  };
}

/** The object or the objects under a key; none if it is absent. */
function groupsAt(record: Fields, key: string): Fields[] {
  const value = record[key];
  return isFields(value) ? [value] : listOf(record, key).map(readFields);
}

/** Bodies of the answers for a few companies that have staff. */
async function askForEmployees({ ask }: Target, { people }: Samples): Promise<Fields[]> {
  const domains = new Set(people.map((person) => textOf(person, 'organizations.primary_domain')));
  const bodies: Fields[] = [];
  for (const company_domain of [...domains].slice(0, 3)) {
    bodies.push((await ask(EMPLOYEE_SEARCH, { company_domain, limit: PAGE, ...PERSON_OPTIONS })).body);
  }
  return bodies;
}

/** One company for each field that it must have, and some more. */
async function askForProfiles({ ask }: Target, companies: readonly CompanySample[]): Promise<Fields[]> {
  const chosen = COMPANY_PROFILE_ROWS.map(([key]) =>
    pick(companies, `company with ${key}`, ({ profile, domain }) =>
      profile[key] === undefined ? undefined : domain,
    ),
  );
  const domains = new Set([...chosen, ...companies.slice(0, COMPANIES_ASKED).map(({ domain }) => domain)]);
  const profiles: Fields[] = [];
  for (const domain of domains) {
    profiles.push(recordOf(await ask(COMPANY_PROFILE, { domain, ...PROFILE_OPTIONS })));
  }
  return profiles;
}
