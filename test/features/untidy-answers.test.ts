import { describe, expect, it, onTestFinished } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { profileUrlOf, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

/** Changes a person of the stand-in for one test, because all worlds of a process are made of the same people. */
function changed<T extends object>(target: T, change: Partial<T>): void {
  const before = { ...target };
  onTestFinished(() => void Object.assign(target, before));
  Object.assign(target, change);
}

async function enriched(world: World, properties: Readonly<Record<string, string>>) {
  const record = await world.portal.create('contacts', properties);
  await settleDown(world);
  return world.portal.properties(record);
}

describe('a masked or placeholder value', () => {
  it.each([
    ['m***h@maskco.com', 'S***h'],
    ['email_not_unlocked@domain.com', 'LinkedIn Member'],
  ])('is not written, and the rest of the answer is: %s', async (email, lastName) => {
    const world = await createWorld();
    const person = somePerson(world, 2);
    changed(person, { lastName });
    changed(person.job, { email });
    const now = await enriched(world, { hs_linkedin_url: profileUrlOf(person) });
    expect(now).toMatchObject({ firstname: person.firstName, company: person.job.company.name });
    expect([now['email'] ?? '', now['lastname'] ?? '']).toEqual(['', '']);
  });
});

describe('a bought address that does not fit its person', () => {
  it.each(['info', 'marta.klein'])('is not written: %s@', async (mailbox) => {
    const world = await createWorld();
    const person = somePerson(world, 2);
    changed(person, { firstName: 'Nora', lastName: 'Vale' });
    changed(person.job, { email: `${mailbox}@${person.job.company.domains[0]}` });
    const now = await enriched(world, { hs_linkedin_url: profileUrlOf(person) });
    expect(now).toMatchObject({ firstname: 'Nora', lastname: 'Vale' });
    expect(now['email'] ?? '').toBe('');
  });
});

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

describe('the parts of an address', () => {
  it('are not written beside a typed city elsewhere', async () => {
    const world = await createWorld();
    const person = somePerson(world, 2);
    const now = await enriched(world, { hs_linkedin_url: profileUrlOf(person), city: 'Atlantis' });
    expect(now).toMatchObject({ enrichment_status: 'enriched', city: 'Atlantis' });
    expect([now['state'] ?? '', now['country'] ?? '']).toEqual(['', '']);
  });
});

describe('an employer with the same id', () => {
  it.each([
    ['bought', 2],
    ['typed', 3],
  ])('under a new name and domain is no job change; its %s old address is not outdated', async (by, who) => {
    const world = await createWorld();
    const person = somePerson(world, who);
    const { company, email = '' } = person.job;
    const record = await world.portal.create('contacts', {
      hs_linkedin_url: profileUrlOf(person),
      ...(by === 'typed' && { email }),
    });
    await settleDown(world);
    const domains = ['quite-new-brand.example'] as const;
    changed(company, { name: 'Quite New Brand', domains });
    changed(person.job, { email: `x@${domains[0]}` });
    await world.clock.sleep(181 * DAY_MS);
    await world.processes.refresh();
    await settleDown(world);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({ enrichment_status: 'enriched', company: 'Quite New Brand' });
    expect([now['enrichment_job_changed_at'] ?? '', now['enrichment_email_outdated'] ?? '']).toEqual([
      '',
      '',
    ]);
  });
});
