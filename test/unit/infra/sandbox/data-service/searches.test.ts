import { describe, expect, it } from 'vitest';
import type { Company } from '../../../../../infra/sandbox/data-service/world/types.ts';
import { COMPANY_SEARCH, createCaller, found, PEOPLE_SEARCH } from './caller.ts';

const { sandbox, post, clock } = createCaller();
const { companies, people } = sandbox.world;
const byId = new Map(companies.map((company) => [company.id, company]));
const sample = found(
  companies.find(
    (one) => one.iosApp && one.androidApp && one.traffic && one.funding.at(-1)?.amount && one.revenue,
  ),
);

async function allCompanies(filters: Record<string, unknown>): Promise<Company[]> {
  const results: Company[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await post(COMPANY_SEARCH, { ...filters, page, per_page: 100 });
    expect(status).toBe(201);
    results.push(...body.data.map((one: { id: string }) => found(byId.get(one.id))));
    if (body.data.length < 100) return results;
  }
}

const exactly = (value: number | undefined) => ({ min: value, max: value });
const round = sample.funding.at(-1);
const [role, count] = found(Object.entries(sample.roleCounts)[0]);
const filters: [string, unknown, (company: Company) => boolean][] = [
  ['q_organization_domains', [sample.domains[0].toUpperCase()], (one) => one === sample],
  ['not_q_organization_domains', [sample.domains[0]], (one) => one !== sample],
  ['organization_location', ['germany'], (one) => one.locations.some((place) => place.country === 'Germany')],
  ['not_organization_location', ['DE'], (one) => one.locations.every((place) => place.countryCode !== 'DE')],
  [
    'organization_industry',
    ['retail', 'Insurance'],
    (one) => one.industries.some((name) => /^(Retail|Insurance)$/.test(name)),
  ],
  ['organization_not_industry', ['retail'], (one) => !one.industries.includes('Retail')],
  ['organization_sic_industry', ['7372'], (one) => one.sicCodes.includes('7372')],
  ['organization_not_sic_industry', ['73'], (one) => one.sicCodes.every((code) => !code.startsWith('73'))],
  ['organization_naics_industry', ['5415'], (one) => one.naics.some(({ code }) => code.startsWith('5415'))],
  ['organization_not_naics_industry', ['511210'], (one) => one.naics.every(({ code }) => code !== '511210')],
  ['organization_revenue_ranges', ['$1m - $10m'], (one) => one.revenue?.label === '$1M-$10M'],
  [
    'organization_technology',
    ['hubspot', 'drupal'],
    (one) => /HubSpot|Drupal/.test(Object.values(one.technologies).join()),
  ],
  [
    'organization_all_technology',
    ['HubSpot', 'Drupal'],
    ({ technologies }) => technologies['crm'] === 'HubSpot' && technologies['cms'] === 'Drupal',
  ],
  ['not_organization_technology', ['HubSpot'], ({ technologies }) => technologies['crm'] !== 'HubSpot'],
  ['organization_has_web_app', false, (one) => !one.hasWebApp],
  ['organization_has_mobile_app', true, (one) => one.iosApp !== undefined || one.androidApp !== undefined],
  ['organization_appstore_app_category', ['business'], (one) => one.iosApp?.category === 'Business'],
  ['organization_playstore_app_category', ['Travel'], (one) => one.androidApp?.category === 'Travel'],
  [
    'organization_appstore_rating',
    exactly(sample.iosApp?.rating),
    (one) => one.iosApp?.rating === sample.iosApp?.rating,
  ],
  ['organization_playstore_rating', { min: 4 }, (one) => (one.androidApp?.rating ?? 0) >= 4],
  ['organization_appstore_review_count', { max: 500 }, (one) => (one.iosApp?.reviewCount ?? 501) <= 500],
  ['organization_playstore_review_count', exactly(sample.androidApp?.reviewCount), (one) => one === sample],
  ['organization_is_website_for_sale', true, (one) => one.isWebsiteForSale],
  [
    'organization_website_traffic_total_monthly',
    exactly(sample.traffic?.total),
    (one) => one.traffic?.total === sample.traffic?.total,
  ],
  ['organization_website_traffic_monthly_organic', { min: 1e5 }, (one) => (one.traffic?.organic ?? 0) >= 1e5],
  ['organization_website_traffic_monthly_paid', { max: 0 }, (one) => one.traffic?.paid === 0],
  ['organization_monthly_google_adspend', { max: 1_000 }, (one) => (one.adSpend ?? 1_001) <= 1_000],
  [
    'organization_funding_amount',
    exactly(round?.amount),
    (one) => one.funding.at(-1)?.amount === round?.amount,
  ],
  ['organization_funding_type', ['series b'], (one) => one.funding.at(-1)?.type === 'Series B'],
  [
    'organization_funding_lead_investors',
    [round?.investors[0]],
    (one) => one.funding.some((each) => each.investors[0] === round?.investors[0]),
  ],
  [
    'organization_funding_number_of_investors',
    { min: 3, max: 3 },
    (one) => one.funding.at(-1)?.investors.length === 3,
  ],
  [
    'organization_roles_count',
    [{ department: role.toUpperCase(), range: exactly(count) }],
    (one) => one.roleCounts[role] === count,
  ],
  [
    'organization_open_roles_count',
    [{ department: 'Business Development', range: { min: 1 } }],
    (one) => (one.openRoleCounts['business_development'] ?? 0) >= 1,
  ],
];

describe('company filters', () => {
  it.each(filters)('%s lets through exactly the companies that it means', async (field, value, means) => {
    const expected = companies.filter(means);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(companies.length);
    expect(await allCompanies({ [field]: value })).toEqual(expected);
  });

  it('measure the total of all rounds and the months since the last', async () => {
    const total = sample.funding.reduce((sum, one) => sum + (one.amount ?? 0), 0);
    expect(await allCompanies({ organization_funding_total_amount: exactly(total) })).toContain(sample);
    const recent = await allCompanies({ organization_funding_date: { max: 24 } });
    const oldest = clock.now() - 25 * 30.44 * 86_400_000;
    expect(recent.length).toBeGreaterThan(0);
    for (const one of recent) expect(Date.parse(one.funding.at(-1)?.date ?? '')).toBeGreaterThan(oldest);
  });

  it('hold all together, and excludes win', async () => {
    const both = await allCompanies({
      organization_industry: ['Retail'],
      organization_location: ['Germany'],
    });
    expect(both).toEqual(
      companies.filter(
        (one) =>
          one.industries.includes('Retail') && one.locations.some((place) => place.country === 'Germany'),
      ),
    );
    expect(
      await allCompanies({ organization_industry: ['Retail'], organization_not_industry: ['Retail'] }),
    ).toEqual([]);
  });

  it('of people ask for one employee who meets them all', async () => {
    const results = await allCompanies({
      person_titles: ['Chief Executive Officer'],
      person_location: ['Texas'],
    });
    const ids = new Set(results);
    expect(ids.size).toBeGreaterThan(0);
    for (const company of ids) {
      const staff = people.filter((one) => [one.job.company, one.nextJob?.company].includes(company));
      expect(staff.some((one) => one.place.state === 'Texas')).toBe(true);
    }
  });

  it('show a paid group only when it is asked for', async () => {
    const search = async (more: object) =>
      (await post(COMPANY_SEARCH, { q_organization_domains: [sample.domains[0]], ...more })).body.data[0];
    const keys = Object.keys(await search({}));
    expect(
      keys.filter((key) => /^(technologies|website_traffic|funding|role_count|iosstore)\./.test(key)),
    ).toEqual([]);
    const rich = await search({ website_traffic: 'include', extra: 'include' });
    expect(rich['website_traffic.total_monthly']).toBe(sample.traffic?.total);
    expect(rich['iosstore.top_rating']).toBe(sample.iosApp?.rating);
    expect(rich).not.toHaveProperty('employee_on_network_growth_rate');
  });
});

describe('people filters', () => {
  const search = async (filters: object) => {
    const { status, body } = await post(PEOPLE_SEARCH, { per_page: 100, ...filters });
    expect([status, body.statusCode]).toEqual([201, 201]);
    expect(body.data.length).toBeGreaterThan(0);
    return body.data as Record<string, string>[];
  };
  const values = async (field: string, filters: object) =>
    new Set((await search(filters)).map((one) => one[field]));

  it('match titles from the beginning of a word, in any case', async () => {
    for (const title of await values('title', { person_titles: ['engineer'] }))
      expect(title).toMatch(/\bEngineer/);
    const titles = await values('title', { person_titles: ['engineer'], person_not_titles: ['senior'] });
    for (const title of titles) expect(title).not.toMatch(/Senior/);
    expect(people.some((one) => one.job.title.includes('Director'))).toBe(true);
    expect((await post(PEOPLE_SEARCH, { person_titles: ['rector'] })).body.data).toEqual([]);
  });

  it('match seniorities, places, companies, and leave excluded ones out', async () => {
    expect(await values('seniority', { person_seniorities: ['C-Suite'] })).toEqual(new Set(['C-Team']));
    expect(await values('city', { person_location: ['krakow, poland'] })).toEqual(new Set(['Kraków']));
    const abroad = { person_location: ['EMEA'], not_person_location: ['United Kingdom', 'DE'] };
    expect(await values('country_code', abroad)).not.toContain('GB');
    const { domains } = found(people[0]).job.company;
    expect(await values('organizations.primary_domain', { q_organization_domains: [...domains] })).toEqual(
      new Set([domains[0]]),
    );
  });

  it('match past titles and days in the current one', async () => {
    const past = await search({ person_past_titles: ['Copywriter'] });
    const byPersonId = new Map(people.map((one) => [one.id, one]));
    for (const { id = '' } of past) {
      const person = found(byPersonId.get(id));
      expect([person.job, ...person.pastJobs].map((job) => job.title)).toContain('Copywriter');
    }
    const recent = await search({ person_days_in_current_title_range: { min: 300, max: 400 } });
    for (const { job_start_date: start = '' } of recent) {
      const days = Math.floor((clock.now() - Date.parse(start)) / 86_400_000);
      expect(days >= 300 && days <= 400).toBe(true);
    }
  });

  it('page in a stable order: two halves are the whole', async () => {
    const filters = { organization_industry: ['Retail'] };
    const [first, second] = [
      await search({ ...filters, per_page: 50 }),
      await search({ ...filters, per_page: 50, page: 2 }),
    ];
    expect([...first, ...second]).toEqual(await search(filters));
    expect((await post(PEOPLE_SEARCH, filters)).body.data).toHaveLength(25);
  });
});
