import { describe, expect, it } from 'vitest';
import { STATUS_LABELS } from '#shared/field-policy';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import { changed } from '../harness/changed.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, contactByEmail, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { reject, undecided } from '../harness/review.ts';
import {
  isDrained,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  settledRecord,
  undo,
} from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function later(world: World): Promise<void> {
  await settleDown(world);
  await world.clock.sleep(HOUR_MS);
}

describe('a person puts right whom a contact is about', () => {
  it('by another profile: what we wrote of the wrong one goes, what people wrote stays', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { city: 'Ulm' });
    await later(world);
    const wrong = await world.portal.properties(record);
    expect(wrong).toMatchObject({ lastname: somePerson(world).lastName, email: expect.any(String) });
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) });
    await later(world);
    const { firstName, lastName, job } = somePerson(world, 1);
    const right = await world.portal.properties(record);
    expect(right).toMatchObject({
      firstname: firstName,
      lastname: lastName,
      jobtitle: job.title,
      city: 'Ulm',
    });
    // The address of the wrong one makes room for that of the right one.
    expect(right['email']).toBe(job.email);
    expect(right['enrichment_job_changed_at']).toBeUndefined();
    expect(await undecided(world)).toEqual([]);
    await undo(world, record, { run: 2 });
    const { lastname, email, jobtitle } = wrong;
    expect(await world.portal.properties(record)).toMatchObject({ lastname, email, jobtitle, city: 'Ulm' });
    await settleDown(world);
    expect(await isDrained(world)).toBe(true);
  });

  it('but not where the former address still stands: that is for a person to decide', async () => {
    const world = await createWorld();
    const { job, lastName } = somePerson(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' });
    await later(world);
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) });
    await later(world);
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await later(world);
    expect((await world.portal.properties(record))['lastname']).toBe(lastName);
  });
});

it('a company of another domain is that company, and nothing of the former is left', async () => {
  const world = await createWorld();
  const [former, right] = [someCompany(world), someCompany(world, 1)];
  const record = await world.portal.create('companies', { domain: former.domains[0] ?? '' });
  await later(world);
  const before = await world.portal.properties(record);
  expect(before['name']).toBe(former.name);
  await world.portal.edit(record, { domain: right.domains[0] ?? '' });
  await later(world);
  const after = await world.portal.properties(record);
  expect(after).toMatchObject({ name: right.name, domain: right.domains[0] });
  for (const property of ['website', 'linkedin_company_page', 'address', 'zip'])
    expect(after[property]).not.toBe(before[property]);
});

describe('an identity that the data service does not know', () => {
  it('leaves nothing of the former person that we wrote, and all that people wrote', async () => {
    const world = await createWorld();
    const record = await contactByEmail(world);
    await later(world);
    const before = await world.portal.properties(record);
    expect(before).toMatchObject({
      lastname: somePerson(world).lastName,
      jobtitle: somePerson(world).job.title,
    });
    const charged = world.charged();
    await world.portal.edit(record, { email: 'zebulon.quorrwick@unknown-firm.example', city: 'Ulm' });
    await later(world);
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({ city: 'Ulm', enrichment_status: 'unmatched' });
    for (const property of ['firstname', 'lastname', 'jobtitle', 'hs_linkedin_url', 'company', 'website'])
      expect([property, after[property]]).toEqual([property, undefined]);
    // Nobody pays to look up the former person once more.
    expect(world.charged()).toBeLessThanOrEqual(charged + 1);
    await later(world);
    await undo(world, record, { run: 2 });
    expect((await world.portal.properties(record))['lastname']).toBe(before['lastname']);
  });

  it('is for a person to decide where the new address does not tell whose it is', async () => {
    const world = await createWorld();
    const { job, lastName } = somePerson(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' });
    await later(world);
    await world.portal.edit(record, { email: 'xq7@unknown-firm.example' });
    await later(world);
    expect(await world.portal.properties(record)).toMatchObject({
      lastname: lastName,
      jobtitle: job.title,
      enrichment_status: 'review',
    });
    expect(await undecided(world)).toHaveLength(1);
  });

  it('but the same person under another address stays who it was', async () => {
    const world = await createWorld();
    const { job, firstName, lastName } = somePerson(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' });
    await later(world);
    const email = `${firstName}.${lastName}@gmail.com`.toLowerCase().replaceAll(/[^a-z.@]/g, '');
    await world.portal.edit(record, { email });
    await later(world);
    expect(await world.portal.properties(record)).toMatchObject({ lastname: lastName, jobtitle: job.title });
    expect(await undecided(world)).toEqual([]);
  });
});

const domainOf = (world: World, index = 0) => somePerson(world, index).job.company.domains[0] ?? '';

it('a job change needs no second decision, in HubSpot or at the card, after a person keeps the old job', async () => {
  const world = await createWorld();
  const [domain] = someCompany(world, 9).domains;
  const { firstName, lastName } = somePerson(world);
  const email = `${firstName}.${lastName}@${domain}`.toLowerCase();
  const record = await settledContact(world, 0, { email });
  expect(await undecided(world)).toMatchObject([{ kind: 'job-change' }]);
  await reject(world, record, 'job-change');
  await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
  expect(await world.portal.properties(record)).not.toMatchObject({ enrichment_status: 'review' });
  const { progress, view } = await cardOf(world, record).ask({ id: 'quote-kept', kind: 'quote' });
  expect(view.standing.label).not.toBe(STATUS_LABELS.review);
  expect(progress?.reply).toMatchObject({ quote: { questions: [] } });
});

describe('a website that a person typed', () => {
  it('beside another job title that a person typed is another employer: nothing of the new job is written', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const typed = {
      hs_linkedin_url: profileUrlOf(person),
      website: 'oldcorp.example',
      jobtitle: 'Chief Baker',
    };
    const record = await settledRecord(world, 'contacts', typed);
    const { company, ...kept } = await world.portal.properties(record);
    expect(company ?? '').toBe('');
    expect(kept).toMatchObject({ jobtitle: typed.jobtitle, enrichment_status: 'review' });
    expect(await undecided(world)).toMatchObject([{ kind: 'job-change' }]);
  });

  it('beside another company that a person typed is not mixed with the new job', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const website = 'https://cooking-blog.example';
    const typed = { email: job.email ?? '', website, company: 'Quorrwick Kranbau' };
    const record = await settledRecord(world, 'contacts', typed);
    const { jobtitle, ...kept } = await world.portal.properties(record);
    expect(kept).toMatchObject({ ...typed, enrichment_status: 'review' });
    expect(jobtitle).toBeUndefined();
  });
});

describe('the employers of one family', () => {
  const parentDomain = 'parent-holding.example';

  async function atParent(world: World, daughter: Readonly<Record<string, string>>, more = {}) {
    const parent = await world.portal.create('companies', { name: 'Parent', domain: parentDomain, ...more });
    if (Object.keys(daughter).length > 0)
      await settledRecord(world, 'companies', {
        name: 'Daughter',
        ...daughter,
        hs_parent_company_id: parent.id,
      });
    const email = somePerson(world).job.email ?? '';
    const record = await settledRecord(world, 'contacts', { email }, [parent]);
    return world.portal.properties(record);
  }

  it.each<[string, (own: string) => { daughter?: Record<string, string>; hs_additional_domains?: string }]>([
    ['the parent and the daughter', (own: string) => ({ daughter: { domain: own } })],
    ['the additional domains of a company', (own: string) => ({ hs_additional_domains: own })],
  ])('are %s', async (_, companies) => {
    const world = await createWorld();
    const { daughter = {}, ...more } = companies(domainOf(world));
    expect(await atParent(world, daughter, more)).toMatchObject({
      enrichment_status: 'enriched',
      jobtitle: somePerson(world).job.title,
    });
  });

  it('are not two companies that HubSpot does not relate: the answer goes to review', async () => {
    const world = await createWorld();
    await world.portal.create('companies', { name: 'Daughter', domain: domainOf(world) });
    const { jobtitle, enrichment_status } = await atParent(world, {});
    expect({ jobtitle, enrichment_status }).toEqual({ enrichment_status: 'review' });
  });
});

async function enriched(world: World, properties: Readonly<Record<string, string>>) {
  const record = await settledRecord(world, 'contacts', properties);
  return world.portal.properties(record);
}

describe('a phone number', () => {
  const withMobile = (world: World) => {
    const person = somePerson(world);
    return { person, mobile: person.mobile ?? '' };
  };

  it.each([
    ['alone', {}],
    ['beside another employer', { company: 'Quite Another Company' }],
  ])('%s is a proposal: nothing is written', async (_, known) => {
    const world = await createWorld();
    const { mobile } = withMobile(world);
    const now = await enriched(world, { phone: mobile, ...known });
    expect(now['enrichment_status']).toBe('review');
    expect([now['firstname'] ?? '', now['email'] ?? '', now['jobtitle'] ?? '']).toEqual(['', '', '']);
    expect(await undecided(world)).toHaveLength(1);
  });

  it('beside a name that agrees leads to the person', async () => {
    const world = await createWorld();
    const { person, mobile } = withMobile(world);
    const now = await enriched(world, { phone: mobile, firstname: person.firstName });
    expect(now).toMatchObject({ enrichment_status: 'enriched', lastname: person.lastName });
  });
});

it('the parts of an address are not written beside a typed city elsewhere', async () => {
  const world = await createWorld();
  const record = await settledContact(world, 2, { city: 'Atlantis' });
  const now = await world.portal.properties(record);
  expect(now).toMatchObject({ enrichment_status: 'enriched', city: 'Atlantis' });
  expect([now['state'] ?? '', now['country'] ?? '']).toEqual(['', '']);
  const { outcome } = await operator(world)('explain', `contacts/${record.id}`);
  const labels = expect.arrayContaining(['State/Region', 'Country/Region']);
  expect(outcome.notes).toEqual([{ code: 'place-kept', params: { labels } }]);
});

it('a bought address that is not written is named with the reason', async () => {
  const world = await createWorld();
  const { job } = somePerson(world, 3);
  changed(job, { email: (job.email ?? '').replace(/@.*/, '@a-holding.example.com') });
  const record = await settledContact(world, 3);
  expect((await world.portal.properties(record))['email'] ?? '').toBe('');
  const { outcome } = await operator(world)('explain', `contacts/${record.id}`);
  const params = { label: 'Email', why: 'other-employer' };
  expect(outcome.notes).toEqual([{ code: 'value-unfit', params }]);
  const { standing } = (await cardOf(world, record).show()).view;
  expect(standing).toMatchObject({ outcome: { reason: { notes: outcome.notes } } });
});

it.each([
  ['bought', 2],
  ['typed', 3],
])(
  'an employer with the same id under a new name and domain is no job change; its %s old address is not outdated',
  async (by, who) => {
    const world = await createWorld();
    const person = somePerson(world, who);
    const { company, email = '' } = person.job;
    const record = await settledRecord(world, 'contacts', {
      hs_linkedin_url: profileUrlOf(person),
      ...(by === 'typed' && { email }),
    });
    const domains = ['quite-new-brand.example'] as const;
    changed(company, { name: 'Quite New Brand', domains });
    changed(person.job, { email: `x@${domains[0]}` });
    await refreshAfter(world, 181 * DAY_MS);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({ enrichment_status: 'enriched', company: 'Quite New Brand' });
    expect([now['enrichment_job_changed_at'] ?? '', now['enrichment_email_outdated'] ?? '']).toEqual([
      '',
      '',
    ]);
  },
);

it.each([
  ['firstname', (first: string, last: string) => `${first} ${last}`],
  ['lastname', (first: string, last: string) => `${last}, ${first}`],
  ['lastname', (first: string, last: string) => `${last.toUpperCase()} ${first}`],
] as const)(
  'untidy values of HubSpot with a whole name in %s leave the other field blank',
  async (field, wholeOf) => {
    const world = await createWorld();
    const { job, firstName, lastName } = somePerson(world);
    const name = { firstname: '', lastname: '', [field]: wholeOf(firstName, lastName) };
    const record = await settledRecord(world, 'contacts', { email: job.email ?? '', ...name });
    const { firstname = '', lastname = '', ...others } = await world.portal.properties(record);
    expect({ firstname, lastname }).toEqual(name);
    expect(others).toMatchObject({ enrichment_status: 'enriched', jobtitle: job.title });
  },
);
