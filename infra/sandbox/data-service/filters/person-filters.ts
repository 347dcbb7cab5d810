import { DAY_MS } from '../../../../shared/kernel/index.ts';
import { pastJobsAt } from '../world/employment.ts';
import type { Job, Person } from '../world/types.ts';
import { anyOf, type Filter, fromTexts, inRange, noneOf } from './conditions.ts';
import { placeMatcher, seniorityKey, titleMatcher } from './matching.ts';

/** A person in their present job. */
export interface PersonSubject {
  readonly person: Person;
  readonly job: Job;
  readonly nowMs: number;
}

const byTitle: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = titleMatcher(wanted);
  return ({ job }) => matches(job.title);
});

const byPastTitle: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = titleMatcher(wanted);
  return ({ person, nowMs }) => pastJobsAt(person, nowMs).some((past) => matches(past.title));
});

const byPlace: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ person }) => matches(person.place);
});

/** The specification's "Shared filter fields" about people. */
export const personFilters: Readonly<Record<string, Filter<PersonSubject>>> = {
  person_titles: byTitle,
  person_not_titles: noneOf(byTitle),
  person_past_titles: byPastTitle,
  person_seniorities: anyOf(({ job }) => (job.seniority === undefined ? [] : [job.seniority]), seniorityKey),
  person_location: byPlace,
  not_person_location: noneOf(byPlace),
  person_days_in_current_title_range: inRange(({ job, nowMs }) =>
    job.isStartKnown ? Math.floor((nowMs - job.startMs) / DAY_MS) : undefined,
  ),
};
