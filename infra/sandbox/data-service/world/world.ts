import { seededRandom } from '../../../../shared/kernel/index.ts';
import { type CompanyDraft, generateCompany } from './company-generator.ts';
import { countryByCode } from './countries.ts';
import { createDraw } from './draw.ts';
import { fold } from './folding.ts';
import { generatePeople } from './people-generator.ts';
import { createPhoneBook } from './phone-book.ts';
import type { Company, Person } from './types.ts';

/** All people and companies of the service, with an index for each kind of lookup. */
export interface World {
  readonly people: readonly Person[];
  readonly companies: readonly Company[];
  readonly companyByDomain: ReadonlyMap<string, Company>;
  readonly companyBySlug: ReadonlyMap<string, Company>;
  readonly personBySlug: ReadonlyMap<string, Person>;
  /** Includes email addresses of next jobs. */
  readonly personByEmail: ReadonlyMap<string, Person>;
  /** Keys are digits with the calling code. */
  readonly personByInternationalPhone: ReadonlyMap<string, Person>;
  /**
   * Keys are digits as dialled inside the country, with and without the trunk prefix. If two people have the same
   * key, the first is found.
   */
  readonly personByNationalPhone: ReadonlyMap<string, Person>;
  /** Present and future employees. The job at the time of the request decides who is an employee. */
  readonly staff: ReadonlyMap<Company, readonly Person[]>;
  /** Present and future employees by `namesakeKey`: company id and folded first name. */
  readonly namesakes: ReadonlyMap<string, readonly Person[]>;
}

const MIN_COMPANIES = 1_050;
const MIN_PEOPLE = 20_400;
const KEPT_WORLDS = 2;

const cachedWorlds = new Map<number, World>();

/** Returns the world of a seed. Worlds do not change, so the last few are cached. */
export function worldOf(seed: number): World {
  const known = cachedWorlds.get(seed);
  if (known !== undefined) return known;
  const world = generateWorld(seed);
  cachedWorlds.set(seed, world);
  const oldest = cachedWorlds.keys().next().value;
  if (cachedWorlds.size > KEPT_WORLDS && oldest !== undefined) cachedWorlds.delete(oldest);
  return world;
}

export function namesakeKey(company: Company, firstName: string): string {
  return `${company.id} ${fold(firstName)}`;
}

/** Generates a new world. Use `worldOf`, which caches the last worlds. */
export function generateWorld(seed: number): World {
  const source = {
    draw: createDraw(seededRandom(seed)),
    phoneBook: createPhoneBook(),
    taken: new Set<string>(),
  };
  const drafts: CompanyDraft[] = [];
  for (let people = 0; people < MIN_PEOPLE || drafts.length < MIN_COMPANIES; ) {
    const draft = generateCompany(source);
    people += draft.knownCount;
    drafts.push(draft);
  }
  const people = drafts.flatMap((draft) => generatePeople({ ...source, drafts }, draft));
  return indexed(
    people,
    drafts.map((draft) => draft.company),
  );
}

function indexed(people: readonly Person[], companies: readonly Company[]): World {
  const employments = people.flatMap((person) =>
    companiesOf(person).map((company) => [company, person] as const),
  );
  return {
    people,
    companies,
    companyByDomain: new Map(companies.flatMap((one) => one.domains.map((domain) => [domain, one]))),
    companyBySlug: new Map(companies.map((one) => [one.networkSlug, one])),
    personBySlug: firstOf(people, (one) => [one.networkSlug]),
    personByEmail: firstOf(people, (one) => [one.job.email, one.nextJob?.email]),
    personByInternationalPhone: firstOf(people, (one) => [one.mobile?.slice(1)]),
    personByNationalPhone: firstOf(people, nationalForms),
    staff: grouped(employments, (company) => company),
    namesakes: grouped(employments, (company, person) => namesakeKey(company, person.firstName)),
  };
}

function companiesOf({ job, nextJob }: Person): Company[] {
  return nextJob === undefined || nextJob.company === job.company
    ? [job.company]
    : [job.company, nextJob.company];
}

function nationalForms({ mobile }: Person): string[] {
  if (mobile === undefined) return [];
  const country = [...countryByCode.values()].find((one) => isNumberOf(mobile, one));
  if (country === undefined) return [];
  const national = mobile.slice(1 + country.callingCode.length);
  return [national, `${country.trunkPrefix}${national}`];
}

function isNumberOf(mobile: string, country: { callingCode: string; nationalLength: number }): boolean {
  const length = 1 + country.callingCode.length + country.nationalLength;
  return mobile.startsWith(`+${country.callingCode}`) && mobile.length === length;
}

function firstOf(
  people: readonly Person[],
  keysOf: (person: Person) => (string | undefined)[],
): Map<string, Person> {
  const index = new Map<string, Person>();
  for (const person of people) {
    for (const key of keysOf(person)) {
      if (key !== undefined && !index.has(key)) index.set(key, person);
    }
  }
  return index;
}

type Employment = readonly [Company, Person];

function grouped<K>(
  pairs: readonly Employment[],
  keyOf: (company: Company, person: Person) => K,
): Map<K, Person[]> {
  const index = new Map<K, Person[]>();
  for (const [company, person] of pairs) {
    const key = keyOf(company, person);
    const group = index.get(key);
    if (group === undefined) index.set(key, [person]);
    else group.push(person);
  }
  return index;
}
