import { describe, expect, it } from 'vitest';
import { jobAt } from '../../../../../infra/sandbox/data-service/world/employment.ts';
import { DAY_MS } from '../../../../../shared/kernel/clock.ts';
import {
  COMPANY_PROFILE,
  createCaller,
  EMPLOYEE_SEARCH,
  found,
  PEOPLE_LOOKUP,
  PEOPLE_PROFILE,
  REVERSE_EMAIL,
  REVERSE_PHONE,
  START_MS,
} from './caller.ts';

const { sandbox, get } = createCaller();
const { people, companies } = sandbox.world;
const complete = found(
  people.find(
    (one) =>
      one.networkSlug && one.mobile?.startsWith('+4477') && one.job.email && !one.nextJob && !one.isRemote,
  ),
);
const mobile = complete.mobile ?? '';

describe('people profile', () => {
  it.each([
    (slug: string) => `https://www.linkedin.com/in/${slug}`,
    (slug: string) => `http://linkedin.com/in/${slug}/`,
    (slug: string) => `linkedin.com/in/${slug.toUpperCase()}`,
    (slug: string) => `https://de.linkedin.com/in/${slug}?trk=x#top`,
    (slug: string) => `www.linkedin.com/in/${slug}/en`,
  ])('takes the address in its usual written form %#', async (write) => {
    const { body } = await get(PEOPLE_PROFILE, { network_url: write(complete.networkSlug ?? '') });
    expect(body).toMatchObject({ data: { id: complete.id }, statusCode: 200, message: 'Success' });
    expect(body.data).not.toHaveProperty('email');
    expect(body.data).not.toHaveProperty('mobile_number');
  });
});

describe('reverse lookups', () => {
  it('find an email in any case and leave email and phone out', async () => {
    const { body } = await get(REVERSE_EMAIL, {
      email: complete.job.email?.toUpperCase() ?? '',
      include_email: 'include',
    });
    expect(body.data.id).toBe(complete.id);
    expect(body.data).not.toHaveProperty('email');
  });

  const national = mobile.slice(3);
  it.each([
    mobile,
    mobile.slice(1),
    ` ${mobile.slice(1)}`,
    `00${mobile.slice(1)}`,
    `011 ${mobile.slice(1)}`,
    `+44 (0)${national.slice(0, 4)} ${national.slice(4)}`,
    `+44-${national.slice(0, 4)}.${national.slice(4)}`,
    `0${national.slice(0, 4)} ${national.slice(4)}`,
    `(0${national.slice(0, 4)}) ${national.slice(4)} ext. 12`,
    `tel:${mobile}`,
  ])('find a phone written as %j', async (phone) => {
    expect((await get(REVERSE_PHONE, { phone })).body.data?.id).toBe(complete.id);
  });
});

describe('people lookup', () => {
  const groups = Map.groupBy(people, (one) => `${one.job.company.id} ${one.firstName} ${one.lastName}`);
  const twins = [...groups.values()].filter(
    ([first, second]) => second && first?.job.title !== second.job.title,
  );

  it('has twins to tell apart, and does it by title', async () => {
    expect(twins.length).toBeGreaterThan(10);
    for (const twin of found(twins.find((pair) => pair.every((one) => !one.nextJob)))) {
      const { firstName, lastName, job } = twin;
      const query = { company_domain: job.company.domains[0], first_name: firstName, last_name: lastName };
      expect((await get(PEOPLE_LOOKUP, { ...query, title: job.title })).body.data.id).toBe(twin.id);
    }
  });

  it('ignores case and accents, needs the last name to agree, not the title', async () => {
    const person = found(people.find((one) => one.lastName === 'Müller' && !one.nextJob));
    const query = {
      company_domain: person.job.company.domains[0],
      first_name: person.firstName.toUpperCase(),
    };
    const lookup = (more: Record<string, string>) => get(PEOPLE_LOOKUP, { ...query, ...more });
    expect((await lookup({ last_name: 'MULLER', title: 'Astronaut' })).body.data.last_name).toBe('Müller');
    expect((await lookup({ last_name: 'Nobodysname' })).status).toBe(404);
  });
});

describe('company profile', () => {
  it('is found by every domain of the company and by its page', async () => {
    const company = found(companies.find((one) => one.domains.length > 1 && one.funding.length > 0));
    for (const domain of company.domains) {
      expect((await get(COMPANY_PROFILE, { domain: domain.toUpperCase() })).body.data.id).toBe(company.id);
    }
    const page = { network_url: `linkedin.com/company/${company.networkSlug}/about/` };
    const bare = (await get(COMPANY_PROFILE, page)).body.data;
    expect(bare.id).toBe(company.id);
    for (const group of ['funding', 'technology', 'contacts']) expect(bare).not.toHaveProperty(group);
    const full = await get(COMPANY_PROFILE, { ...page, include_funding: 'include' });
    expect(full.body.data.funding.last_funding_round.type).toBe(company.funding.at(-1)?.type);
  });
});

describe('employee search', () => {
  const company = found(companies.find((one) => one.employeeCount > 300));
  const search = async (query: Record<string, string>) =>
    (await get(EMPLOYEE_SEARCH, { company_domain: company.domains[0], limit: '100', ...query })).body;

  it('pages through all without gaps or repeats', async () => {
    const all = await search({});
    const ids: string[] = [];
    for (let offset = 0, more = true; more; offset += 7) {
      const page = await search({ limit: '7', offset: String(offset) });
      ids.push(...page.data.map((one: { id: string }) => one.id));
      more = page.pagination.has_more;
    }
    expect(ids).toEqual(all.data.map((one: { id: string }) => one.id));
    const { total } = all.pagination;
    expect((await search({ limit: String(total) })).pagination.has_more).toBe(false);
    expect((await search({ limit: String(total - 1) })).pagination.has_more).toBe(true);
    expect(all.company_info).toEqual({
      name: company.name,
      domain: company.domains[0],
      total_employees_found: all.pagination.total,
    });
  });

  it.each([
    ['department', 'sales', 'department', 'Sales'],
    ['seniority', 'Manager', 'seniority', 'Manager'],
    ['location', 'Remote', 'location', 'Remote'],
  ])('filters by %s', async (parameter, value, field, expected) => {
    const { data, pagination } = await search({ [parameter]: value });
    expect(pagination.total).toBeGreaterThan(0);
    expect(new Set(data.map((one: Record<string, string>) => one[field]))).toEqual(new Set([expected]));
  });

  it('finds a part of a title, and every keyword', async () => {
    const { data } = await search({ title: 'anage' });
    expect(data.length).toBeGreaterThan(0);
    for (const { title } of data) expect(title).toContain('anage');
    expect((await search({ keywords: `manager zzzz` })).data).toEqual([]);
  });
});

describe('time', () => {
  it('moves people on: the new job shows, the old one becomes history, the old address still finds them', async () => {
    const { sandbox: later, clock, get: ask } = createCaller();
    const mover = found(
      later.world.people.find(
        (one) =>
          one.job.email &&
          one.nextJob &&
          one.nextJob.company !== one.job.company &&
          one.nextJob.startMs > START_MS,
      ),
    );
    const profile = async () => (await ask(REVERSE_EMAIL, { email: mover.job.email ?? '' })).body.data;
    expect((await profile()).organization_id).toBe(mover.job.company.id);
    clock.advance(3_000 * DAY_MS);
    expect((await profile()).organization_id).toBe(mover.nextJob?.company.id);
    expect(jobAt(mover, clock.now())).toBe(mover.nextJob);
    const { body } = await ask(EMPLOYEE_SEARCH, {
      company_domain: mover.nextJob?.company.domains[0] ?? '',
      limit: '100',
    });
    const employee = body.data.find((one: { id: string }) => one.id === mover.id);
    expect(employee.previous_companies[0].name).toBe(mover.job.company.name);
  });
});
