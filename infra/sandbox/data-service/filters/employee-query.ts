import { readText } from '../parameters.ts';
import { fullName } from '../records/person-record.ts';
import { jobAt, pastJobsAt } from '../world/employment.ts';
import { fold } from '../world/folding.ts';
import type { Person } from '../world/types.ts';
import { placeMatcher, seniorityKey } from './matching.ts';

/** The employee search's own filters; all that are given must hold. */
export interface EmployeeQuery {
  readonly title: string | undefined;
  readonly department: string | undefined;
  readonly seniority: string | undefined;
  readonly location: string | undefined;
  readonly keywords: string | undefined;
}

export function readEmployeeQuery(query: URLSearchParams): EmployeeQuery {
  return {
    title: readText(query, 'title'),
    department: readText(query, 'department'),
    seniority: readText(query, 'seniority'),
    location: readText(query, 'location'),
    keywords: readText(query, 'keywords'),
  };
}

type Holds = (person: Person, nowMs: number) => boolean;

export function employeeMatcher(query: EmployeeQuery, nowMs: number): (person: Person) => boolean {
  const conditions = [
    query.title === undefined ? undefined : holdsTitle(fold(query.title)),
    query.department === undefined ? undefined : worksIn(fold(query.department)),
    query.seniority === undefined ? undefined : ranks(seniorityKey(query.seniority)),
    query.location === undefined ? undefined : livesIn(query.location),
    query.keywords === undefined ? undefined : mentions(query.keywords),
  ].filter((condition) => condition !== undefined);
  return (person) => conditions.every((holds) => holds(person, nowMs));
}

/** "Partial match supported": anywhere in the title. */
function holdsTitle(needle: string): Holds {
  return (person, nowMs) => fold(jobAt(person, nowMs).title).includes(needle);
}

function worksIn(department: string): Holds {
  return (person, nowMs) => fold(jobAt(person, nowMs).department) === department;
}

function ranks(seniority: string): Holds {
  return (person, nowMs) => seniorityKey(jobAt(person, nowMs).seniority ?? '') === seniority;
}

/** Somebody remote is found under `Remote` and nowhere else, as the record says it. */
function livesIn(location: string): Holds {
  if (fold(location) === 'remote') return (person) => person.isRemote;
  const matches = placeMatcher([location]);
  return (person) => !person.isRemote && matches(person.place);
}

/** Every word is somewhere in the profile: name, title, department, skills, earlier titles and companies. */
function mentions(keywords: string): Holds {
  const needles = fold(keywords)
    .split(/[ ,;]+/)
    .filter((word) => word !== '');
  return (person, nowMs) => {
    const text = profileText(person, nowMs);
    return needles.every((needle) => text.includes(needle));
  };
}

function profileText(person: Person, nowMs: number): string {
  const { title, department } = jobAt(person, nowMs);
  const past = pastJobsAt(person, nowMs).flatMap((job) => [job.name, job.title]);
  return fold([fullName(person), title, department, ...person.skills, ...past].join(' '));
}
