import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel';
import { contact, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { isDrained, settleDown, undo } from '../harness/steps.ts';
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

  it('by another address', async () => {
    const world = await createWorld();
    const record = await world.portal.create('contacts', { email: somePerson(world).job.email ?? '' });
    await later(world);
    const { job, ...right } = somePerson(world, 1);
    await world.portal.edit(record, { email: job.email ?? '' });
    await later(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ email: job.email, firstname: right.firstName, lastname: right.lastName, jobtitle: job.title },
      hs_linkedin_url: profileUrlOf(right),
    });
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
    const record = await world.portal.create('contacts', { email: somePerson(world).job.email ?? '' });
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

  it('leaves nothing of the former company', async () => {
    const world = await createWorld();
    const former = someCompany(world);
    const record = await world.portal.create('companies', { domain: former.domains[0] ?? '', zip: '12345' });
    await later(world);
    expect((await world.portal.properties(record))['name']).toBe(former.name);
    await world.portal.edit(record, { domain: 'quorrwick-unknown.example' });
    await later(world);
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({ zip: '12345', enrichment_status: 'unmatched' });
    for (const property of ['name', 'website', 'linkedin_company_page', 'founded_year', 'description'])
      expect([property, after[property]]).toEqual([property, undefined]);
  });

  it('is for a person to decide where the new address does not tell whose it is', async () => {
    const world = await createWorld();
    const { job, lastName } = somePerson(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' });
    await later(world);
    await world.portal.edit(record, { email: 'xq7@unknown-firm.example' });
    await later(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ lastname: lastName, jobtitle: job.title, enrichment_status: 'review' },
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
