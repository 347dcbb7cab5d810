import { describe, expect, it } from 'vitest';
import { disclosureKind } from '#inside/questions/stored-kinds.ts';
import { recordKey } from '#shared/crm';
import { removeValues } from '#shared/extensions/take-back';
import { DAY_MS } from '#shared/kernel';
import { createHubSpotGauges } from '#shared/metrics';
import {
  disclosuresOfPerson,
  exportSubject,
  identifiersOfRecord,
  type Notice,
  recordKeysOf,
  unsentNotices,
} from '#shared/privacy';
import { allKeys, forgetPerson, identifierKeys, type Question } from '#shared/questions';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { removing, sweeps } from '../harness/removals.ts';
import { accept } from '../harness/review.ts';
import { whileAsked } from '../harness/ruled-world.ts';
import {
  askByHand,
  changeState,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  settledRecord,
  worldWithContact,
} from '../harness/steps.ts';
import { populated, tracesOf, twoOfOneCompany } from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

const EU_OR_UNKNOWN = { property: 'country', in: ['Germany', 'France'], orBlank: true } as const;

const NOTICE = [{ name: 'EU', when: [EU_OR_UNKNOWN] }];

const PAST_TTL_MS = 5 * 365 * DAY_MS;

const keysOf = (world: World, properties: Properties) =>
  allKeys(identifiersOfRecord({ objectType: 'contacts', properties }, world.services.digest));

/** What is kept of a person of whom these properties are known. */
const keptOf = (world: World, properties: Properties, records: readonly string[] = []) =>
  disclosuresOfPerson(world.services.questions.disclosures, {
    identifiers: keysOf(world, properties),
    records,
  });

async function keptOfRecord(world: World, record: RecordName) {
  const state = await world.state(record);
  const { identifiers = [] } = state ?? {};
  return disclosuresOfPerson(world.services.questions.disclosures, {
    identifiers,
    records: state ? recordKeysOf(state) : [],
  });
}

async function enriched(properties: (world: World) => Properties, policy = {}) {
  const world = await createWorld({ policy });
  const record = await settledRecord(world, 'contacts', properties(world));
  return { world, record };
}

const byEmail = (world: World) => ({ email: somePerson(world).job.email ?? '' });

const byUrl = (world: World) => ({ hs_linkedin_url: profileUrlOf(somePerson(world)) });

describe('the disclosure record', () => {
  it('says when, by which operation, what was sent, which fields came, and where they went; and no value', async () => {
    const { world, record } = await enriched(byEmail);
    const person = somePerson(world);
    const [item, ...others] = await keptOf(world, byEmail(world));
    expect(others).toEqual([]);
    const atMs = Date.parse((await world.portal.properties(record))['enrichment_last_at'] ?? '');
    expect(item).toMatchObject({
      sources: ['data-service'],
      obtained: { firstAtMs: atMs, lastAtMs: atMs },
      requests: [
        {
          source: 'data-service',
          operation: 'reverseEmail',
          atMs,
          purpose: 'live',
          sent: ['email'],
          record: recordKey(record),
          fields: expect.arrayContaining(['firstName', 'title']),
        },
      ],
      records: [
        {
          record: recordKey(record),
          operation: 'reverseEmail',
          properties: expect.arrayContaining(['firstname', 'jobtitle']),
        },
      ],
    });
    const stored = JSON.stringify(item).toLowerCase();
    for (const value of [person.job.email, person.lastName, person.job.title, person.networkSlug])
      expect(stored).not.toContain(String(value).toLowerCase());
  });

  it('lists a request whose answer never came, and gets its fields from a later answer', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    const record = await settledRecord(world, 'contacts', byEmail(world));
    const [doubt] = await keptOf(world, byEmail(world));
    expect(doubt?.requests).toMatchObject([{ sent: ['email'], record: recordKey(record), fields: [] }]);
    const isListed = async () =>
      (await exportSubject(services(world), { record: recordKey(record) }))?.requests[0]?.isUnanswered;
    expect(await isListed()).toBe(true);
    const [asked] = doubt?.requests ?? [];
    const answered = { ...asked, fields: ['title'], answerUntilMs: world.clock.now() } as const;
    const person = { person: doubt?.person ?? '', identifiers: doubt?.identifiers ?? [] };
    const { disclosures } = world.services.questions;
    if (asked) await disclosures.requested(person, { ...asked, ...answered });
    if (asked) await disclosures.requested(person, asked);
    expect((await keptOf(world, byEmail(world)))[0]?.requests).toMatchObject([{ fields: ['title'] }]);
    expect(await isListed()).toBeUndefined();
  });

  it('names the policy rule that admitted the record', async () => {
    const whom = { contacts: [{ name: 'everybody' }] };
    const { world } = await enriched(byEmail, { whom });
    expect((await keptOf(world, byEmail(world)))[0]?.requests[0]?.rule).toBe('contacts: everybody');
  });

  it('is found by the profile that only the answer told, and by an address that was bought', async () => {
    const { world, record } = await enriched(byUrl);
    const [item] = await keptOf(world, byUrl(world));
    expect(item?.requests[0]).toMatchObject({ operation: 'personProfile', sent: ['profileUrl'] });
    const [byAddress] = await keptOf(world, byEmail(world), [recordKey(record)]);
    expect(byAddress).toEqual(item);
    expect(await keptOf(world, byEmail(world), ['contacts#999'])).toEqual([]);
    expect(await keptOfRecord(world, record)).toEqual([item]);
  });

  it('exists where the source knew nobody: an identifier was sent, and nothing was obtained', async () => {
    const { world } = await enriched(() => ({ email: 'nobody.there@unknown-firm.com' }));
    const [item] = await keptOf(world, { email: 'nobody.there@unknown-firm.com' });
    expect(item?.requests).toMatchObject([{ sent: ['email'], fields: [] }]);
    expect(item).not.toHaveProperty('obtained');
    expect(item?.records).toEqual([]);
  });

  it('does not exist for a company, nor for the people whom its answer lists', async () => {
    const world = await createWorld();
    const { company } = somePerson(world).job;
    await ask(world, {
      operation: 'companyProfile',
      by: { domain: company.domains[0] },
      options: ['contacts'],
    });
    expect(world.charged()).toBeGreaterThan(0);
    expect(await keptOf(world, byEmail(world))).toEqual([]);
    expect(await keptOf(world, byUrl(world))).toEqual([]);
  });

  it('says in a refresh only that the data were obtained again', async () => {
    const { world, record } = await enriched(byEmail);
    const [before] = await keptOf(world, byEmail(world));
    const told = await world.portal.properties(record);
    await refreshAfter(world, 181 * DAY_MS);
    const [after] = await keptOf(world, byEmail(world));
    expect(after?.requests).toHaveLength(2);
    expect(after?.obtained?.firstAtMs).toBe(before?.obtained?.firstAtMs);
    expect(after?.obtained?.lastAtMs).toBeGreaterThan(before?.obtained?.lastAtMs ?? 0);
    const now = await world.portal.properties(record);
    expect(now['enrichment_first_at']).toBe(told['enrichment_first_at']);
    expect(now['enrichment_last_at']).not.toBe(told['enrichment_last_at']);
  });

  it('keeps the proof only after a privacy deletion, and that for its time', async () => {
    const { world, record } = await enriched(byEmail);
    const [before] = await keptOf(world, byEmail(world));
    await settled(world, world.portal.erase(record));
    const [after, ...others] = await keptOf(world, byEmail(world));
    expect(others).toEqual([]);
    expect(after).toEqual({
      person: before?.person,
      identifiers: before?.identifiers,
      sources: ['data-service'],
      asked: before?.asked,
      obtained: before?.obtained,
      requests: [],
      records: [],
      forgottenAtMs: expect.any(Number),
    });
    const policy = { journalDays: 1, privacy: { keepDisclosures: 10 } };
    expect(after && disclosureKind.expiry.at?.(after, policy)).toBe(
      (after?.forgottenAtMs ?? 0) + 10 * DAY_MS,
    );
    expect(before && disclosureKind.expiry.at?.(before, policy)).toBeUndefined();
  });
});

it('of a person who was forgotten while the question was under way is the proof only', async () => {
  let act = async () => {};
  const world = await createWorld({ through: whileAsked(() => act()) });
  act = async () => {
    await forgetPerson(world.services.forgetting, keysOf(world, byEmail(world)));
  };
  await askByHand(world, { operation: 'reverseEmail', by: byEmail(world), options: [] });
  expect(world.charged()).toBe(1);
  const [item] = await keptOf(world, byEmail(world));
  expect(item).toMatchObject({ forgottenAtMs: expect.any(Number), requests: [], records: [] });
});

describe('the properties of a contact', () => {
  it('say when its data were first obtained, and by when the person has to be told', async () => {
    const { world, record } = await enriched(byEmail, { privacy: { notice: NOTICE } });
    const now = await world.portal.properties(record);
    expect(now['enrichment_first_at']).toBe(now['enrichment_last_at']);
    expect(now['enrichment_notice_sent_at'] ?? '').toBe('');
  });

  it('have a notice due by the country that the answer itself fills', async () => {
    const bare = await enriched(byEmail);
    const { country } = await bare.world.portal.properties(bare.record);
    const dueIn = async (land: string) => {
      const notice = [{ name: 'land', when: [{ property: 'country', in: [land], orBlank: true }] }];
      const { world, record } = await enriched(byEmail, { privacy: { notice } });
      return (await world.portal.properties(record))['enrichment_notice_due'];
    };
    expect(await dueIn(country ?? '')).toBeTruthy();
    expect((await dueIn('Nowhere')) ?? '').toBe('');
  });

  it.each([
    ['Germany', {}, 30],
    ['United States', {}, undefined],
    ['Germany', { days: 14 }, 14],
    ['Germany', { due: false }, undefined],
  ])('in %s with %j have a notice due after %s days', async (country, more, days) => {
    const notice = [{ ...NOTICE[0], name: 'EU', ...more }];
    const { world, record } = await enriched((w) => ({ ...byEmail(w), country }), { privacy: { notice } });
    const { enrichment_first_at: first = '', enrichment_notice_due: due } =
      await world.portal.properties(record);
    const expected = days && new Date(Date.parse(first ?? '') + days * DAY_MS).toISOString().slice(0, 10);
    expect(due ?? undefined).toBe(expected);
  });

  it.each([
    ['stored', 20, 3],
    ['bought anew', 200, 4],
  ])('say of a person whose answer is %s since when the person is known', async (_, days, credits) => {
    const { world, record } = await enriched(byUrl);
    const { enrichment_first_at: first } = await world.portal.properties(record);
    await world.clock.sleep(days * DAY_MS);
    const second = await settledRecord(world, 'contacts', byUrl(world));
    expect((await world.portal.properties(second))['enrichment_first_at']).toBe(first);
    expect(world.charged()).toBe(credits);
  });

  it('keep the first date that HubSpot has through a refresh', async () => {
    const { world, record } = await enriched(byEmail);
    const later = new Date(world.clock.now() + DAY_MS).toISOString();
    await world.portal.edit(record, { enrichment_first_at: later });
    const { enrichment_first_at: first } = await world.portal.properties(record);
    await refreshAfter(world, 181 * DAY_MS);
    expect((await world.portal.properties(record))['enrichment_first_at']).toBe(first);
  });

  it('say nothing of an answer that contradicts the contact', async () => {
    const { world, record } = await enriched((w) => ({
      ...byUrl(w),
      firstname: 'Xanthippe',
      lastname: 'Quux',
    }));
    const now = await world.portal.properties(record);
    expect(now['enrichment_status']).toBe('review');
    expect(now['enrichment_first_at'] ?? '').toBe('');
  });

  it('keep what a workflow wrote of a notice, also through a refresh', async () => {
    const germany = (w: World) => ({ ...byEmail(w), country: 'Germany' });
    const { world, record } = await enriched(germany, { privacy: { notice: NOTICE } });
    await world.portal.edit(record, { enrichment_notice_sent_at: '2026-12-01', country: 'United States' });
    const before = await world.portal.properties(record);
    expect(before['enrichment_notice_due']).toBeTruthy();
    await refreshAfter(world, 181 * DAY_MS);
    const now = await world.portal.properties(record);
    expect(now['enrichment_notice_sent_at']).toBe('2026-12-01');
    expect(now['enrichment_notice_due']).toBe(before['enrichment_notice_due']);
  });

  it('follow a corrected country: whom the rules no longer name has nothing due', async () => {
    const { world, record } = await enriched((w) => ({ ...byEmail(w), country: 'Germany' }), {
      privacy: { notice: NOTICE },
    });
    expect((await world.portal.properties(record))['enrichment_notice_due']).toBeTruthy();
    await world.portal.edit(record, { country: 'United States' });
    await refreshAfter(world, 181 * DAY_MS);
    expect((await world.portal.properties(record))['enrichment_notice_due'] ?? '').toBe('');
  });
});

it('a person whose answer was never written is kept as long as the answer, and the policy’s days longer', async () => {
  const { world } = await enriched(byEmail, { mode: 'shadow' });
  const [item] = await keptOf(world, byEmail(world));
  expect(item?.records).toEqual([]);
  const untilMs = item?.requests[0]?.answerUntilMs ?? 0;
  expect(untilMs).toBeGreaterThan(world.clock.now());
  const policy = { journalDays: 1, privacy: { keepDisclosures: 7 } };
  expect(item && disclosureKind.expiry.at?.(item, policy)).toBe(untilMs + 7 * DAY_MS);
  expect(untilMs).toBeLessThan(world.clock.now() + PAST_TTL_MS);
});

const RETENTION = {
  contacts: [
    { name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }], days: 150 },
    { name: 'leads', days: 100 },
  ],
};

const profileKeys = (world: World, index: number) =>
  identifierKeys({ profileUrls: [profileUrlOf(somePerson(world, index))] }, world.services.digest).sure;

async function endOf(world: World, index: number): Promise<number | undefined> {
  const items = await world.services.forgetting.disclosures.of(profileKeys(world, index));
  expect(items.length).toBeGreaterThan(0);
  return items.find(({ person }) => profileKeys(world, index).includes(person))?.endedAtMs;
}

/** A contact that remembers identifiers of another person, as after a wrong match. */
const mismatched = (world: World, record: RecordName, other: number) =>
  changeState(world, record, ({ identifiers = [] }) => ({
    identifiers: [...identifiers, ...profileKeys(world, other)],
  }));

async function oneHundredDaysLater(world: World): Promise<void> {
  await world.clock.sleep(101 * DAY_MS);
  await sweeps(world);
}

const keeping = () => createWorld({ policy: { privacy: { retention: RETENTION } } });

it('a removal ends the disclosures of its own person, and not those of another to whom a wrong match led', async () => {
  const world = await keeping();
  const first = await contact(world);
  const second = await settledContact(world, 1, { lifecyclestage: 'customer' });
  await mismatched(world, first, 1);
  await oneHundredDaysLater(world);
  expect((await world.portal.properties(first))['jobtitle']).toBeUndefined();
  expect((await world.portal.properties(second))['jobtitle']).toBeDefined();
  expect(await endOf(world, 0)).toBeGreaterThan(0);
  expect(await endOf(world, 1)).toBeUndefined();
  await world.clock.sleep(50 * DAY_MS);
  await sweeps(world);
  expect(await endOf(world, 1)).toBeGreaterThan(0);
});

const POLICY = { privacy: { notice: [{ name: 'all', days: 10 }] } };

async function listed(world: World, dueByMs = world.clock.now() + 365 * DAY_MS): Promise<Notice[]> {
  const pages = await Array.fromAsync(unsentNotices(world.services, { dueByMs }));
  return pages.flatMap(({ notices }) => notices);
}

async function late(world: World): Promise<number | undefined> {
  const gauges = await createHubSpotGauges({ ...world.services, clock: world.clock })();
  return gauges.find(({ metric }) => metric === 'noticesLate')?.value;
}

describe('notices', () => {
  it('are listed with due day and source until they are sent, and cost no credit', async () => {
    const world = await createWorld({ policy: POLICY });
    const [first, second] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    const charged = world.charged();
    const { enrichment_first_at: firstAt } = await world.portal.properties(first);
    expect(await listed(world)).toMatchObject([
      { id: first.id, firstAt, operation: 'personProfile', dueDay: '2026-12-01' },
      { id: second.id },
    ]);
    expect(Object.keys((await listed(world))[0] ?? {}).sort()).toEqual([
      'dueDay',
      'firstAt',
      'id',
      'isForgotten',
      'operation',
    ]);
    await world.portal.edit(first, { enrichment_notice_sent_at: '2026-11-30' });
    expect((await listed(world)).map(({ id }) => id)).toEqual([second.id]);
    expect(world.charged()).toBe(charged);
  });

  it('are read page by page, each once', async () => {
    const world = await createWorld({ policy: POLICY });
    const ids = [];
    for (let nth = 0; nth < 230; nth += 1)
      ids.push((await world.portal.create('contacts', { enrichment_notice_due: '2026-10-01' })).id);
    expect((await listed(world)).map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('are counted as late a week after their day, and no more once they are sent', async () => {
    const { world, record } = await worldWithContact({ policy: POLICY });
    await world.clock.sleep(16 * DAY_MS);
    expect(await late(world)).toBe(0);
    await world.clock.sleep(DAY_MS);
    expect(await late(world)).toBe(1);
    await world.portal.edit(record, { enrichment_notice_sent_at: '2026-12-09' });
    expect(await late(world)).toBe(0);
  });

  it('are none in an account without the properties, and nothing fails', async () => {
    const world = await createWorld({ policy: POLICY });
    const definitions = async () => new Map();
    const crm = { ...world.services.crm, definitions };
    expect(
      await Array.fromAsync(unsentNotices({ ...world.services, crm }, { dueByMs: world.clock.now() })),
    ).toEqual([]);
    const gauges = await createHubSpotGauges({ ...world.services, crm, clock: world.clock })();
    expect(gauges.find(({ metric }) => metric === 'noticesLate')?.value).toBe(0);
  });
});

it('two removals of two records of one person at the same moment end the disclosures', async () => {
  const world = await createWorld();
  const records = [await settledContact(world), await settledContact(world)];
  const states = await Promise.all(records.map((record) => world.state(record)));
  const atMs = world.clock.now();
  await Promise.all(
    states.map((state) =>
      state ? removeValues(removing(world), 'contacts', [{ state, wish: { by: 'retention', atMs } }]) : [],
    ),
  );
  const { identifiers = [] } = states[0] ?? {};
  const disclosures = await world.services.forgetting.disclosures.of(identifiers);
  expect(disclosures.map(({ endedAtMs }) => endedAtMs)).toEqual([expect.any(Number)]);
});

const services = ({ services, policy }: World) => ({ ...services, policy });

const ofRecord = (world: World, record: RecordName) =>
  exportSubject(services(world), { record: recordKey(record) });

const ofEmail = (world: World, email = '') =>
  exportSubject(services(world), {
    identifiers: identifierKeys({ emails: [email] }, world.services.digest).sure,
  });

async function ask(world: World, question: Question): Promise<void> {
  expect((await askByHand(world, question)).kind).toBe('found');
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
  it('of a forgotten person says so by the record and by an address that only the answer had', async () => {
    const { world, record } = await enriched(byUrl);
    const email = somePerson(world).job.email ?? '';
    const { forgetting } = world.services;
    await forgetPerson(forgetting, await forgetting.forgetRecord(recordKey(record)));
    const byRecord = await ofRecord(world, record);
    expect(byRecord).toMatchObject({ forgottenAt: expect.any(String), requests: [], writes: [] });
    const { forgottenAt, firstObtainedAt, lastObtainedAt } = byRecord ?? {};
    expect(await ofEmail(world, email)).toMatchObject({ forgottenAt, firstObtainedAt, lastObtainedAt });
    expect(await ofEmail(world, `another.${email}`)).toBeUndefined();
  });

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
    const first = await settledRecord(world, 'contacts', {
      email: 'somebody@gmail.com',
      hs_linkedin_url: profileUrlOf(person),
    });
    const second = await settledRecord(world, 'contacts', { email });
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
    const record = await settledRecord(world, 'contacts', {
      firstname: 'Xanthippe',
      lastname: 'Quux',
      phone: wrong.mobile,
      email: 'xanthippe.quux@gmail.com',
    });
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
    const record = await settledRecord(world, 'contacts', { ...names, email, phone: wrong.mobile });
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
      answers: [],
      writes: [],
      requests: [],
      recipients: [],
      firstObtainedAt: before?.firstObtainedAt,
      forgottenAt: expect.any(String),
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
