import { describe, expect, it } from 'vitest';
import {
  AUTH,
  COMPANY_PROFILE,
  COMPANY_SEARCH,
  createCaller,
  EMPLOYEE_SEARCH,
  found,
  PEOPLE_PROFILE,
  PEOPLE_SEARCH,
  REVERSE_EMAIL,
} from './caller.ts';

const BOTH = { include_email: 'include', include_phone: 'include' };
const NOBODY = { network_url: 'linkedin.com/in/nobody' };

describe('credits', () => {
  it('charges a profile with email and phone 6, 20 results with both 120, the key check nothing', async () => {
    const { sandbox, get, post, bill } = createCaller();
    const person = found(sandbox.world.people.find((one) => one.networkSlug !== undefined));
    await get(PEOPLE_PROFILE, { network_url: `linkedin.com/in/${person.networkSlug}`, ...BOTH });
    expect((await bill()).creditsCharged).toBe(6);
    const search = await post(PEOPLE_SEARCH, { person_titles: ['Manager'], per_page: 20, ...BOTH });
    expect(search.body.data).toHaveLength(20);
    await get(AUTH);
    expect(await bill()).toEqual({
      creditsCharged: 126,
      creditBalance: 999_874,
      requests: 3,
      byOperation: { 'people-profile': 6, 'people-search': 120, 'check-api-key': 0 },
      byStatus: { 200: 2, 201: 1 },
    });
  });

  it('adds up every option of the company search and the company profile', async () => {
    const { sandbox, get, post, bill } = createCaller();
    const options = ['funding', 'extra', 'technology', 'website_traffic', 'headcount_growth'];
    const included = Object.fromEntries(options.map((option) => [option, 'include']));
    await post(COMPANY_SEARCH, { organization_industry: ['Retail'], per_page: 10, ...included });
    expect((await bill()).creditsCharged).toBe(70);
    const domain = found(sandbox.world.companies[0]).domains[0];
    const groups = { include_funding: 'include', include_technology: 'include', include_contacts: 'include' };
    await get(COMPANY_PROFILE, { domain, ...groups });
    expect((await bill()).creditsCharged).toBe(77);
  });

  it('charges only the results that are given, none for a page after the last', async () => {
    const { sandbox, get, bill } = createCaller();
    const company = found(sandbox.world.people[0]).job.company;
    const all = await get(EMPLOYEE_SEARCH, { company_domain: company.domains[0], limit: '100' });
    expect((await bill()).creditsCharged).toBe(all.body.data.length);
    const after = await get(EMPLOYEE_SEARCH, { company_domain: company.domains[0], offset: '1000' });
    expect(after.body).toMatchObject({ data: [], pagination: { has_more: false } });
    expect((await bill()).creditsCharged).toBe(all.body.data.length);
  });

  it('refuses with 402 before anything is charged when the whole cannot be paid', async () => {
    const { post, bill } = createCaller({ settings: { creditBalance: 19 } });
    const search = (size: number) => post(PEOPLE_SEARCH, { person_titles: ['Manager'], per_page: size });
    expect((await search(20)).status).toBe(402);
    expect(await bill()).toMatchObject({ creditsCharged: 0, creditBalance: 19 });
    expect((await search(19)).status).toBe(201);
    expect(await bill()).toMatchObject({ creditsCharged: 19, creditBalance: 0 });
  });

  it.each([
    ['none', 0],
    ['base', 1],
    ['full', 6],
  ])('charges no match as its setting %s says', async (noMatchCost, cost) => {
    const { get, settings, bill } = createCaller();
    await settings({ noMatchCost });
    expect((await get(PEOPLE_PROFILE, { ...NOBODY, ...BOTH })).status).toBe(404);
    expect((await bill()).creditsCharged).toBe(cost);
  });

  it('charges no match in full unless told', async () => {
    const { get, bill } = createCaller();
    await get(PEOPLE_PROFILE, { ...NOBODY, ...BOTH });
    await get(REVERSE_EMAIL, { email: 'nobody@nobody-at-all.com' });
    expect((await bill()).creditsCharged).toBe(7);
  });
});

describe('the books', () => {
  it('go on from a saved state, and are emptied by a reset', async () => {
    const first = createCaller({ settings: { creditBalance: 10 } });
    await first.get(PEOPLE_PROFILE, NOBODY);
    await first.settings({ latencyMs: 5 });
    const saved: unknown = JSON.parse(JSON.stringify(first.sandbox.state()));
    const second = createCaller({ saved, settings: { creditBalance: 10 } });
    expect(await second.bill()).toMatchObject({ creditsCharged: 1, creditBalance: 9, byStatus: { 404: 1 } });
    expect((await second.send('/_sandbox/settings')).body).toMatchObject({ latencyMs: 5, creditBalance: 9 });
    await second.send('/_sandbox/reset', { method: 'POST' });
    expect(await second.bill()).toMatchObject({ creditsCharged: 0, creditBalance: 10, requests: 0 });
    expect((await second.send('/_sandbox/settings')).body).toMatchObject({ latencyMs: 0 });
  });

  it('are refused when they belong to another world or are something else', () => {
    const saved = createCaller().sandbox.state();
    expect(() => createCaller({ saved, seed: 2 })).toThrow('seed 1, not 2');
    expect(() => createCaller({ saved: { version: 1 } })).toThrow('not one of the data service');
  });

  it('merge settings, and refuse unknown or impossible ones', async () => {
    const { settings } = createCaller();
    await settings({ rateLimitPerMinute: 7 });
    expect((await settings({ latencyMs: 1 })).body).toMatchObject({ rateLimitPerMinute: 7, latencyMs: 1 });
    for (const bad of [{ colour: 1 }, { noMatchCost: 'half' }, { creditBalance: -1 }, [], { faults: [{}] }]) {
      expect((await settings(bad)).status).toBe(400);
    }
  });
});
