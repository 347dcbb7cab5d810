import { readText } from '../parameters.ts';
import { fullName } from '../records/person-record.ts';
import { jobAt, pastJobsAt } from '../world/employment.ts';
import { fold } from '../world/folding.ts';
import type { Person } from '../world/types.ts';
import { placeMatcher, seniorityKey } from './matching.ts';

type Holds = (person: Person, nowMs: number) => boolean;

/** Filters of the employee search, by parameter. */
const FILTERS: Readonly<Record<string, (text: string) => Holds>> = {
  title: (text) => holdsTitle(fold(text)),
  department: (text) => worksIn(fold(text)),
  seniority: (text) => ranks(seniorityKey(text)),
  location: livesIn,
  keywords: mentions,
};

/** Reads the filters. All given filters must match. */
export function readEmployeeQuery(query: URLSearchParams): Holds {
  const conditions = Object.entries(FILTERS).flatMap(([name, conditionOf]) => {
    const text = readText(query, name);
    return text === undefined ? [] : [conditionOf(text)];
  });
  return (person, nowMs) => conditions.every((holds) => holds(person, nowMs));
}

/** Matches if the text is anywhere in the title (specification: "Partial match supported"). */
function holdsTitle(needle: string): Holds {
  return (person, nowMs) => fold(jobAt(person, nowMs).title).includes(needle);
}

function worksIn(department: string): Holds {
  return (person, nowMs) => fold(jobAt(person, nowMs).department) === department;
}

function ranks(seniority: string): Holds {
  return (person, nowMs) => seniorityKey(jobAt(person, nowMs).seniority ?? '') === seniority;
}

/** Matches a remote person only by `Remote`, as its record shows. */
function livesIn(location: string): Holds {
  if (fold(location) === 'remote') return (person) => person.isRemote;
  const matches = placeMatcher([location]);
  return (person) => !person.isRemote && matches(person.place);
}

/** Matches if the profile contains every word, in its name, title, department, skills, earlier titles or companies. */
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
