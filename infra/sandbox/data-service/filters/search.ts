import type { View } from '../operation.ts';
import { jobAt } from '../world/employment.ts';
import type { Company, Person } from '../world/types.ts';
import { type CompanySubject, companyFilters } from './company-filters.ts';
import type { Condition, Filter } from './conditions.ts';
import { type PersonSubject, personFilters } from './person-filters.ts';

/** Conditions of one search. All must match. */
export interface Search {
  readonly ofPerson: readonly Condition<PersonSubject>[];
  readonly ofCompany: readonly Condition<CompanySubject>[];
}

/** Reads the filters and ignores other fields. @throws ApiError 400 for a filter of the wrong form. */
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

/** Finds people, in the world's order. Each company is checked only once. */
export function findPeople(search: Search, { world, nowMs }: View): Person[] {
  const verdicts = new Map<Company, boolean>();
  const isMatch = (company: Company) => {
    const verdict = verdicts.get(company) ?? search.ofCompany.every((holds) => holds({ company, nowMs }));
    verdicts.set(company, verdict);
    return verdict;
  };
  return world.people.filter((person) => {
    const job = jobAt(person, nowMs);
    return isMatch(job.company) && search.ofPerson.every((holds) => holds({ person, job, nowMs }));
  });
}

/** Finds companies, in the world's order. If conditions concern people, one employee must meet all of them. */
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
