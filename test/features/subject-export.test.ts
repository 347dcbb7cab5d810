import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { exportSubject } from '#shared/privacy';
import { identifierKeys, type Question } from '#shared/questions';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { accept } from '../harness/review.ts';
import { refreshAfter, settleDown, settled, settledContact, worldWithContact } from '../harness/steps.ts';
import { populated, tracesOf, twoOfOneCompany } from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

const services = ({ services, policy }: World) => ({ ...services, policy });

const ofRecord = (world: World, record: RecordName) =>
  exportSubject(services(world), { record: recordKey(record) });

const ofEmail = (world: World, email = '') =>
  exportSubject(services(world), {
    identifiers: identifierKeys({ emails: [email] }, world.services.digest).sure,
  });

async function ask(world: World, question: Question): Promise<void> {
  const notAfterMs = world.clock.now() + 5 * MINUTE_MS;
  const { kind } = await world.services.gateway.ask({ question, purpose: 'manual', notAfterMs });
  expect(kind).toBe('found');
}

/** Everybody of the stand-in but one, by what belongs to one person alone. */
function othersIn(world: World, own: { readonly networkSlug?: string | undefined }) {
  return world.dataService.world.people.filter(({ networkSlug }) => networkSlug !== own.networkSlug);
}

function namesOfOthers(world: World, own: { readonly networkSlug?: string | undefined }, text: string) {
  const lower = text.toLowerCase();
  return othersIn(world, own).flatMap(({ networkSlug, job, mobile }) =>
    [networkSlug && `/${networkSlug}"`, job.email && `"${job.email}"`, mobile && `"${mobile}"`].filter(
      (trace) => trace && lower.includes(trace.toLowerCase()),
    ),
  );
}

describe('the access export', () => {
  it('shows values, answers, requests, recipients and times of an enriched contact', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const record = await settledContact(world);
    const now = await world.portal.properties(record);
    const held = await ofRecord(world, record);
    const atMs = now['enrichment_first_at'];
    expect(held).toMatchObject({
      records: [
        {
          record: `contacts/${record.id}`,
          values: { lastname: person.lastName, jobtitle: person.job.title },
        },
      ],
      answers: [{ source: 'data-service', operation: 'personProfile', obtainedAt: atMs }],
      firstObtainedAt: atMs,
      requests: [{ source: 'data-service', sent: ['profileUrl'], at: atMs, record: `contacts/${record.id}` }],
      recipients: [
        {
          recipient: 'HubSpot',
          record: `contacts/${record.id}`,
          properties: expect.arrayContaining(['jobtitle']),
        },
      ],
    });
    expect(held?.answers[0]?.values).toMatchObject({ lastName: person.lastName });
    expect(Date.parse(held?.answers[0]?.keptUntil ?? '')).toBeGreaterThan(world.clock.now());
    expect(held?.writes.find(({ property }) => property === 'jobtitle')).toMatchObject({
      before: null,
      after: person.job.title,
      keptUntil: new Date(Date.parse(held?.writes[0]?.at ?? '') + 365 * DAY_MS).toISOString(),
    });
  });

  it('leaves out of the values in HubSpot what a person has changed since', async () => {
    const { world, record } = await worldWithContact();
    await world.portal.edit(record, { jobtitle: 'As she says herself' });
    const held = await ofRecord(world, record);
    expect(held?.records[0]?.values).not.toHaveProperty('jobtitle');
    expect(held?.records[0]?.values).toHaveProperty('lastname');
  });

  it('is the same by email, by an additional address, and by a contact that was merged', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const email = person.job.email ?? '';
    const first = await world.portal.create('contacts', {
      email: 'somebody@gmail.com',
      hs_linkedin_url: profileUrlOf(person),
    });
    await settleDown(world);
    const second = await settled(world, world.portal.create('contacts', { email }));
    const merged = await settled(world, world.portal.merge(first, second));
    const held = await ofRecord(world, merged);
    expect(held?.records).toHaveLength(1);
    expect(held?.requests.map(({ operation }) => operation).sort()).toEqual([
      'personProfile',
      'reverseEmail',
    ]);
    for (const other of [
      await ofRecord(world, first),
      await ofRecord(world, second),
      await ofEmail(world, email),
      await ofEmail(world, 'somebody@gmail.com'),
    ]) {
      expect(other?.records).toEqual(held?.records);
      expect(new Set(other?.answers.map((each) => JSON.stringify(each)))).toEqual(
        new Set(held?.answers.map((each) => JSON.stringify(each))),
      );
      expect(other?.requests).toHaveLength(2);
    }
  });

  it('works for a person of whom only the address is known, without a contact', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const email = person.job.email ?? '';
    await ask(world, { operation: 'reverseEmail', by: { email }, options: [] });
    expect(await ofEmail(world, email)).toMatchObject({
      records: [],
      answers: [{ operation: 'reverseEmail', values: { lastName: person.lastName } }],
      requests: [{ sent: ['email'], purpose: 'manual' }],
      recipients: [],
    });
    expect(await ofEmail(world, somePerson(world, 1).job.email)).toBeUndefined();
  });

  it('has of 14 stored lists of a company the entries of this person, and nothing of a colleague', async () => {
    const { world, one, other, contact: record } = await populated();
    world.changeBudgets({ perDay: 1_000_000 });
    const domain = one.job.company.domains[0];
    for (let nth = 1; nth <= 12; nth += 1) {
      const isPeople = nth % 2 === 0;
      const request = isPeople
        ? { q_organization_domains: [domain], per_page: 70 + nth, include_email: 'include' }
        : { company_domain: domain, limit: 70 + nth };
      await ask(world, {
        operation: isPeople ? 'searchPeople' : 'searchEmployees',
        by: { search: JSON.stringify(request) },
        options: [],
      });
    }
    await ask(world, { operation: 'companyProfile', by: { domain }, options: ['contacts'] });
    const held = await ofRecord(world, record);
    expect(held?.answers.length).toBeGreaterThanOrEqual(14);
    const text = JSON.stringify(held);
    for (const trace of tracesOf(one).slice(0, 2)) expect(text.toLowerCase()).toContain(trace);
    for (const trace of tracesOf(other)) expect(text.toLowerCase()).not.toContain(trace);
    expect(namesOfOthers(world, one, text)).toEqual([]);
    expect(text).not.toContain('contacts#');
    // It would find a colleague: the same look at the colleague's own export does.
    expect(namesOfOthers(world, one, JSON.stringify(await ofEmail(world, other.job.email)))).not.toEqual([]);
  }, 60_000);

  it('has nothing of a person whom a wrong match brought, nor that person anything of the contact', async () => {
    const world = await createWorld();
    const [wrong] = twoOfOneCompany(world);
    const record = await world.portal.create('contacts', {
      ...{ firstname: 'Xanthippe', lastname: 'Quux', phone: wrong.mobile },
      email: 'xanthippe.quux@gmail.com',
    });
    await settleDown(world);
    expect((await world.portal.properties(record))['enrichment_status']).toBe('review');
    const held = await ofEmail(world, 'xanthippe.quux@gmail.com');
    const text = JSON.stringify(held).toLowerCase();
    expect(text).not.toContain(wrong.lastName.toLowerCase());
    expect(text).not.toContain(String(wrong.job.email).toLowerCase());
    const { sure } = identifierKeys({ profileUrls: [profileUrlOf(wrong)] }, world.services.digest);
    const other = JSON.stringify(await exportSubject(services(world), { identifiers: sure }));
    expect(other).toContain(wrong.lastName);
    expect(other.toLowerCase()).not.toContain('quux');
    expect(other).not.toContain(`contacts/${record.id}`);
  });

  it('has the answer of a contradiction once a person accepted it for the contact', async () => {
    const world = await createWorld();
    const [wrong] = twoOfOneCompany(world);
    const email = 'xanthippe.quux@gmail.com';
    const names = { firstname: 'Xanthippe', lastname: 'Quux' };
    const record = await world.portal.create('contacts', { ...names, email, phone: wrong.mobile });
    await settleDown(world);
    expect((await ofEmail(world, email))?.answers).toEqual([]);
    expect(await accept(world, [record], { kind: 'contradiction' })).toMatchObject([{ result: 'done' }]);
    const held = await ofEmail(world, email);
    expect(held?.answers).toMatchObject([{ values: { lastName: wrong.lastName } }]);
    expect(held?.writes.map(({ property }) => property)).toContain('jobtitle');
    expect(held?.recipients).toMatchObject([{ record: `contacts/${record.id}` }]);
  });

  it('does not connect two people by a mailbox of their office', async () => {
    const world = await createWorld();
    const [a, b] = [somePerson(world), somePerson(world, 1)];
    const office = { hs_additional_emails: 'info@gmail.com' };
    const first = await contact(world, 0, office);
    await contact(world, 1, office);
    await settleDown(world, { workers: 2 });
    const text = JSON.stringify(await ofRecord(world, first));
    expect(text).toContain(a.lastName);
    expect(text).not.toContain(String(b.job.email));
    expect(text).not.toContain(b.networkSlug);
  });

  it('keeps the proof after a privacy deletion, and no value', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const record = await settledContact(world);
    const before = await ofRecord(world, record);
    await settled(world, world.portal.erase(record));
    const held = await ofRecord(world, record);
    expect(held).toMatchObject({
      ...{ answers: [], writes: [], requests: [], recipients: [] },
      ...{ firstObtainedAt: before?.firstObtainedAt, forgottenAt: expect.any(String) },
      records: [{ values: {}, forgottenAt: expect.any(String) }],
    });
    for (const value of [person.lastName, person.job.email, person.networkSlug])
      expect(JSON.stringify(held).toLowerCase()).not.toContain(String(value).toLowerCase());
  });

  it('sums up the oldest requests of a person who was refreshed for years', async () => {
    const { world, record } = await worldWithContact({ policy: { freshness: { contactsDays: 1 } } });
    const first = (await ofRecord(world, record))?.firstObtainedAt;
    for (let nth = 0; nth < 44; nth += 1) await refreshAfter(world, 3 * DAY_MS);
    const held = await ofRecord(world, record);
    const [sum] = held?.requests.filter(({ times }) => times !== undefined) ?? [];
    expect(held?.firstObtainedAt).toBe(first);
    expect(sum?.at).toBe(first);
    expect((held?.requests.length ?? 0) - 1 + (sum?.times ?? 0)).toBe(45);
  }, 60_000);
});
