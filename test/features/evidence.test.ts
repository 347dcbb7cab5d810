import { describe, expect, it, onTestFinished } from 'vitest';
import { profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const domainOf = (world: World, index = 0) => somePerson(world, index).job.company.domains[0] ?? '';

/** All worlds of a process are made of the same people. */
async function found(world: World, name: { firstName: string; lastName: string }, mailbox: string) {
  const person = somePerson(world);
  const { firstName, lastName } = person;
  onTestFinished(() => void Object.assign(person, { firstName, lastName }));
  Object.assign(person, name);
  const email = `${mailbox}@${domainOf(world)}`;
  const record = await world.portal.create('contacts', { email, hs_linkedin_url: profileUrlOf(person) });
  await settleDown(world);
  const { firstname, lastname, enrichment_status: status } = await world.portal.properties(record);
  return { firstName: firstname, lastName: lastname, status };
}

describe('a name in another script than the address', () => {
  it.each([
    [{ firstName: '小明', lastName: '王' }, 'xiaoming.wang'],
    [{ firstName: 'Иван', lastName: 'Петров' }, 'ivan.petrov'],
    [{ firstName: 'David', lastName: '王' }, 'wang.wei'],
  ])('is no contradiction: %j at %s', async (name, mailbox) => {
    const world = await createWorld();
    expect(await found(world, name, mailbox)).toEqual({ ...name, status: 'enriched' });
  });

  it('in the same script is one: nothing of another person is written', async () => {
    const world = await createWorld();
    const name = { firstName: 'Marta', lastName: 'Klein' };
    expect(await found(world, name, 'jane.doe')).toEqual({ status: 'review' });
  });
});

describe('a website that a person typed', () => {
  it('of a contact is no employer: the job is written beside it', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const website = 'https://cooking-blog.example';
    const record = await world.portal.create('contacts', { email: job.email ?? '', website });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ enrichment_status: 'enriched', jobtitle: job.title, company: job.company.name, website },
    });
    expect(await undecided(world)).toEqual([]);
  });

  it('does not replace the company of the contact in a question by name', async () => {
    const world = await createWorld();
    const { firstName: firstname, lastName: lastname, job } = somePerson(world);
    const company = await world.portal.create('companies', { domain: domainOf(world), name: 'Typed' });
    await settleDown(world);
    const website = 'https://cooking-blog.example';
    const record = await world.portal.create('contacts', { firstname, lastname, website }, [company]);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title, website });
  });

  it('of a company is no employer', async () => {
    const world = await createWorld();
    const { domains, foundedYear } = someCompany(world);
    const website = 'https://shop-of-ours.example';
    const record = await world.portal.create('companies', { domain: domains[0] ?? '', website });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ enrichment_status: 'enriched', founded_year: String(foundedYear), website },
    });
    expect(await undecided(world)).toEqual([]);
  });

  it('of the company of a contact is no employer where that company has no domain', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const company = await world.portal.create('companies', { website: 'https://shop-of-ours.example' });
    await settleDown(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' }, [company]);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title });
  });

  it('beside another company that a person typed is not mixed with the new job', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const website = 'https://cooking-blog.example';
    const typed = { email: job.email ?? '', website, company: 'Quorrwick Kranbau' };
    const record = await world.portal.create('contacts', typed);
    await settleDown(world);
    const { jobtitle, ...kept } = await world.portal.properties(record);
    expect(kept).toMatchObject({ ...typed, enrichment_status: 'review' });
    expect(jobtitle).toBeUndefined();
  });
});

describe('an additional address', () => {
  const former = 'somebody@former-employer.example';

  it('at the employer of the answer speaks for it', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const record = await world.portal.create('contacts', {
      ...{ email: former, hs_linkedin_url: profileUrlOf(person) },
      hs_additional_emails: `private@gmail.com;${person.job.email}`,
    });
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ enrichment_status: 'enriched', jobtitle: person.job.title, email: former },
    });
  });

  it('elsewhere changes nothing: the job goes to review', async () => {
    const world = await createWorld();
    const record = await world.portal.create('contacts', {
      ...{ email: former, hs_linkedin_url: profileUrlOf(somePerson(world)) },
      hs_additional_emails: 'private@gmail.com;somebody@third.example',
    });
    await settleDown(world);
    const { jobtitle, enrichment_status } = await world.portal.properties(record);
    expect({ jobtitle, enrichment_status }).toEqual({ enrichment_status: 'review' });
  });
});

describe('the employers of one family', () => {
  const parentDomain = 'parent-holding.example';

  async function atParent(world: World, daughter: Readonly<Record<string, string>>, more = {}) {
    const parent = await world.portal.create('companies', { name: 'Parent', domain: parentDomain, ...more });
    if (Object.keys(daughter).length > 0)
      await world.portal.create('companies', {
        name: 'Daughter',
        ...daughter,
        hs_parent_company_id: parent.id,
      });
    await settleDown(world);
    const email = somePerson(world).job.email ?? '';
    const record = await world.portal.create('contacts', { email }, [parent]);
    await settleDown(world);
    return world.portal.properties(record);
  }

  it('are the parent and the daughter: a contact of the parent may work at the daughter', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    expect(await atParent(world, { domain: domainOf(world) })).toMatchObject({
      ...{ enrichment_status: 'enriched', jobtitle: job.title },
    });
  });

  it('are the additional domains of a company', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const more = { hs_additional_domains: `other.example;${domainOf(world)}` };
    expect(await atParent(world, {}, more)).toMatchObject({
      ...{ enrichment_status: 'enriched', jobtitle: job.title },
    });
  });

  it('and a contact of the daughter may work at the parent', async () => {
    const world = await createWorld();
    const { job } = somePerson(world);
    const parent = await world.portal.create('companies', { name: 'Parent', domain: domainOf(world) });
    const daughter = { name: 'Daughter', domain: 'daughter.example', hs_parent_company_id: parent.id };
    const company = await world.portal.create('companies', daughter);
    await settleDown(world);
    const record = await world.portal.create('contacts', { email: job.email ?? '' }, [company]);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({
      ...{ enrichment_status: 'enriched', jobtitle: job.title },
    });
  });

  it('are not two companies that HubSpot does not relate: the answer goes to review', async () => {
    const world = await createWorld();
    await world.portal.create('companies', { name: 'Daughter', domain: domainOf(world) });
    const { jobtitle, enrichment_status } = await atParent(world, {});
    expect({ jobtitle, enrichment_status }).toEqual({ enrichment_status: 'review' });
  });
});
