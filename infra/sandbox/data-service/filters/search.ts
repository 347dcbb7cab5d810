import type { View } from '../operation.ts';
import { jobAt } from '../world/employment.ts';
import type { Company, Person } from '../world/types.ts';
import { type CompanySubject, companyFilters } from './company-filters.ts';
import type { Condition, Filter } from './conditions.ts';
import { type PersonSubject, personFilters } from './person-filters.ts';

/** The conditions of one search body; all must hold. */
export interface Search {
  readonly ofPerson: readonly Condition<PersonSubject>[];
  readonly ofCompany: readonly Condition<CompanySubject>[];
}

/** Fields that are not filters are passed over. @throws ApiError 400 for a filter of the wrong shape. */
export function readSearch(body: Readonly<Record<string, unknown>>): Search {
  return { ofPerson: conditionsOf(body, personFilters), ofCompany: conditionsOf(body, companyFilters) };
}

function conditionsOf<T>(
  body: Readonly<Record<string, unknown>>,
  filters: Readonly<Record<string, Filter<T>>>,
): Condition<T>[] {
  return Object.entries(filters)
    .map(([field, filter]) => filter(field, body[field]))
    .filter((condition) => condition !== undefined);
}

export function isEmpty({ ofPerson, ofCompany }: Search): boolean {
  return ofPerson.length + ofCompany.length === 0;
}

/** People in the world's order; each company is judged once. */
export function findPeople(search: Search, { world, nowMs }: View): Person[] {
  const verdicts = new Map<Company, boolean>();
  const suits = (company: Company) => {
    const verdict = verdicts.get(company) ?? search.ofCompany.every((holds) => holds({ company, nowMs }));
    verdicts.set(company, verdict);
    return verdict;
  };
  return world.people.filter((person) => {
    const job = jobAt(person, nowMs);
    return suits(job.company) && search.ofPerson.every((holds) => holds({ person, job, nowMs }));
  });
}

/** Companies in the world's order; conditions of people ask for one who works there and meets them all. */
export function findCompanies(search: Search, view: View): Company[] {
  const { world, nowMs } = view;
  return world.companies.filter((company) => {
    if (!search.ofCompany.every((holds) => holds({ company, nowMs }))) return false;
    return search.ofPerson.length === 0 || employs(company, search, view);
  });
}

function employs(company: Company, { ofPerson }: Search, { world, nowMs }: View): boolean {
  const staff = world.staff.get(company) ?? [];
  return staff.some((person) => {
    const job = jobAt(person, nowMs);
    return job.company === company && ofPerson.every((holds) => holds({ person, job, nowMs }));
  });
}
