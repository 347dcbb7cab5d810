import { beforeAll } from 'vitest';
import { type Fields, listOf, readFields, recordOf, recordsOf, textOf } from './answer.ts';
import {
  COMPANY_OPTIONS,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  PEOPLE_SEARCH,
  PERSON_OPTIONS,
  PROFILE_OPTIONS,
} from './endpoints.ts';
import { type Target, targetKind } from './target.ts';

/** Records that exist, so that a test can ask for them. */
export interface Samples {
  /** With email and phone, where they have one. */
  readonly people: readonly Fields[];
  readonly companies: readonly CompanySample[];
}

export interface CompanySample {
  readonly id: string;
  readonly domain: string;
  /** As company profile gives it with all options. */
  readonly profile: Fields;
  /** As company search gives it with all options. */
  readonly found: Fields;
}

const PEOPLE_COUNT = 2_000;
const COMPANY_COUNT = 300;
const PAGE = 100;
/** Of a real service, which charges 7 for each. */
const FEW_COMPANIES = 25;

/** Filled before the first test of the calling file. */
export function useSamples(target: Target): Samples {
  const people: Fields[] = [];
  const companies: CompanySample[] = [];
  beforeAll(async () => {
    const sources = targetKind === 'service' ? await search(target) : await readWorld(target);
    people.push(...sources.people);
    companies.push(...(await withSearchRecords(target, sources.profiles)));
  });
  return { people, companies };
}

interface Sources {
  readonly people: readonly Fields[];
  readonly profiles: readonly Fields[];
}

/** What a stand-in says that there is. */
async function readWorld({ verb }: Target): Promise<Sources> {
  const records = async (kind: string, limit: number) =>
    listOf(await verb('GET', 'records', { kind, limit }), 'records').map(readFields);
  return { people: await records('person', PEOPLE_COUNT), profiles: await records('company', COMPANY_COUNT) };
}

/** What a real service finds for a broad question. */
async function search({ ask }: Target): Promise<Sources> {
  const params = { person_seniorities: ['Manager', 'Director'], per_page: PAGE, ...PERSON_OPTIONS };
  const people = recordsOf(await ask(PEOPLE_SEARCH, params));
  const domains = new Set(people.map((person) => person['organizations.primary_domain']));
  const profiles: Fields[] = [];
  for (const domain of [...domains].filter((one) => one !== undefined).slice(0, FEW_COMPANIES)) {
    profiles.push(recordOf(await ask(COMPANY_PROFILE, { domain, ...PROFILE_OPTIONS })));
  }
  return { people, profiles };
}

async function withSearchRecords({ ask }: Target, profiles: readonly Fields[]): Promise<CompanySample[]> {
  const found: Fields[] = [];
  for (let start = 0; start < profiles.length; start += PAGE) {
    const domains = profiles.slice(start, start + PAGE).map((one) => one['primary_domain']);
    const params = { q_organization_domains: domains, per_page: PAGE, ...COMPANY_OPTIONS };
    found.push(...recordsOf(await ask(COMPANY_SEARCH, params)));
  }
  const byId = new Map(found.map((record) => [record['id'], record]));
  return profiles.flatMap((profile) => {
    const record = byId.get(profile['id']);
    const names = { id: textOf(profile, 'id'), domain: textOf(profile, 'primary_domain') };
    return record === undefined ? [] : [{ ...names, profile, found: record }];
  });
}

/** The first of whom something can be said. @throws when there is none, which is no fault of the service */
export function pick<Item, Found>(
  items: readonly Item[],
  what: string,
  look: (item: Item) => Found | undefined,
): Found {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  throw new Error(`The sample has no ${what}.`);
}

/** The first that has all of these. */
export function pickWith(items: readonly Fields[], ...keys: readonly string[]): Fields {
  return pick(items, `record with ${keys.join(', ')}`, (item) =>
    keys.every((key) => item[key] !== undefined) ? item : undefined,
  );
}

/** Rows for `each`, whose `%s` is then the whole name; `$name` would be cut after 40 characters. */
export function named<Row>(rows: readonly Row[], nameOf: (row: Row) => string): (readonly [string, Row])[] {
  return rows.map((row) => [nameOf(row), row]);
}
