import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { DAY_MS, HOUR_MS } from '#shared/kernel';
import { forgetPerson } from '#shared/questions';
import { reviewKind } from '#shared/review';
import { openMemoryStore } from '../harness/memory-items.ts';
import { contact, jobChanger, profileUrlOf, somePerson } from '../harness/people.ts';
import { undecided } from '../harness/review.ts';
import { refreshAfter, settleDown } from '../harness/steps.ts';
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
    const { reviews } = world.services;
    expect(JSON.stringify(await reviews.read(record))).not.toContain(somePerson(world).lastName);
    // The same answer is not put up twice, decided or not.
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(await undecided(world)).toEqual(lines);
    await reviews.decide(record, 'contradiction', 'rejected');
    await world.portal.edit(record, { enrichment_requested: 'true' });
    await settleDown(world);
    expect(await undecided(world)).toEqual([]);
    expect((await reviews.read(record))?.findings).toMatchObject([{ state: 'rejected' }]);
  });

  it('is gone when an answer fits, when the record is deleted, and when its person is forgotten', async () => {
    const world = await createWorld();
    const { reviews, forgetting } = world.services;
    const [right, deleted, forgotten] = [await mistaken(world), await mistaken(world), await mistaken(world)];
    await settleDown(world);
    // All three have one profile, which is worth a look too.
    const kindsOf = async () => (await undecided(world)).map(({ record, kind }) => `${record} ${kind}`);
    expect(await kindsOf()).toContain(`contacts/${forgotten.id} contradiction`);
    const { firstName, lastName } = somePerson(world, 1);
    const url = profileUrlOf(somePerson(world, 1));
    await world.portal.edit(right, { firstname: firstName, lastname: lastName, hs_linkedin_url: url });
    await world.portal.archive(deleted);
    await settleDown(world);
    const left = await kindsOf();
    expect(left).not.toContain(`contacts/${right.id} contradiction`);
    expect(left.some((each) => each.includes(`/${deleted.id} `))).toBe(false);
    await forgetPerson(forgetting, await forgetting.forgetRecord(recordKey(forgotten)));
    expect(await reviews.read(forgotten)).toEqual({
      ...{ objectType: 'contacts', id: forgotten.id, findings: [], forgotten: true },
      changedAtMs: world.clock.now(),
    });
    expect(
      await reviews.looked(forgotten, [{ kind: 'proposal', reason: { code: 'x' }, purpose: 'live' }]),
    ).toBe(0);
  });

  it('is a person who is in HubSpot twice, until the two are merged', async () => {
    const world = await createWorld();
    const first = await contact(world);
    await settleDown(world);
    const second = await contact(world);
    await settleDown(world);
    expect(await undecided(world)).toMatchObject([
      { record: `contacts/${second.id}`, kind: 'duplicate', params: { records: [`contacts/${first.id}`] } },
    ]);
    await world.portal.merge(second, first);
    await settleDown(world);
    expect(await undecided(world)).toEqual([]);
  });

  it('is a job change that the policy does not follow', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await world.portal.create('contacts', {
      ...{ hs_linkedin_url: profileUrlOf(mover), email: mover.job.email ?? '' },
    });
    await settleDown(world);
    expect(await undecided(world)).toEqual([]);
    await refreshAfter(world, 180 * DAY_MS + HOUR_MS);
    expect(await undecided(world)).toMatchObject([{ record: `contacts/${record.id}`, kind: 'job-change' }]);
  });

  it('is an association that could not be made', async () => {
    const world = await createWorld();
    const domain = somePerson(world).job.company.domains[0];
    for (let nth = 0; nth < 2; nth += 1) await world.portal.create('companies', { domain });
    await settleDown(world);
    const record = await contact(world);
    await settleDown(world);
    expect(await undecided(world)).toMatchObject([
      { record: `contacts/${record.id}`, kind: 'association', code: 'several-companies' },
    ]);
  });

  it('is an association with a company that the answer does not name, where people are followed', async () => {
    const world = await createWorld({ policy: { jobChange: 'follow' } });
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(mover) });
    const domain = mover.job.company.domains[0];
    await world.portal.associate(record, await world.portal.create('companies', { domain }));
    await settleDown(world);
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
    await contact(world);
    await settleDown(world);
    expect(reads).toEqual([]);
  });
});
