import { expect, it } from 'vitest';
import { type Fields, idsOf, textOf } from './answer.ts';
import { COMPANY_SEARCH, PEOPLE_SEARCH } from './endpoints.ts';
import { named, pickWith, useSamples } from './samples.ts';
import { useTarget } from './target.ts';

const target = useTarget();
const samples = useSamples(target);

/** Values of a filter that include a record and that shut it out: one filter of each kind. */
interface FilterRow {
  readonly field: string;
  readonly hit: (record: Fields) => unknown;
  readonly miss: (record: Fields) => unknown;
}

const NOBODY = ['qzxvwqzxvw'];

const PERSON_FILTERS: readonly FilterRow[] = [
  { field: 'person_titles', hit: ({ title }) => [title], miss: () => NOBODY },
  { field: 'person_seniorities', hit: ({ seniority }) => [seniority], miss: () => NOBODY },
];
const COMPANY_FILTERS: readonly FilterRow[] = [
  { field: 'organization_industry', hit: ({ industry }) => [industry], miss: () => NOBODY },
  { field: 'organization_not_industry', hit: () => NOBODY, miss: ({ industry }) => [industry] },
];

it.each(named(PERSON_FILTERS, ({ field }) => field))(
  'filter %s includes and excludes somebody of a company',
  async (_, { field, hit, miss }) => {
    const person = pickWith(samples.people, 'title', 'seniority', 'organizations.primary_domain');
    const q_organization_domains = [textOf(person, 'organizations.primary_domain')];
    const found = async (value: unknown) =>
      idsOf(await target.ask(PEOPLE_SEARCH, { q_organization_domains, [field]: value, per_page: 100 }));
    expect(await found(hit(person))).toContain(person['id']);
    expect(await found(miss(person))).not.toContain(person['id']);
  },
);

it.each(named(COMPANY_FILTERS, ({ field }) => field))(
  'filter %s includes and excludes a company',
  async (_, { field, hit, miss }) => {
    const company = pickWith(
      samples.companies.map(({ found }) => found),
      'industry',
      'primary_domain',
    );
    const q_organization_domains = [textOf(company, 'primary_domain')];
    const found = async (value: unknown) =>
      idsOf(await target.ask(COMPANY_SEARCH, { q_organization_domains, [field]: value }));
    expect(await found(hit(company))).toEqual([company['id']]);
    expect(await found(miss(company))).toEqual([]);
  },
);
