import { describe, expect, it } from 'vitest';
import { profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

describe('untidy values of HubSpot', () => {
  it.each([
    ['contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/me' }],
    ['contacts', { email: 'kari@online.no' }],
    ['contacts', { email: 'amministrazione@acme-sample.com' }],
    ['contacts', { email: 'test@acme-sample.com' }],
    ['contacts', { firstname: 'Jane', lastname: 'null', website: 'acme-sample.com' }],
    ['contacts', { phone: '+1 000 000 0000' }],
    ['companies', { domain: 'yourdomain.com', name: 'Acme' }],
    ['companies', { domain: 'n/a', linkedin_company_page: 'https://www.linkedin.com/company/unknown/' }],
  ] as const)('that identify nobody cost nothing: %s %j', async (objectType, properties) => {
    const world = await createWorld();
    const record = await world.portal.create(objectType, properties);
    await settleDown(world);
    expect(world.charged()).toBe(0);
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'skipped' });
  });

  it('that name one person in many ways are one lookup', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somePerson(world));
    const slug = url.split('/').at(-1) ?? '';
    const spellings = [
      url,
      `${url}/overlay/contact-info/`,
      `https://www.linkedin.com/comm/in/${slug}?lipi=urn%3Ali`,
      `https://www.linkedin.com/mwlite/in/${slug}`,
      `${url};https://twitter.com/somebody`,
    ];
    for (const hs_linkedin_url of spellings) {
      await world.portal.create('contacts', { hs_linkedin_url, email: '' });
      await settleDown(world);
    }
    expect(world.charged()).toBe(3);
  });

  it.each(['N/A', 'none', 'Self-employed', 'Freelance', 'Student', 'xxx'])(
    'as an employer contradict nothing, so the job is written: %s',
    async (company) => {
      const world = await createWorld();
      const person = somePerson(world);
      const record = await world.portal.create('contacts', { email: person.job.email ?? '', company });
      await settleDown(world);
      expect(await world.portal.properties(record)).toMatchObject({
        enrichment_status: 'enriched',
        jobtitle: person.job.title,
        company,
      });
      expect(await undecided(world)).toEqual([]);
    },
  );

  it.each([
    ['firstname', (first: string, last: string) => `${first} ${last}`],
    ['lastname', (first: string, last: string) => `${first} ${last}`],
    ['lastname', (first: string, last: string) => `${last}, ${first}`],
    ['lastname', (first: string, last: string) => `${last.toUpperCase()} ${first}`],
  ] as const)('with a whole name in %s leave the other field blank', async (field, wholeOf) => {
    const world = await createWorld();
    const { job, firstName, lastName } = somePerson(world);
    const name = { firstname: '', lastname: '', [field]: wholeOf(firstName, lastName) };
    const record = await world.portal.create('contacts', { email: job.email ?? '', ...name });
    await settleDown(world);
    const { firstname = '', lastname = '', ...others } = await world.portal.properties(record);
    expect({ firstname, lastname }).toEqual(name);
    expect(others).toMatchObject({ enrichment_status: 'enriched', jobtitle: job.title });
  });

  it('with the business address among the additional ones are looked up by it', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const hs_additional_emails = `jo@web.de;${job.email}`;
    const record = await world.portal.create('contacts', { email: 'jo@gmail.com', hs_additional_emails });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title });
    expect(world.charged()).toBe(1);
  });

  it('as a page with a tail are looked up by the page', async () => {
    const world = await createWorld();
    const { networkSlug } = someCompany(world);
    const linkedin_company_page = `https://www.linkedin.com/company/${networkSlug}/admin/dashboard/`;
    const record = await world.portal.create('companies', { linkedin_company_page });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
  });
});
