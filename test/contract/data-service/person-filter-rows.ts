import type { Fields } from './answer.ts';
import { areAlike, around, daysSince, type FilterValues } from './company-filter-rows.ts';

/** Somebody with a name, a company and a job. */
export interface PersonUnderTest {
  readonly id: string;
  readonly domain: string;
  /** As people search gives it. */
  readonly found: Fields;
  /** As employee search lists them. */
  readonly pastTitles: readonly string[];
}

export interface PersonFilterRow {
  readonly field: string;
  readonly values: (person: PersonUnderTest, others: readonly PersonUnderTest[]) => FilterValues | undefined;
  /** A value that nobody at any company meets; a field that excludes has none. */
  readonly nobody?: unknown;
}

const NOBODY_IS = ['Lighthouse Keeper'];
const NOBODY_LIVES_IN = ['Nowhere-upon-Sea'];
const NOBODY_WORKED_SINCE = { min: 100_000, max: 200_000 };

/** The specification's "Shared filter fields" of the person, in its order. */
export const PERSON_FILTER_ROWS: readonly PersonFilterRow[] = [
  { field: 'person_titles', values: currentTitles, nobody: NOBODY_IS },
  { field: 'person_not_titles', values: (...args) => turnedRound(currentTitles(...args)) },
  { field: 'person_past_titles', values: pastTitles, nobody: NOBODY_IS },
  { field: 'person_seniorities', values: seniorities, nobody: NOBODY_IS },
  { field: 'person_location', values: locations, nobody: NOBODY_LIVES_IN },
  { field: 'not_person_location', values: (...args) => turnedRound(locations(...args)) },
  { field: 'person_days_in_current_title_range', values: daysInTitle, nobody: NOBODY_WORKED_SINCE },
];

function turnedRound(values: FilterValues | undefined): FilterValues | undefined {
  return values && { hit: values.miss, miss: values.hit };
}

function currentTitles(
  { found }: PersonUnderTest,
  others: readonly PersonUnderTest[],
): FilterValues | undefined {
  return ownAndOther(textsAt(found, 'title'), titlesOf(others));
}

function pastTitles(
  { found, pastTitles: past }: PersonUnderTest,
  others: readonly PersonUnderTest[],
): FilterValues | undefined {
  const values = ownAndOther(past, titlesOf(others));
  const isPastOnly = !past.some((title) => title === found['title']);
  return isPastOnly ? values : undefined;
}

function seniorities(
  { found }: PersonUnderTest,
  others: readonly PersonUnderTest[],
): FilterValues | undefined {
  return ownAndOther(
    textsAt(found, 'seniority'),
    others.flatMap((other) => textsAt(other.found, 'seniority')),
  );
}

/** By city; the other one is in no place that shares a name with the person's. */
function locations({ found }: PersonUnderTest, others: readonly PersonUnderTest[]): FilterValues | undefined {
  const own = textsAt(found, 'city', 'state', 'country');
  const hasCity = found['city'] !== undefined;
  return hasCity
    ? ownAndOther(
        own,
        others.flatMap((other) => textsAt(other.found, 'city')),
      )
    : undefined;
}

function daysInTitle({ found }: PersonUnderTest): FilterValues | undefined {
  const [start] = textsAt(found, 'job_start_date');
  return start === undefined ? undefined : around(daysSince(start), 2);
}

function ownAndOther(own: readonly string[], candidates: readonly string[]): FilterValues | undefined {
  const [first] = own;
  const other = candidates.find((candidate) => !own.some((one) => areAlike(one, candidate)));
  return first === undefined || other === undefined ? undefined : { hit: [first], miss: [other] };
}

function titlesOf(people: readonly PersonUnderTest[]): string[] {
  return people.flatMap(({ found }) => textsAt(found, 'title'));
}

function textsAt(record: Fields, ...keys: readonly string[]): string[] {
  return keys.map((key) => record[key]).filter((value) => typeof value === 'string');
}
