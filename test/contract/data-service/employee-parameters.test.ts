import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Fields,
  idsOf,
  listOf,
  numberOf,
  readFields,
  recordsOf,
  textOf,
} from './answer.ts';
import { EMPLOYEE_SEARCH, PERSON_OPTIONS } from './endpoints.ts';
import { pick, pickWith, useSamples } from './samples.ts';
import { useTarget } from './target.ts';

const DEPARTMENTS = [
  'Engineering',
  'Sales',
  'Marketing',
  'Operations',
  'Human Resources',
  'Finance',
  'Customer Success',
  'Product',
];
const SENIORITIES = ['C-Suite', 'VP', 'Director', 'Manager', 'Senior', 'Staff', 'Intern'];

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

  it('has in total_employees_found all who match', async () => {
    expect(numberOf(infoOf(await search({ limit: 1 })), 'total_employees_found')).toBe(staff.length);
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

  it('knows no department and no seniority beyond the options', () => {
    const known = [...DEPARTMENTS, ...SENIORITIES, undefined];
    const labels = staff.flatMap((one) => [one['department'], one['seniority']]);
    expect(labels.filter((label) => !known.some((option) => option === label))).toEqual([]);
  });

  it.each(['city', 'state'])('location finds by %s', async (key) => {
    const there = pick(samples.people, `colleague with ${key}`, (person) => {
      const isColleague = person['organization_id'] === company['organization_id'];
      const isShown = staff.some((one) => one['id'] === person['id'] && one['location'] !== 'Remote');
      return isColleague && isShown && person[key] !== undefined ? person : undefined;
    });
    const found = await everyone({ location: there[key] });
    expect(idsAmong(found)).toContain(there['id']);
    expect(found.filter((one) => !textOf(one, 'location').includes(textOf(there, key)))).toEqual([]);
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

  it('keywords are searched in earlier companies', async () => {
    const one = pickWith(staff, 'previous_companies');
    const [job] = listOf(one, 'previous_companies').map(readFields);
    expect(idsAmong(await everyone({ keywords: textOf(job ?? {}, 'name') }))).toContain(one['id']);
  });

  it('keywords of nobody find nobody, which is no error', async () => {
    const answer = await search({ keywords: 'qzxvwqzxvw' });
    expect({ status: answer.status, data: answer.body['data'] }).toEqual({ status: 200, data: [] });
    expect(infoOf(answer)).toMatchObject({ total_employees_found: 0 });
    expect(paginationOf(answer)).toMatchObject({ total: 0, has_more: false });
  });

  it('must all hold', async () => {
    const { department, seniority } = pickWith(staff, 'department', 'seniority');
    const expected = staffWith((one) => one['department'] === department && one['seniority'] === seniority);
    expect(idsAmong(await everyone({ department, seniority }))).toEqual(expected);
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

  it('limit may be 100', async () => {
    const answer = await search({ limit: 100 });
    expect(idsOf(answer)).toEqual(idsAmong(staff.slice(0, 100)));
  });

  it('offset is 0 unless told', async () => {
    const answer = await search({});
    expect(paginationOf(answer)).toMatchObject({ offset: 0 });
    expect(idsOf(answer)).toEqual(idsOf(await search({ offset: 0 })));
  });

  it('offset is the number of results to skip', async () => {
    const answer = await search({ offset: 4, limit: 5 });
    expect(idsOf(answer)).toEqual(idsAmong(staff.slice(4, 9)));
    expect(paginationOf(answer)).toMatchObject({ offset: 4, limit: 5 });
  });

  it('total counts all who match, whatever the page', async () => {
    expect(paginationOf(await search({ limit: 2, offset: 1 }))).toMatchObject({ total: staff.length });
  });

  it('has_more says whether somebody is left', async () => {
    const hasMoreBefore = async (last: number) =>
      paginationOf(await search({ limit: 1, offset: staff.length - last }))['has_more'];
    expect([await hasMoreBefore(2), await hasMoreBefore(1)]).toEqual([true, false]);
  });

  it('an offset beyond the last finds nobody, which is no error', async () => {
    const answer = await search({ offset: staff.length + 1 });
    expect({ status: answer.status, data: answer.body['data'] }).toEqual({ status: 200, data: [] });
    expect(paginationOf(answer)).toMatchObject({ total: staff.length, has_more: false });
  });
});

it.each([
  { option: 'include_email', field: 'email' },
  { option: 'include_phone', field: 'mobile_number' },
])(
  'Employee search has $field with $option, and neither with exclude nor untold',
  async ({ option, field }) => {
    const having = async (params: Fields) =>
      (await everyone(params)).filter((record) => field in record).length;
    expect(await having({ [option]: 'include' })).toBeGreaterThan(0);
    expect(await having({ ...PERSON_OPTIONS, [option]: 'exclude' })).toBe(0);
    expect(await having({})).toBe(0);
  },
);
