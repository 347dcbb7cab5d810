import { DAY_MS } from '../../../shared/kernel/index.ts';
import { fullName } from './records.ts';
import { badRequest, readDomain, readText, type View } from './requests.ts';
import { isRecord } from './settings.ts';
import { fold, monthsBetween, type Place } from './world/tables.ts';
import { type Company, type Job, jobAt, type Person, pastJobsAt } from './world/world.ts';

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
type Figure = (company: Company) => number | undefined;

const texts =
  (textsOf: Texts) =>
  ({ company }: CompanySubject): readonly string[] =>
    textsOf(company).filter((text) => text !== undefined);

const range = (numberOf: Figure) => inRange<CompanySubject>(({ company }) => numberOf(company));

const byAnyPlace: Filter<CompanySubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ company }) => company.locations.some(matches);
});

const lastRound = (company: Company) => company.funding.at(-1);

const byDomain = anyOf(
  texts((company) => company.domains),
  (text) => readDomain(text) ?? fold(text),
);
const byIndustry = anyOf(texts((company) => company.industries));
const bySic = anyCodeOf(texts((company) => company.sicCodes));
const byNaics = anyCodeOf(texts((company) => company.naics.map(({ code }) => code)));
const toolsOf = texts((company) => Object.values(company.technologies));

/** The specification's "Shared filter fields" about companies, in its order. */
const companyFilters: Readonly<Record<string, Filter<CompanySubject>>> = {
  q_organization_domains: byDomain,
  not_q_organization_domains: noneOf(byDomain),
  organization_location: byAnyPlace,
  not_organization_location: noneOf(byAnyPlace),
  organization_industry: byIndustry,
  organization_not_industry: noneOf(byIndustry),
  organization_sic_industry: bySic,
  organization_not_sic_industry: noneOf(bySic),
  organization_naics_industry: byNaics,
  organization_not_naics_industry: noneOf(byNaics),
  organization_revenue_ranges: anyOf(
    texts((company) => [company.revenue?.label]),
    (label) => fold(label).replaceAll(' ', '').replaceAll('–', '-'),
  ),
  organization_technology: anyOf(toolsOf),
  organization_all_technology: allOf(toolsOf),
  not_organization_technology: noneOf(anyOf(toolsOf)),
  organization_has_web_app: isTrue(({ company }) => company.hasWebApp),
  organization_has_mobile_app: isTrue(
    ({ company }) => company.iosApp !== undefined || company.androidApp !== undefined,
  ),
  organization_appstore_app_category: anyOf(texts((company) => [company.iosApp?.category])),
  organization_playstore_app_category: anyOf(texts((company) => [company.androidApp?.category])),
  organization_appstore_rating: range((company) => company.iosApp?.rating),
  organization_playstore_rating: range((company) => company.androidApp?.rating),
  organization_appstore_review_count: range((company) => company.iosApp?.reviewCount),
  organization_playstore_review_count: range((company) => company.androidApp?.reviewCount),
  organization_is_website_for_sale: isTrue(({ company }) => company.isWebsiteForSale),
  organization_website_traffic_total_monthly: range((company) => company.traffic?.total),
  organization_website_traffic_monthly_organic: range((company) => company.traffic?.organic),
  organization_website_traffic_monthly_paid: range((company) => company.traffic?.paid),
  organization_monthly_google_adspend: range((company) => company.adSpend),
  organization_funding_amount: range((company) => lastRound(company)?.amount),
  organization_funding_total_amount: range((company) =>
    company.funding.length === 0
      ? undefined
      : company.funding.reduce((sum, round) => sum + (round.amount ?? 0), 0),
  ),
  organization_funding_date: inRange(({ company, nowMs }) => {
    const round = lastRound(company);
    return round === undefined ? undefined : monthsBetween(Date.parse(round.date), nowMs);
  }),
  organization_funding_type: anyOf(texts((company) => [lastRound(company)?.type])),
  organization_funding_lead_investors: anyOf(
    texts((company) => company.funding.map((round) => round.investors[0])),
  ),
  organization_funding_number_of_investors: range((company) => lastRound(company)?.investors.length),
  organization_roles_count: anyRoleCount(({ company }) => company.roleCounts),
  organization_open_roles_count: anyRoleCount(({ company }) => company.openRoleCounts),
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

const byPastTitle: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = titleMatcher(wanted);
  return ({ person, nowMs }) => pastJobsAt(person, nowMs).some((past) => matches(past.title));
});

const byHome: Filter<PersonSubject> = fromTexts((wanted) => {
  const matches = placeMatcher(wanted);
  return ({ person }) => matches(person.place);
});

/** The specification's "Shared filter fields" about people. */
const personFilters: Readonly<Record<string, Filter<PersonSubject>>> = {
  person_titles: byTitle,
  person_not_titles: noneOf(byTitle),
  person_past_titles: byPastTitle,
  person_seniorities: anyOf(({ job }) => (job.seniority === undefined ? [] : [job.seniority]), seniorityKey),
  person_location: byHome,
  not_person_location: noneOf(byHome),
  person_days_in_current_title_range: inRange(({ job, nowMs }) =>
    job.isStartKnown ? Math.floor((nowMs - job.startMs) / DAY_MS) : undefined,
  ),
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
export function readEmployeeQuery(query: URLSearchParams): Holds {
  const conditions = Object.entries(FILTERS).flatMap(([name, conditionOf]) => {
    const text = readText(query, name);
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

type Condition<T> = (subject: T) => boolean;

/**
 * Turns one field's value into a condition. Returns `undefined` if the value filters nothing (an empty list, a range
 * without bounds).
 * @throws ApiError 400 if its form differs from the specification.
 */
type Filter<T> = (field: string, value: unknown) => Condition<T> | undefined;

function anyOf<T>(textsOf: (subject: T) => readonly string[], keyOf = fold): Filter<T> {
  return fromTexts((wanted) => {
    const keys = new Set(wanted.map(keyOf));
    return (subject) => textsOf(subject).some((text) => keys.has(keyOf(text)));
  });
}

function allOf<T>(textsOf: (subject: T) => readonly string[]): Filter<T> {
  return fromTexts((wanted) => {
    const keys = [...new Set(wanted.map(fold))];
    return (subject) => {
      const present = new Set(textsOf(subject).map(fold));
      return keys.every((key) => present.has(key));
    };
  });
}

/** Matches if one of the subject's codes is a wanted code or begins with it: `54` stands for all codes under it. */
function anyCodeOf<T>(codesOf: (subject: T) => readonly string[]): Filter<T> {
  return fromTexts((wanted) => {
    const codes = new Set(wanted);
    return (subject) =>
      codesOf(subject).some((code) =>
        Array.from({ length: Math.max(0, code.length - 1) }, (_, place) => code.slice(0, place + 2)).some(
          (one) => codes.has(one),
        ),
      );
  });
}

function noneOf<T>(filter: Filter<T>): Filter<T> {
  return (field, value) => {
    const condition = filter(field, value);
    return condition === undefined ? undefined : (subject) => !condition(subject);
  };
}

/**
 * Matches numbers within both bounds, inclusive. A missing bound is open. A subject without the number does not
 * match.
 */
function inRange<T>(numberOf: (subject: T) => number | undefined): Filter<T> {
  return (field, value) => {
    const range = readRange(field, value);
    if (range === undefined) return undefined;
    return (subject) => isWithin(range, numberOf(subject));
  };
}

function isTrue<T>(flagOf: (subject: T) => boolean): Filter<T> {
  return (field, value) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw badRequest(`${field} must be true or false`);
    return (subject) => flagOf(subject) === value;
  };
}

/**
 * Matches if any of the items `{department, range}` matches.
 * @param countsOf returns counts by department. Names are folded and have underscores.
 */
function anyRoleCount<T>(countsOf: (subject: T) => Readonly<Record<string, number>>): Filter<T> {
  return (field, value) => {
    const items = readList(field, value, 'objects').map((item) => readRoleItem(field, item));
    if (items.length === 0) return undefined;
    return (subject) => items.some(({ role, range }) => isWithin(range, countsOf(subject)[role]));
  };
}

function fromTexts<T>(toCondition: (wanted: readonly string[]) => Condition<T>): Filter<T> {
  return (field, value) => {
    const wanted = readList(field, value, 'strings').map((item) => {
      if (typeof item !== 'string') throw badRequest(`${field} must be an array of strings`);
      return item.trim();
    });
    const given = wanted.filter((text) => text !== '');
    return given.length === 0 ? undefined : toCondition(given);
  };
}

function readList(field: string, value: unknown, items: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badRequest(`${field} must be an array of ${items}`);
  return value;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function readRange(field: string, value: unknown): Range | undefined {
  if (value === undefined || value === null) return undefined;
  const range = isRecord(value) ? value : {};
  const { min, max } = range;
  if (!isRecord(value) || !isBound(min) || !isBound(max)) {
    throw badRequest(`${field} must be a range of numbers: {min, max}`);
  }
  if (typeof min !== 'number' && typeof max !== 'number') return undefined;
  return { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY };
}

function isBound(value: unknown): value is number | undefined | null {
  return value === undefined || value === null || typeof value === 'number';
}

function isWithin({ min, max }: Range, number: number | undefined): boolean {
  return number !== undefined && number >= min && number <= max;
}

/** Other names of the departments that records count. */
const ROLE_SYNONYMS: Readonly<Record<string, string>> = {
  engineering: 'engineer',
  engineers: 'engineer',
  information_technology: 'it',
};

function readRoleItem(field: string, item: unknown): { readonly role: string; readonly range: Range } {
  const department = isRecord(item) ? item['department'] : undefined;
  const range = isRecord(item) ? readRange(field, item['range']) : undefined;
  if (typeof department !== 'string') throw badRequest(`${field} must be an array of {department, range}`);
  const role = fold(department).replace(/[ -]/g, '_');
  return {
    role: ROLE_SYNONYMS[role] ?? role,
    range: range ?? { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY },
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
