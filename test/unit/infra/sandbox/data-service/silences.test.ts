import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { jobAt } from '../../../../../infra/sandbox/data-service/world/employment.ts';
import type { Company } from '../../../../../infra/sandbox/data-service/world/types.ts';
import {
  COMPANY_SEARCH,
  createCaller,
  EMPLOYEE_SEARCH,
  found,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
  REVERSE_PHONE,
  START_MS,
} from './caller.ts';

/** What the stand-in chose where the interface is silent; what the interface says is in `test/contract`. */
const { sandbox, get, post, clock } = createCaller();
const { people, companies } = sandbox.world;
const complete = found(
  people.find(
    (one) =>
      one.networkSlug && one.mobile?.startsWith('+4477') && one.job.email && !one.nextJob && !one.isRemote,
  ),
);
const mobile = complete.mobile ?? '';
const national = mobile.slice(3);

describe('written forms', () => {
  it.each([
    (slug: string) => `http://linkedin.com/in/${slug}/`,
    (slug: string) => `linkedin.com/in/${slug.toUpperCase()}`,
    (slug: string) => `https://de.linkedin.com/in/${slug}?trk=x#top`,
    (slug: string) => `www.linkedin.com/in/${slug}/en`,
  ])('of an address %#', async (write) => {
    const { body } = await get(PEOPLE_PROFILE, { network_url: write(complete.networkSlug ?? '') });
    expect(body.data.id).toBe(complete.id);
  });

  it.each([
    ` ${mobile.slice(1)}`,
    `00${mobile.slice(1)}`,
    `011 ${mobile.slice(1)}`,
    `+44 (0)${national.slice(0, 4)} ${national.slice(4)}`,
    `0${national.slice(0, 4)} ${national.slice(4)}`,
    `(0${national.slice(0, 4)}) ${national.slice(4)} ext. 12`,
    `tel:${mobile}`,
  ])('of a phone: %j', async (phone) => {
    expect((await get(REVERSE_PHONE, { phone })).body.data?.id).toBe(complete.id);
  });
});

async function allCompanies(filters: Record<string, unknown>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await post(COMPANY_SEARCH, { ...filters, page, per_page: 100 });
    ids.push(...body.data.map((one: { id: string }) => one.id));
    if (body.data.length < 100) return ids;
  }
}

describe('company filters', () => {
  /** Over the whole world: what each lets through, to the last company. */
  const filters: [string, unknown, (company: Company) => boolean][] = [
    [
      'organization_location',
      ['germany'],
      (one) => one.locations.some(({ country }) => country === 'Germany'),
    ],
    [
      'not_organization_location',
      ['DE'],
      (one) => one.locations.every(({ countryCode }) => countryCode !== 'DE'),
    ],
    ['organization_not_sic_industry', ['73'], (one) => one.sicCodes.every((code) => !code.startsWith('73'))],
    ['organization_naics_industry', ['5415'], (one) => one.naics.some(({ code }) => code.startsWith('5415'))],
    ['organization_revenue_ranges', ['$1m - $10m'], (one) => one.revenue?.label === '$1M-$10M'],
    [
      'organization_all_technology',
      ['HubSpot', 'Drupal'],
      ({ technologies }) => technologies['crm'] === 'HubSpot' && technologies['cms'] === 'Drupal',
    ],
    ['organization_monthly_google_adspend', { max: 1_000 }, (one) => (one.adSpend ?? 1_001) <= 1_000],
    ['organization_funding_type', ['series b'], (one) => one.funding.at(-1)?.type === 'Series B'],
    [
      'organization_open_roles_count',
      [{ department: 'Business Development', range: { min: 1 } }],
      (one) => (one.openRoleCounts['business_development'] ?? 0) >= 1,
    ],
  ];
  it.each(filters)('%s lets through exactly the companies that it means', async (field, value, means) => {
    const expected = companies.filter(means).map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    expect(await allCompanies({ [field]: value })).toEqual(expected);
  });
});

describe('people filters', () => {
  const values = async (field: string, filters: object) => {
    const { body } = await post(PEOPLE_SEARCH, { per_page: 100, ...filters });
    return new Set<string>(body.data.map((one: Record<string, string>) => one[field]));
  };

  it('match titles from the beginning of a word, in any case; an employee search anywhere', async () => {
    const titles = await values('title', { person_titles: ['engineer'], person_not_titles: ['senior'] });
    expect(titles.size).toBeGreaterThan(0);
    for (const title of titles) expect(title).toMatch(/^(?!.*Senior).*\bEngineer/);
    expect(await values('title', { person_titles: ['rector'] })).toEqual(new Set());
    const [company_domain] = found(companies.find((one) => one.employeeCount > 300)).domains;
    const { data } = (await get(EMPLOYEE_SEARCH, { company_domain, title: 'anage' })).body;
    expect(data.length).toBeGreaterThan(0);
  });

  it('know one seniority by three names, places without accents, by region and by code', async () => {
    expect(await values('seniority', { person_seniorities: ['C-Suite'] })).toEqual(new Set(['C-Team']));
    expect(await values('city', { person_location: ['krakow, poland'] })).toEqual(new Set(['Kraków']));
    const abroad = { person_location: ['EMEA'], not_person_location: ['United Kingdom', 'DE'] };
    const codes = await values('country_code', abroad);
    expect(codes.size).toBeGreaterThan(0);
    for (const code of ['GB', 'DE']) expect(codes).not.toContain(code);
  });
});

describe('time', () => {
  it('moves people on: the new job shows, the old one becomes history, the old address still finds them', async () => {
    const mover = found(
      people.find(
        ({ job, nextJob }) =>
          job.email && nextJob && nextJob.company !== job.company && nextJob.startMs > START_MS,
      ),
    );
    const profile = async () => (await get(REVERSE_EMAIL, { email: mover.job.email ?? '' })).body.data;
    expect((await profile()).organization_id).toBe(mover.job.company.id);
    await clock.advance(3_000 * DAY_MS);
    expect((await profile()).organization_id).toBe(mover.nextJob?.company.id);
    expect(jobAt(mover, clock.now())).toBe(mover.nextJob);
    const [company_domain = ''] = mover.nextJob?.company.domains ?? [];
    const { body } = await get(EMPLOYEE_SEARCH, { company_domain, limit: '100' });
    const employee = body.data.find((one: { id: string }) => one.id === mover.id);
    expect(employee.previous_companies[0].name).toBe(mover.job.company.name);
  });
});
