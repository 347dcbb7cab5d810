import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Fields, idsOf, readFields, recordsOf, textOf } from './answer.ts';
import { EMPLOYEE_SEARCH } from './endpoints.ts';
import { expectSwitched, PERSON_SWITCHES } from './person-switches.ts';
import { pickWith, useSamples } from './samples.ts';
import { useTarget } from './target.ts';

const DEPARTMENTS = ['Engineering', 'Customer Success'];
const SENIORITIES = ['VP', 'Manager'];

const target = useTarget();
const samples = useSamples(target);
let company: Fields = {};
let staff: readonly Fields[] = [];

/** The company of the sample with the most people in a country of states, and all who work there. */
beforeAll(async () => {
  const people = samples.people.filter(({ city, state }) => city !== undefined && state !== undefined);
  const byCompany = Map.groupBy(people, (person) => person['organization_id']);
  const [largest] = [...byCompany.values()].sort((a, b) => b.length - a.length);
  company = largest?.[0] ?? {};
  staff = await everyone();
});

const domain = () => textOf(company, 'organizations.primary_domain');
const search = (params: Fields) => target.ask(EMPLOYEE_SEARCH, { company_domain: domain(), ...params });
const paginationOf = ({ body }: Answer) => readFields(body['pagination']);
const infoOf = ({ body }: Answer) => readFields(body['company_info']);

async function everyone(params: Fields = {}): Promise<Fields[]> {
  const found: Fields[] = [];
  for (;;) {
    const answer = await search({ ...params, limit: 100, offset: found.length });
    const records = recordsOf(answer);
    found.push(...records);
    if (paginationOf(answer)['has_more'] === false || records.length === 0) return found;
  }
}

const idsAmong = (records: readonly Fields[]) => records.map((record) => record['id']);
const staffWith = (suits: (record: Fields) => boolean) => idsAmong(staff.filter(suits));

describe('Employee search, the company', () => {
  it('is found by company_domain', async () => {
    expect(infoOf(await search({}))).toMatchObject({ name: company['organizations.name'], domain: domain() });
  });

  it('is found by company_network_url', async () => {
    const company_network_url = company['organizations.network_url'];
    const byUrl = await target.ask(EMPLOYEE_SEARCH, { company_network_url });
    expect(byUrl.body).toEqual((await search({})).body);
  });
});

describe('Employee search, filters', () => {
  it('title matches in part', async () => {
    const word = textOf(staff[0] ?? {}, 'title').split(' ')[0] ?? '';
    const expected = staffWith((one) => textOf(one, 'title').toLowerCase().includes(word.toLowerCase()));
    expect(idsAmong(await everyone({ title: word }))).toEqual(expected);
  });

  it.each(DEPARTMENTS)('department %s finds those of it and nobody else', async (department) => {
    const expected = staffWith((one) => one['department'] === department);
    expect(idsAmong(await everyone({ department }))).toEqual(expected);
  });

  it.each(SENIORITIES)('seniority %s finds those of it and nobody else', async (seniority) => {
    const expected = staffWith((one) => one['seniority'] === seniority);
    expect(idsAmong(await everyone({ seniority }))).toEqual(expected);
  });

  it('location Remote finds those who work remotely', async () => {
    const expected = staffWith((one) => one['location'] === 'Remote');
    expect(expected).not.toEqual([]);
    expect(idsAmong(await everyone({ location: 'Remote' }))).toEqual(expected);
  });

  it('keywords are searched in the title', async () => {
    const one = pickWith(staff, 'title');
    expect(idsAmong(await everyone({ keywords: one['title'] }))).toContain(one['id']);
  });
});

describe('Employee search, pages', () => {
  it('limit is 10 unless told', async () => {
    const answer = await search({});
    expect(idsOf(answer)).toHaveLength(10);
    expect(paginationOf(answer)).toMatchObject({ limit: 10 });
  });

  it.each([1, 3])('gives limit %i results', async (limit) => {
    const answer = await search({ limit });
    expect(idsOf(answer)).toEqual(idsAmong(staff.slice(0, limit)));
    expect(paginationOf(answer)).toMatchObject({ limit });
  });

  it('offset is the number of results to skip', async () => {
    const answer = await search({ offset: 4, limit: 5 });
    expect(idsOf(answer)).toEqual(idsAmong(staff.slice(4, 9)));
    expect(paginationOf(answer)).toMatchObject({ offset: 4, limit: 5 });
  });

  it('has_more says whether somebody is left', async () => {
    const hasMoreBefore = async (last: number) =>
      paginationOf(await search({ limit: 1, offset: staff.length - last }))['has_more'];
    expect([await hasMoreBefore(2), await hasMoreBefore(1)]).toEqual([true, false]);
  });
});

it.each(PERSON_SWITCHES)(
  'Employee search has $field with $option, and neither with exclude nor untold',
  (of) => expectSwitched(of, everyone),
);
