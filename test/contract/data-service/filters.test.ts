import { beforeAll, describe, expect, it } from 'vitest';
import { type Fields, idsOf, listOf, readFields, recordsOf, textOf } from './answer.ts';
import { COMPANY_FILTER_ROWS, type CompanyFilterRow, type CompanyUnderTest } from './company-filter-rows.ts';
import { COMPANY_SEARCH, EMPLOYEE_SEARCH, PEOPLE_SEARCH } from './endpoints.ts';
import { PERSON_FILTER_ROWS, type PersonFilterRow, type PersonUnderTest } from './person-filter-rows.ts';
import { named, pick, useSamples } from './samples.ts';
import { useTarget } from './target.ts';

/** SIC codes of trades that any world has. */
const COMMON_SIC_CODES = ['7372', '7379', '5812', '8062', '6411', '1542', '8111', '7311', '8742'];
const STAFFS_READ = 6;
const PAGE = 100;

const target = useTarget();
const samples = useSamples(target);
const companies: CompanyUnderTest[] = [];
const people: PersonUnderTest[] = [];

beforeAll(async () => {
  companies.push(...(await withSicCodes()));
  const domains = new Set(samples.people.map((person) => textOf(person, 'organizations.primary_domain')));
  for (const domain of [...domains].slice(0, STAFFS_READ)) people.push(...(await staffOf(domain)));
});

async function withSicCodes(): Promise<CompanyUnderTest[]> {
  const some = samples.companies.slice(0, PAGE);
  const q_organization_domains = some.map(({ domain }) => domain);
  const found = new Map<string, readonly string[]>();
  for (const code of COMMON_SIC_CODES) {
    const params = { q_organization_domains, organization_sic_industry: [code], per_page: PAGE };
    found.set(code, idsOf(await target.ask(COMPANY_SEARCH, params)));
  }
  return samples.companies.map((company) => ({
    ...company,
    sicCodes: COMMON_SIC_CODES.filter((code) => found.get(code)?.includes(company.id)),
  }));
}

/** Of a company whose staff fits on one page; else nobody. */
async function staffOf(domain: string): Promise<PersonUnderTest[]> {
  const answer = await target.ask(EMPLOYEE_SEARCH, { company_domain: domain, limit: PAGE });
  if (readFields(answer.body['pagination'])['has_more'] === true) return [];
  const pastTitles = new Map(
    recordsOf(answer).map((record) => [
      record['id'],
      listOf(record, 'previous_companies').map((job) => textOf(readFields(job), 'title')),
    ]),
  );
  const found = await target.ask(PEOPLE_SEARCH, { q_organization_domains: [domain], per_page: PAGE });
  return recordsOf(found).map((record) => {
    const id = textOf(record, 'id');
    return { id, domain, found: record, pastTitles: pastTitles.get(id) ?? [] };
  });
}

async function peopleFound(params: Fields): Promise<string[]> {
  return idsOf(await target.ask(PEOPLE_SEARCH, { ...params, per_page: PAGE }));
}

async function companiesFound(params: Fields): Promise<string[]> {
  return idsOf(await target.ask(COMPANY_SEARCH, { ...params, per_page: PAGE }));
}

const fieldOf = ({ field }: { readonly field: string }) => field;
const DOMAIN_FIELD = 'q_organization_domains';

/** The field that names the company stands for itself; all others are asked about that one company. */
function atCompany(domain: string, field: string, value: unknown): Fields {
  return field === DOMAIN_FIELD ? { [field]: value } : { [DOMAIN_FIELD]: [domain], [field]: value };
}

describe.each(named(PERSON_FILTER_ROWS, fieldOf))('filter %s', (_, { field, values }) => {
  const choose = () => choosePerson({ field, values });

  it('includes somebody in people search', async () => {
    const { person, hit } = choose();
    expect(await peopleFound(atCompany(person.domain, field, hit))).toContain(person.id);
  });

  it('excludes somebody in people search', async () => {
    const { person, miss } = choose();
    expect(await peopleFound(atCompany(person.domain, field, miss))).not.toContain(person.id);
  });

  it('includes the company of somebody in company search', async () => {
    const { person, hit } = choose();
    const company = textOf(person.found, 'organization_id');
    expect(await companiesFound(atCompany(person.domain, field, hit))).toEqual([company]);
  });
});

const ROWS_THAT_INCLUDE = PERSON_FILTER_ROWS.filter(({ nobody }) => nobody !== undefined);

it.each(named(ROWS_THAT_INCLUDE, fieldOf))(
  'filter %s excludes a company without such people in company search',
  async (_, row) => {
    const { person } = choosePerson(row);
    expect(await companiesFound(atCompany(person.domain, row.field, row.nobody))).toEqual([]);
  },
);

function choosePerson({ field, values }: PersonFilterRow) {
  return pick(people, `person to try ${field} on`, (person) => {
    const both = values(person, people);
    return both && { person, ...both };
  });
}

describe.each(named(COMPANY_FILTER_ROWS, fieldOf))('filter %s', (_, { field, values }) => {
  it('includes a company in company search', async () => {
    const { company, hit } = await chooseCompany({ field, values });
    expect(await companiesFound(atCompany(company.domain, field, hit))).toEqual([company.id]);
  });

  it('excludes a company in company search', async () => {
    const { company, miss } = await chooseCompany({ field, values });
    expect(await companiesFound(atCompany(company.domain, field, miss))).not.toContain(company.id);
  });

  it('includes the people of a company in people search', async () => {
    const { company, hit, staff } = await chooseCompany({ field, values });
    expect(await peopleFound(atCompany(company.domain, field, hit))).toEqual(staff);
  });

  it('excludes the people of a company in people search', async () => {
    const { company, miss, staff } = await chooseCompany({ field, values });
    const found = await peopleFound(atCompany(company.domain, field, miss));
    expect(found.filter((id) => staff.includes(id))).toEqual([]);
  });
});

/** One that has staff, with the staff as it is found without the filter. */
async function chooseCompany({ field, values }: CompanyFilterRow) {
  const staffed = samples.people.map((person) => person['organization_id']);
  const chosen = pick(companies, `company to try ${field} on`, (company) => {
    const both = staffed.includes(company.id) ? values(company, companies) : undefined;
    return both && { company, ...both };
  });
  const staff = await peopleFound({ [DOMAIN_FIELD]: [chosen.company.domain] });
  expect(staff).not.toEqual([]);
  return { ...chosen, staff };
}

it('has a row for each of the 42 shared filters', () => {
  const fields = [...PERSON_FILTER_ROWS, ...COMPANY_FILTER_ROWS].map(({ field }) => field);
  expect(new Set(fields).size).toBe(42);
});
