import { describe, expect, it } from 'vitest';
import { DEFAULT_FIELDS } from '#inside/field-policy/default-fields.ts';
import type { HttpRequest, Send } from '#shared/http';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { because, explanationText, withNotes } from '#shared/records';
import { reviewKind } from '#shared/review';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { openMemoryStore } from '../harness/memory-items.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, createCompany, jobChanger, profileUrlOf, somePerson } from '../harness/people.ts';
import { applied, policyOf } from '../harness/policy-change.ts';
import { forget } from '../harness/removals.ts';
import { accept, acceptAll, reject, undecided } from '../harness/review.ts';
import {
  isDrained,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  worldWithContact,
} from '../harness/steps.ts';
import { touches, watchedStore } from '../harness/watched-store.ts';
import { createWorld, type World } from '../harness/world.ts';

/** A contact whose profile is somebody else's. */
const mistaken = (world: World) => contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });

describe('what comes up for review', () => {
  it('is an answer about somebody else, without its values, until somebody decides', async () => {
    const world = await createWorld();
    const record = await mistaken(world);
    await settleDown(world);
    const id = `contacts/${record.id}/contradiction`;
    const lines = await undecided(world);
    expect(lines).toMatchObject([{ id, state: 'open', code: 'other-full-name' }]);
    const spent = world.charged();
    const { reviews } = world.services;
    expect(JSON.stringify(await reviews.read(record))).not.toContain(somePerson(world).lastName);
    // The same answer is not put up twice, decided or not.
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(await undecided(world)).toEqual(lines);
    await reviews.decide(record, 'contradiction', 'rejected');
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(await undecided(world)).toEqual([]);
    expect((await reviews.read(record))?.findings).toMatchObject([{ state: 'rejected' }]);
    expect(world.charged()).toBe(spent);
  });

  it('is gone when an answer fits, when the record is deleted, and when its person is forgotten', async () => {
    const world = await createWorld();
    const { reviews } = world.services;
    const [right, deleted, forgotten] = [await mistaken(world), await mistaken(world), await mistaken(world)];
    await settleDown(world);
    // All three have one profile, which is worth a look too.
    const kindsOf = async () => (await undecided(world)).map(({ record, kind }) => `${record} ${kind}`);
    expect(await kindsOf()).toContain(`contacts/${forgotten.id} contradiction`);
    const { firstName, lastName } = somePerson(world, 1);
    const url = profileUrlOf(somePerson(world, 1));
    await world.portal.edit(right, { firstname: firstName, lastname: lastName, hs_linkedin_url: url });
    await settled(world, world.portal.archive(deleted));
    const left = await kindsOf();
    expect(left).not.toContain(`contacts/${right.id} contradiction`);
    expect(left.some((each) => each.includes(`/${deleted.id} `))).toBe(false);
    await forget(world, forgotten);
    expect(await reviews.read(forgotten)).toEqual({
      objectType: 'contacts',
      id: forgotten.id,
      findings: [],
      forgotten: true,
      changedAtMs: world.clock.now(),
    });
    expect(
      await reviews.looked(forgotten, [{ kind: 'proposal', reason: { code: 'x' }, purpose: 'live' }]),
    ).toBe(0);
  });

  it('is a person who is in HubSpot twice, until the two are merged', async () => {
    const { world, record: first } = await worldWithContact();
    const second = await settledContact(world);
    expect(await undecided(world)).toMatchObject([
      { record: `contacts/${second.id}`, kind: 'duplicate', params: { records: [`contacts/${first.id}`] } },
    ]);
    await settled(world, world.portal.merge(second, first));
    expect(await undecided(world)).toEqual([]);
  });

  it('is an association that could not be made', async () => {
    const world = await createWorld();
    const domain = somePerson(world).job.company.domains[0];
    for (let nth = 0; nth < 2; nth += 1) await world.portal.create('companies', { domain });
    await settleDown(world);
    const record = await settledContact(world);
    expect(await undecided(world)).toMatchObject([
      { record: `contacts/${record.id}`, kind: 'association', code: 'several-companies' },
    ]);
  });

  it('is an association with a company that the answer does not name, where people are followed', async () => {
    const world = await createWorld({ policy: { jobChange: 'follow' } });
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(mover) });
    const domain = mover.job.company.domains[0];
    await settled(world, world.portal.associate(record, await world.portal.create('companies', { domain })));
    expect(await undecided(world)).toEqual([]);
    await refreshAfter(world, 180 * DAY_MS + HOUR_MS);
    expect(await undecided(world)).toMatchObject([
      { record: `contacts/${record.id}`, kind: 'association', code: 'other-association' },
    ]);
  });

  it('costs nothing where there is nothing to decide', async () => {
    const reads: string[] = [];
    const store = watchedStore(openMemoryStore(), (request, send) => {
      if (touches(request, reviewKind)) reads.push(request.kind);
      return send();
    });
    const world = await createWorld({ store });
    await settledContact(world);
    expect(reads).toEqual([]);
  });
});

it('a decided finding says in explain who decided it, at the card or by a command', async () => {
  const world = await createWorld();
  const [first, second] = [await mistaken(world), await mistaken(world)];
  await settleDown(world);
  const console = operator(world);
  const deciderOf = async ({ id }: RecordName) => {
    const { review } = await console('explain', `contacts/${id}`);
    return review.find(({ kind }: { kind: string }) => kind === 'contradiction');
  };
  expect(await deciderOf(first)).not.toHaveProperty('decidedBy');
  const card = cardOf(world, first, '7');
  const { findings } = (await card.show()).view;
  const foundAtMs = findings.find(({ kind }) => kind === 'contradiction')?.foundAtMs ?? 0;
  await card.ask({ id: 'card-reject-1', kind: 'reject', finding: 'contradiction', foundAtMs });
  await console('review', 'reject', `contacts/${second.id}/contradiction`);
  expect(await deciderOf(first)).toMatchObject({ state: 'rejected', decidedBy: 'user:7' });
  expect(await deciderOf(second)).toMatchObject({ state: 'rejected', decidedBy: 'operator' });
});

describe('a contradiction', () => {
  const found = async (world: World) => {
    const record = await settled(world, mistaken(world));
    const card = cardOf(world, record);
    const foundAtMs = (await card.show()).view.findings[0]?.foundAtMs ?? 0;
    return { record, card, finding: { finding: 'contradiction', foundAtMs } as const };
  };

  it('is written with its identity only after a second consent that names both', async () => {
    const world = await createWorld();
    const { record, card, finding } = await found(world);
    const { progress } = await card.ask({ id: 'preview-1', kind: 'preview', ...finding });
    const preview = progress?.reply?.kind === 'previewed' ? progress.reply : undefined;
    const { firstName, lastName, job } = somePerson(world);
    const { networkSlug } = somePerson(world);
    for (const part of [networkSlug, 'Xanthippe Quux', `${firstName} ${lastName}`, job.company.name])
      expect(preview?.says).toContain(part);
    expect(preview?.fitsIdentifier).toBe(true);
    const kept = preview?.changes.flatMap(({ property, isKept }) => (isKept ? property : []));
    expect(kept).toEqual(expect.arrayContaining(['firstname', 'lastname']));
    const identity = preview?.changes.flatMap(({ property, isIdentity }) => (isIdentity ? property : []));
    expect(identity).toContain('email');
    const before = await world.portal.properties(record);
    const refused = await card.ask({ id: 'accept-1', kind: 'accept', ...finding });
    expect(refused.progress?.reply).toMatchObject({ kind: 'refused', code: 'identity-unconfirmed' });
    expect(await world.portal.properties(record)).toEqual(before);
    const properties = preview?.changes.flatMap(({ property, isKept, isIdentity }) =>
      isKept || isIdentity ? [] : property,
    );
    expect(properties).toContain('jobtitle');
    await card.ask({ id: 'accept-2', kind: 'accept', ...finding, confirmsIdentity: true });
    expect(await world.portal.properties(record)).toMatchObject({ email: job.email, jobtitle: job.title });
  });

  it('says with which email it was looked up, and that the answer fits it', async () => {
    const world = await createWorld();
    const email = somePerson(world, 1).job.email ?? '';
    const name = { firstname: 'Xanthippe', lastname: 'Quux' };
    const record = await settled(world, world.portal.create('contacts', { email, ...name }));
    const card = cardOf(world, record);
    const [found] = (await card.show()).view.findings;
    const named = { finding: 'contradiction', foundAtMs: found?.foundAtMs ?? 0 } as const;
    const { progress } = await card.ask({ id: 'preview-1', kind: 'preview', ...named });
    expect(progress?.reply).toMatchObject({ says: expect.stringContaining(email), fitsIdentifier: true });
  });

  it('is written without its identity at one consent', async () => {
    const world = await createWorld();
    const { record, card, finding } = await found(world);
    await card.ask({ id: 'accept-1', kind: 'accept', ...finding, properties: ['city'] });
    const { city, email = '' } = await world.portal.properties(record);
    expect([city, email]).toEqual([somePerson(world).place.city, '']);
  });

  it('is asked about twice in the terminal, and accepted one by one', async () => {
    const world = await createWorld();
    const { record } = await found(world);
    const id = `contacts/${record.id}/contradiction`;
    const all = ['review', 'accept', '--all', '--kind', 'contradiction', '--yes'] as const;
    expect(await openConsole(world)(...all)).toBeUndefined();
    const asked: string[] = [];
    const terminal = { ask: async (question: string) => (asked.push(question) === 1 ? 'y' : 'n') };
    expect(await openConsole(world, { terminal })('review', 'accept', id)).toBeUndefined();
    expect(asked[1]).toContain('Xanthippe Quux');
    expect((await world.portal.properties(record))['email'] ?? '').toBe('');
  });

  it('needs review in the line of its run too', async () => {
    const world = await createWorld();
    const { record } = await found(world);
    const { outcome, runs } = await operator(world)('explain', `contacts/${record.id}`);
    expect([outcome.status, runs[0].status]).toEqual(['review', 'review']);
  });

  it.each([
    ['card', false],
    ['terminal', false],
    ['card', true],
    ['terminal', true],
  ] as const)(
    'that is rejected at the %s is a claim, unless it fits what was looked up: %s',
    async (where, fits) => {
      let slug = '';
      const through = withBody((body) => (fits || !slug ? body : body.replaceAll(slug, 'another-page')));
      const world = await createWorld({ through });
      slug = somePerson(world).networkSlug;
      const { record, card, finding } = await found(world);
      const console = operator(world);
      if (where === 'card') await card.ask({ id: 'reject-1', kind: 'reject', ...finding });
      else await console('review', 'reject', `contacts/${record.id}/contradiction`);
      const claim = { why: 'wrong match', operation: 'personProfile', credits: 3 };
      expect(await console('review', 'claims')).toMatchObject(fits ? [] : [claim]);
    },
  );
});

const shadowed = () => createWorld({ policy: { mode: 'shadow' } });

/** The data service's answers, changed on their way. */
const withBody = (change: (body: string) => string) => (send: Send) => async (request: HttpRequest) => {
  const response = await send(request);
  return request.url.startsWith(DATA_SERVICE_URL) ? { ...response, body: change(response.body) } : response;
};

/** Nothing that an app could write to HubSpot. */
const nothingWritten = async (world: World) =>
  expect(await world.portal.appWrites()).toEqual({ recordWrites: 0, propertyWrites: 0 });

describe('a policy in shadow', () => {
  it('asks once and writes nothing at all, whatever happens to the record', async () => {
    const world = await shadowed();
    const record = await contact(world);
    await world.portal.create('contacts', { email: 'nobody.there@unknown-firm.com' });
    await world.portal.create('contacts', { firstname: 'Sam', email: 'sam.of.nowhere@gmail.com' });
    await settled(world, createCompany(world));
    const spent = world.charged();
    expect(spent).toBeGreaterThan(3);
    await world.portal.edit(record, { lifecyclestage: 'lead' });
    await nothingWritten(world);
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(world.charged()).toBe(spent);
    expect(await isDrained(world)).toBe(true);
    const [company, person] = (await undecided(world)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect([company?.kind, person?.record]).toEqual(['proposal', `contacts/${record.id}`]);
    expect(person?.properties).toEqual(expect.arrayContaining(['jobtitle', 'lastname']));
    expect((await world.state(record))?.outcome).toMatchObject({
      kind: 'unchanged',
      reason: { notes: expect.arrayContaining([expect.objectContaining({ code: 'not-written' })]) },
    });
  });

  it('is accepted at no cost, with what people have written meanwhile kept and said', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    const spent = world.charged();
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const [accepted] = await acceptAll(world);
    expect(accepted).toMatchObject({
      result: 'done',
      written: expect.not.arrayContaining(['enrichment_status']),
      kept: [{ property: 'jobtitle', reason: 'person-wrote' }],
    });
    expect(await world.portal.properties(record)).toMatchObject({
      jobtitle: 'Chief of Everything',
      lastname: somePerson(world).lastName,
      enrichment_status: 'enriched',
    });
    expect(world.charged()).toBe(spent);
    expect(await undecided(world)).toEqual([]);
    // It stands in the journal, and its echo is none of a person's.
    expect(await world.services.journal.read(record, 2)).toMatchObject({ outcome: 'enriched' });
    await settleDown(world);
    expect([world.charged(), await undecided(world)]).toEqual([spent, []]);
  });

  it.each([
    [true, ['associatedcompanyid']],
    [false, undefined],
  ])(
    'proposes to associate, and nothing else, where there is such a company: %s',
    async (isThere, proposed) => {
      const never = DEFAULT_FIELDS.contacts.map(({ property }) => [property, { write: 'never' as const }]);
      const fax = { from: 'mobilePhone', convert: 'text', write: 'fill-blank' } as const;
      const fields = { contacts: { ...Object.fromEntries(never), fax } };
      const through = withBody((body) => body.replace(/"mobile_number":"[^"]*"/, '"mobile_number":null'));
      const policy = {
        mode: 'shadow',
        associate: 'existing',
        questions: { wantPhone: true },
        fields,
      } as const;
      const world = await createWorld({ policy, through });
      const [domain = ''] = somePerson(world).job.company.domains;
      const company = isThere ? await world.portal.create('companies', { domain }) : undefined;
      const record = await settledContact(world);
      const line = (await undecided(world)).find((each) => each.record === `contacts/${record.id}`);
      expect(line?.properties).toEqual(proposed);
      expect(await accept(world, [record])).toMatchObject([{ result: isThere ? 'done' : 'refused' }]);
      expect((await world.portal.properties(record))['associatedcompanyid']).toBe(company?.id);
    },
  );

  it('is not written to a record that has become somebody else, and comes up anew for that one', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) });
    expect(await acceptAll(world)).toMatchObject([{ result: 'gone', reason: { code: 'identity-changed' } }]);
    await nothingWritten(world);
    await settleDown(world);
    await acceptAll(world);
    const { lastName } = somePerson(world, 1);
    expect(await world.portal.properties(record)).toMatchObject({ lastname: lastName });
  });

  it('leaves empty on acceptance what somebody has filled and emptied since', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    await world.clock.sleep(HOUR_MS);
    await world.portal.edit(record, { city: 'Rome' });
    await world.portal.edit(record, { city: '' });
    const [accepted] = await acceptAll(world);
    expect(accepted).toMatchObject({ result: 'done', kept: [{ property: 'city', reason: 'cleared' }] });
    expect((await world.portal.properties(record))['city'] ?? '').toBe('');
    expect((await world.state(record))?.ownership).toMatchObject({ city: { filledByOthers: true } });
  });

  it('asks again when the answer is old, and what was rejected comes up only with the new one', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    await world.services.reviews.decide(record, 'proposal', 'rejected');
    await settled(world, world.portal.edit(record, { lifecyclestage: 'lead' }));
    expect(await undecided(world)).toEqual([]);
    expect(await accept(world, [record])).toMatchObject([{ result: 'refused', state: 'rejected' }]);
    await world.clock.sleep(181 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect(await undecided(world)).toHaveLength(1);
    await nothingWritten(world);
  });

  it('is gone where the record is, where the answer is too old, and where its person is forgotten', async () => {
    const world = await shadowed();
    const [deleted, old, forgotten] = [
      await contact(world),
      await contact(world, 1),
      await contact(world, 2),
    ];
    await settleDown(world);
    await world.portal.archive(deleted);
    await forget(world, forgotten);
    // Before the webhook comes.
    expect(await accept(world, [deleted, forgotten])).toMatchObject([
      { record: forgotten, result: 'refused', state: 'none' },
      { record: deleted, result: 'gone', reason: { code: 'gone' } },
    ]);
    await world.clock.sleep(181 * DAY_MS);
    expect(await accept(world, [old])).toMatchObject([
      { result: 'gone', reason: { code: 'answer-not-stored' } },
    ]);
    await nothingWritten(world);
    expect(await isDrained(world)).toBe(true);
  });

  it('leaves a record that became another one’s to that one', async () => {
    const world = await shadowed();
    const [a, b] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    const merged = await world.portal.merge(a, b);
    const results = await accept(world, [a, b]);
    expect(results.map(({ result }) => result)).not.toContain('done');
    await settleDown(world);
    await acceptAll(world);
    expect(await world.portal.properties(merged)).toMatchObject({ enrichment_status: expect.any(String) });
    expect(await undecided(world, 'proposal')).toEqual([]);
  });

  it('of two who decide at once, one does', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    const [accepted, rejected] = await Promise.all([
      accept(world, [record]),
      world.services.reviews.decide(record, 'proposal', 'rejected'),
    ]);
    expect(accepted[0]?.result === 'done').toBe(rejected.kind === 'refused');
    const status = (await world.portal.properties(record))['enrichment_status'];
    expect(status === 'enriched').toBe(accepted[0]?.result === 'done');
  });
});

describe('a policy that comes out of shadow', () => {
  const out = (world: World) => Object.assign(world.policy, policyOf({}));

  it('writes what was proposed, and nothing of it is up for review any more', async () => {
    const world = await shadowed();
    const record = await settledContact(world);
    await applied(world, {});
    expect(await world.portal.properties(record)).toMatchObject({ lastname: somePerson(world).lastName });
    expect(await undecided(world)).toEqual([]);
    expect((await world.state(record))?.hasReview).toBe(false);
  });

  it('leaves what was rejected, whatever happens to the record, until another answer comes', async () => {
    const world = await shadowed();
    const { job } = somePerson(world);
    const record = await settledContact(world);
    await reject(world, record);
    expect((await world.state(record))?.verdicts).toMatchObject([
      { declined: expect.arrayContaining(['jobtitle']) },
    ]);
    const spent = world.charged();
    expect((await applied(world, {})).written).toEqual({ records: 0, values: 0, notices: 0 });
    out(world);
    await settled(world, world.portal.edit(record, { email: job.email ?? '' }));
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    const { jobtitle = '', associatedcompanyid = '' } = await world.portal.properties(record);
    expect([jobtitle, associatedcompanyid]).toEqual(['', '']);
    expect([world.charged(), await isDrained(world)]).toEqual([spent, true]);
    await refreshAfter(world, 181 * DAY_MS);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title });
  });
});

it('a field in shadow is proposed while the others are written, the employer whole', async () => {
  const fields = { contacts: { jobtitle: { shadow: true }, city: { shadow: true } } };
  const { world, record } = await worldWithContact({ policy: { fields } });
  const before = await world.portal.properties(record);
  expect(before).toMatchObject({ lastname: somePerson(world).lastName, enrichment_status: 'enriched' });
  for (const name of ['jobtitle', 'company', 'city']) expect(before[name] ?? '').toBe('');
  expect((await undecided(world))[0]?.properties).toEqual(
    expect.arrayContaining(['jobtitle', 'company', 'city']),
  );
  await acceptAll(world);
  const { job, place } = somePerson(world);
  expect(await world.portal.properties(record)).toMatchObject({
    jobtitle: job.title,
    company: job.company.name,
    city: place.city,
    enrichment_reason: explanationText(
      withNotes(because('matched', { operation: 'personProfile' }), [because('accepted')]),
    ),
  });
});
