import { fullName } from './records.ts';
import { badRequest, type OperationInput, readDomain, readText, type View } from './requests.ts';
import { fold, type Place } from './world/tables.ts';
import { type Company, type Job, jobAt, type Person, pastJobsAt } from './world/world.ts';

export interface Search {
  readonly ofPerson: readonly Condition<PersonSubject>[];
  readonly ofCompany: readonly Condition<CompanySubject>[];
}

/** The other filters of the specification. */
const UNPLAYED = /^(?:not_)?(?:person|organization)_/;

/**
 * Reads the filters and ignores other fields.
 * @throws ApiError 400 for a filter of the wrong form, or one that this service does not play
 */
export function readSearch(body: OperationInput): Search {
  const unplayed = Object.keys(body).find(
    (field) => UNPLAYED.test(field) && !(field in personFilters || field in companyFilters),
  );
  if (unplayed !== undefined) throw badRequest(`This stand-in does not play the filter ${unplayed}`);
  return { ofPerson: conditionsOf(body, personFilters), ofCompany: conditionsOf(body, companyFilters) };
}

function conditionsOf<T>(body: OperationInput, filters: Readonly<Record<string, Filter<T>>>): Condition<T>[] {
  return Object.entries(filters)
    .map(([field, filter]) => filter(field, body[field]))
    .filter((condition) => condition !== undefined);
}

export function isEmpty({ ofPerson, ofCompany }: Search): boolean {
  return ofPerson.length + ofCompany.length === 0;
}

export function findPeople({ ofPerson, ofCompany }: Search, { world, nowMs }: View): Person[] {
  return world.people.filter((person) => {
    const job = jobAt(person, nowMs);
    return (
      ofPerson.every((holds) => holds({ person, job, nowMs })) &&
      ofCompany.every((holds) => holds({ company: job.company, nowMs }))
    );
  });
}

/** Finds companies, in the world's order. If conditions concern people, one employee must meet all of them. */
export function findCompanies(search: Search, view: View): Company[] {
  const { ofPerson, ofCompany } = search;
  const employers = new Set(
    ofPerson.length === 0
      ? view.world.companies
      : findPeople(search, view).map((person) => jobAt(person, view.nowMs).company),
  );
  return view.world.companies.filter(
    (company) => employers.has(company) && ofCompany.every((holds) => holds({ company, nowMs: view.nowMs })),
  );
}

interface CompanySubject {
  readonly company: Company;
  readonly nowMs: number;
}

type Texts = (company: Company) => readonly (string | undefined)[];

const texts =
  (textsOf: Texts) =>
  ({ company }: CompanySubject): readonly string[] =>
    textsOf(company).filter((text) => text !== undefined);

const byAnyPlace: Filter<CompanySubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ company }) => company.locations.some(matches);
});

const byDomain = anyOf(
  texts((company) => company.domains),
  (text) => readDomain(text) ?? fold(text),
);
const byIndustry = anyOf(texts((company) => company.industries));
const byTechnology = anyOf(texts((company) => Object.values(company.technologies)));

/** The specification's "Shared filter fields" about companies that this service plays. */
const companyFilters: Readonly<Record<string, Filter<CompanySubject>>> = {
  q_organization_domains: byDomain,
  not_q_organization_domains: noneOf(byDomain),
  organization_location: byAnyPlace,
  not_organization_location: noneOf(byAnyPlace),
  organization_industry: byIndustry,
  organization_not_industry: noneOf(byIndustry),
  organization_technology: byTechnology,
  not_organization_technology: noneOf(byTechnology),
};

interface PersonSubject {
  readonly person: Person;
  readonly job: Job;
  readonly nowMs: number;
}

const byTitle: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = titleMatcher(wanted);
  return ({ job }) => matches(job.title);
});

const byHome: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ person }) => matches(person.place);
});

/** The same about people. */
const personFilters: Readonly<Record<string, Filter<PersonSubject>>> = {
  person_titles: byTitle,
  person_not_titles: noneOf(byTitle),
  person_seniorities: anyOf(({ job }) => (job.seniority === undefined ? [] : [job.seniority]), seniorityKey),
  person_location: byHome,
  not_person_location: noneOf(byHome),
};

type Holds = (person: Person, nowMs: number) => boolean;

const FILTERS: Readonly<Record<string, (text: string) => Holds>> = {
  title: (text) => (person, nowMs) => fold(jobAt(person, nowMs).title).includes(fold(text)),
  department: (text) => (person, nowMs) => fold(jobAt(person, nowMs).department) === fold(text),
  seniority: (text) => (person, nowMs) =>
    seniorityKey(jobAt(person, nowMs).seniority ?? '') === seniorityKey(text),
  location: livesIn,
  keywords: mentions,
};

/** Reads the filters. All given filters must match. */
export function readEmployeeQuery(given: OperationInput): Holds {
  const conditions = Object.entries(FILTERS).flatMap(([name, conditionOf]) => {
    const text = readText(given, name);
    return text === undefined ? [] : [conditionOf(text)];
  });
  return (person, nowMs) => conditions.every((holds) => holds(person, nowMs));
}

/** Matches a remote person only by `Remote`, as its record shows. */
function livesIn(location: string): Holds {
  if (fold(location) === 'remote') return (person) => person.isRemote;
  const matches = placeMatcher([location]);
  return (person) => !person.isRemote && matches(person.place);
}

/** Matches if the profile contains every word, in its name, title, department, earlier titles or companies. */
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
  return fold([fullName(person), title, department, ...past].join(' '));
}

type Condition<T> = (subject: T) => boolean;

/**
 * Turns one field's value into a condition. Returns `undefined` for an empty list, which filters nothing.
 * @throws ApiError 400 if its form differs from the specification.
 */
type Filter<T> = (field: string, value: unknown) => Condition<T> | undefined;

function anyOf<T>(textsOf: (subject: T) => readonly string[], keyOf = fold): Filter<T> {
  return fromTexts((wanted) => {
    const keys = new Set(wanted.map(keyOf));
    return (subject) => textsOf(subject).some((text) => keys.has(keyOf(text)));
  });
}

function noneOf<T>(filter: Filter<T>): Filter<T> {
  return (field, value) => {
    const condition = filter(field, value);
    return condition === undefined ? undefined : (subject) => !condition(subject);
  };
}

function fromTexts<T>(toCondition: (wanted: readonly string[]) => Condition<T>): Filter<T> {
  return (field, value) => {
    const wanted: unknown = value ?? [];
    if (!Array.isArray(wanted) || !wanted.every((item) => typeof item === 'string'))
      throw badRequest(`${field} must be an array of strings`);
    const given = wanted.map((text) => text.trim()).filter((text) => text !== '');
    return given.length === 0 ? undefined : toCondition(given);
  };
}

/**
 * One key for labels of the same level. The specification calls a level C-Team in people search and C-Suite in
 * employee search.
 */
function seniorityKey(label: string): string {
  const key = fold(label).replace(/[ _]/g, '-');
  return ['c-team', 'c-level', 'c-suite', 'csuite'].includes(key) ? 'c-suite' : key;
}

/**
 * Matches if a word of the title begins with the wanted text: `engineer` finds Engineering Manager, `cto` does not
 * find Director.
 */
function titleMatcher(wanted: readonly string[]): (title: string) => boolean {
  const needles = wanted.map((text) => ` ${fold(text)}`);
  return (title) => needles.some((needle) => ` ${fold(title)}`.includes(needle));
}

/**
 * Matches names of a place: its city, state, country, country code or region. Of several names with commas, all must
 * fit the place.
 */
function placeMatcher(wanted: readonly string[]): (place: Place) => boolean {
  const needles = wanted.map((text) => fold(text).split(/ ?, ?/).filter(Boolean));
  return ({ city, state, country, countryCode, region }) => {
    const names = [city, state, country, countryCode, region].map((name) => fold(name ?? ''));
    return needles.some((parts) => parts.length > 0 && parts.every((part) => names.includes(part)));
  };
}
