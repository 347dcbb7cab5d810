import { describe, expect, it } from 'vitest';
import { recordKey } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import type { WorkMessage } from '#shared/work-queue';
import type { RecordName } from '../harness/hubspot-portal.ts';
import {
  contact,
  contactByEmail,
  createCompany,
  jobChanger,
  profileUrlOf,
  someCompany,
  somePerson,
} from '../harness/people.ts';
import {
  changeState,
  isDrained,
  liveOn,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  settledRecord,
  undo,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, SERVICE_LATENCY_MS, type World } from '../harness/world.ts';

describe('a new record', () => {
  it('is filled, told of, and booked', async () => {
    const world = await createWorld();
    const person = somePerson(world);
    const contact = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(person) });
    expect(await world.portal.properties(contact)).toMatchObject({
      firstname: person.firstName,
      lastname: person.lastName,
      jobtitle: person.job.title,
      company: person.job.company.name,
      email: person.job.email,
      city: person.place.city,
      enrichment_status: 'enriched',
      enrichment_reason: explanationText(because('matched', { operation: 'personProfile' })),
      enrichment_credits: '3',
      enrichment_source: 'personProfile',
      enrichment_last_at: expect.stringMatching(/^2026-11-21T12:00:/),
    });
    expect((await world.ledger()).map(({ kind, amountCredits }) => [kind, amountCredits])).toEqual([
      ['pending', 3],
      ['posted', 3],
    ]);
    expect(await isDrained(world)).toBe(true);
  });

  it.each(['generic', 'classic'] as const)(
    'ends in the outcome that it deserves, with %s webhooks',
    async (eventStyle) => {
      const world = await createWorld({ hubSpot: { eventStyle } });
      const [byUrl, byEmail, byName, byPhone] = [0, 1, 2, 3].map((index) => somePerson(world, index));
      if (!byUrl || !byEmail || !byName || !byPhone) throw new Error('four people are wanted');
      const [company, other] = [someCompany(world, 3), someCompany(world, 40)];
      const rows = [
        ['contacts', { hs_linkedin_url: profileUrlOf(byUrl) }, 'enriched', 3],
        ['contacts', { email: byEmail.job.email ?? '' }, 'enriched', 1],
        [
          'contacts',
          {
            firstname: byName.firstName,
            lastname: byName.lastName,
            website: byName.job.company.domains[0],
          },
          'enriched',
          3,
        ],
        ['contacts', { email: 'nobody.there@unknown-firm.com' }, 'unmatched', 1],
        ['contacts', { firstname: 'Sam', email: 'sam.of.nowhere@gmail.com' }, 'skipped', 0],
        [
          'contacts',
          { hs_linkedin_url: profileUrlOf(byPhone), firstname: 'Xanthippe', lastname: 'Quux' },
          'unmatched',
          3,
        ],
        ['companies', { domain: company.domains[0] }, 'enriched', 1],
        ['companies', { name: other.name, domain: other.domains[0] }, 'enriched', 1],
        ['companies', { name: 'A name is not enough' }, 'skipped', 0],
      ] as const;
      const created = [];
      for (const [objectType, properties] of rows)
        created.push(await world.portal.create(objectType, properties));
      await settleDown(world, { workers: 2 });
      const states = await Promise.all(created.map((record) => world.state(record)));
      expect(states.map((state) => [state?.outcome?.kind, state?.creditsSpent])).toEqual(
        rows.map(([, , outcome, credits]) => [outcome, credits]),
      );
      const told = await Promise.all(created.map((record) => world.portal.properties(record)));
      expect(told.map(({ enrichment_status }) => enrichment_status)).toEqual(
        rows.map(([, , outcome], index) => (index === 5 ? 'review' : outcome)),
      );
      expect(told[5]).toMatchObject({ firstname: 'Xanthippe', lastname: 'Quux' });
      expect(told[5]).not.toHaveProperty('jobtitle');
      expect(world.charged()).toBe(13);
      expect(await isDrained(world)).toBe(true);
    },
  );

  it('is looked up by the domain of its company in HubSpot where it names none itself', async () => {
    const world = await createWorld({ hubSpot: { associateByEmailDomain: false } });
    const person = somePerson(world);
    const domain = person.job.company.domains[0];
    const company = await world.portal.create('companies', { domain });
    const { firstName: firstname, lastName: lastname } = person;
    const contact = await settledRecord(world, 'contacts', { firstname, lastname }, [company]);
    expect((await world.state(contact))?.outcome).toMatchObject({
      kind: 'enriched',
      reason: because('matched', { operation: 'lookUpPerson' }),
    });
  });
});

it('repetition of one webhook, five times, before, during and after the work, costs one question and one write', async () => {
  const world = await createWorld({ hubSpot: { duplicateRate: 1 } });
  const record = await contact(world);
  await world.portal.redeliver(record);
  await world.portal.sandbox.deliverWebhooks();
  const working = world.processes.work();
  await world.clock.sleep(SERVICE_LATENCY_MS / 2);
  await world.portal.redeliver(record);
  await settleDown(world);
  await working;
  for (let time = 0; time < 2; time += 1) {
    await world.portal.redeliver(record);
    await settleDown(world);
  }
  await world.clock.sleep(60_000);
  await settleDown(world);
  expect(world.wire.questions().length).toBe(1);
  expect(world.wire.writes().length).toBe(1);
  expect((await world.state(record))?.outcomes).toMatchObject({ enriched: 1, unchanged: 0 });
  expect(await isDrained(world)).toBe(true);
});

const spellings = (world: Parameters<typeof somePerson>[0]) => {
  const { networkSlug } = somePerson(world);
  return [
    { hs_linkedin_url: `https://www.linkedin.com/in/${networkSlug}` },
    { hs_linkedin_url: `http://de.linkedin.com/in/${networkSlug.toUpperCase()}/?utm_source=mail` },
  ];
};

it('two contacts of one person with two workers at the same time cost one question', async () => {
  const world = await createWorld();
  const working: Promise<void>[] = [];
  for (const properties of spellings(world)) {
    await world.portal.create('contacts', properties);
    await world.portal.sandbox.deliverWebhooks();
    working.push(world.processes.work());
    await world.clock.sleep(SERVICE_LATENCY_MS / 3);
  }
  await Promise.all(working);
  await settleDown(world);
  expect((await world.states()).map(({ outcome }) => outcome?.kind)).toEqual(['enriched', 'enriched']);
  expect(world.wire.questions().length).toBe(1);
  expect(world.charged()).toBe(3);
  expect(await isDrained(world)).toBe(true);
});

it('asks anew about somebody else when the identity changes while the question is being asked', async () => {
  const world = await createWorld();
  const [first, second] = [somePerson(world, 0), somePerson(world, 1)];
  const contact = await world.portal.create('contacts', { email: first.job.email ?? '' });
  await world.portal.sandbox.deliverWebhooks();
  const working = world.processes.work();
  await world.clock.sleep(SERVICE_LATENCY_MS / 2);
  await settled(world, world.portal.edit(contact, { email: second.job.email ?? '' }));
  await working;
  await world.processes.reconcile();
  await settleDown(world);
  expect(world.wire.questions().length).toBe(2);
  expect(await world.portal.properties(contact)).toMatchObject({
    email: second.job.email,
    lastname: second.lastName,
    jobtitle: second.job.title,
    enrichment_credits: '2',
  });
  // The edit arrived while a worker held the record, so it has a run of its own, which finds nothing to do.
  await world.processes.reconcile();
  await settleDown(world);
  expect(await world.state(contact)).toMatchObject({ runsOpened: 2, creditsSpent: 2 });
  expect(await isDrained(world)).toBe(true);
});

describe('a record that is deleted', () => {
  it('is not asked about, although its work was queued', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
    await settledContact(world, 0);
    const waiting = await settledContact(world, 1);
    expect((await world.state(waiting))?.waiting?.reason).toBe('budget');
    await settled(world, world.portal.archive(waiting));
    expect(await world.state(waiting)).toMatchObject({
      outcome: { kind: 'skipped', reason: { code: 'gone' } },
    });
    expect(await world.state(waiting)).not.toHaveProperty('waiting');
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 6 * HOUR_MS });
    expect(world.charged()).toBe(3);
  });

  it('while it is asked about, and no webhook tells of it, never becomes stale either', async () => {
    const { world, record } = await worldWithContact();
    await world.portal.edit(record, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) });
    await world.portal.sandbox.deliverWebhooks();
    await world.portal.change({ webhookUrl: null });
    const running = world.processes.work();
    await world.clock.sleep(1_000);
    await world.portal.archive(record);
    await running;
    // The second question is booked.
    expect(await world.state(record)).toMatchObject({
      outcome: { reason: { code: 'gone' } },
      creditsSpent: world.charged(),
    });
    expect(world.charged()).toBe(6);
    await world.clock.sleep(400 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0 });
  });
});

it('a record that comes back from the bin is what it was, and is not paid for again', async () => {
  const world = await createWorld();
  const record = await settled(world, contactByEmail(world));
  const [spent, told] = [world.charged(), await world.portal.properties(record)];
  await settled(world, world.portal.archive(record));
  expect((await world.state(record))?.outcome).toMatchObject({ kind: 'skipped' });
  await settled(world, world.portal.restore(record));
  expect(world.charged()).toBe(spent);
  expect(await world.portal.properties(record)).toEqual(told);
  await world.clock.sleep(400 * DAY_MS);
  expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
});

it('somebody who opts out while the question is asked keeps the record as it is, with the reason', async () => {
  const world = await createWorld();
  const record = await contact(world);
  await world.portal.sandbox.deliverWebhooks();
  const running = world.processes.work();
  await world.clock.sleep(1_000);
  await world.portal.edit(record, { hs_contact_enrichment_opt_out: 'true' });
  await running;
  const told = await world.portal.properties(record);
  expect(told['jobtitle']).toBeUndefined();
  expect(told).toMatchObject({ enrichment_status: 'skipped' });
});

it('a merge ends the loser and hands what it knew to the winner, who is paid for once', async () => {
  const world = await createWorld();
  const [winner, loser] = [await contact(world), await contact(world)];
  await settleDown(world);
  const [won, lost] = [await world.state(winner), await world.state(loser)];
  const spent = world.charged();
  const merged = await settled(world, world.portal.merge(winner, loser));
  const state = await world.state(merged);
  expect(state?.mergedFrom).toEqual(expect.arrayContaining([loser.id]));
  expect(state?.creditsSpent).toBe((won?.creditsSpent ?? 0) + (lost?.creditsSpent ?? 0));
  expect(await world.state(loser)).toMatchObject({ mergedInto: merged.id });
  expect(world.charged()).toBe(spent);
  expect(await isDrained(world)).toBe(true);
});

it('a merge hands on how long an answer is fresh, also from a loser with an open run', async () => {
  const { world, record: loser } = await worldWithContact();
  const { staleAtMs, outcome } = (await world.state(loser)) ?? {};
  expect(outcome).toMatchObject({ kind: 'enriched' });
  await world.services.questions.breakers.stop({ reason: 'budget review' });
  await settled(world, world.portal.edit(loser, { hs_linkedin_url: profileUrlOf(somePerson(world, 1)) }));
  expect((await world.state(loser))?.run).toBeDefined();
  const blank = await settledRecord(world, 'contacts', { firstname: 'Nobody' });
  const merged = await settled(world, world.portal.merge(loser, blank));
  expect(await world.state(merged)).toMatchObject({ staleAtMs, outcome });
});

describe('a request by a person in HubSpot', () => {
  it('reaches a record that was there before the installation, and is set back', async () => {
    const { world, record } = await worldWithContact({ agedMs: HOUR_MS });
    expect(world.charged()).toBe(0);
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(await world.portal.properties(record)).toMatchObject({
      enrichment_requested: 'false',
      enrichment_status: 'enriched',
    });
    expect((await world.ledger()).map(({ purpose }) => purpose)).toContain('manual');
  });

  it('waits with its request standing while there is no budget', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1 } } });
    await contact(world, 0, { enrichment_requested: 'true' });
    const second = await settledContact(world, 1, { enrichment_requested: 'true' });
    expect(await world.portal.properties(second)).toMatchObject({ enrichment_requested: 'true' });
  });
});

it('a value that a person has typed back to what we wrote stays, although it is what we wrote last', async () => {
  const world = await createWorld();
  const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
  const record = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(mover) });
  const { jobtitle = '' } = await world.portal.properties(record);
  await world.portal.edit(record, { jobtitle: 'Captain' });
  await world.portal.edit(record, { jobtitle });
  await refreshAfter(world, 181 * DAY_MS);
  expect((await world.portal.properties(record))['jobtitle']).toBe(mover.job.title);
  expect((await world.state(record))?.ownership).toHaveProperty('jobtitle.broughtBack');
});

describe('whose value it is, where the state does not remember', () => {
  async function forgetful(world: World, edit: (record: RecordName) => Promise<void>) {
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const record = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(mover) });
    await edit(record);
    await settleDown(world);
    await changeState(world, record, () => ({ ownership: {} }));
    await refreshAfter(world, 181 * DAY_MS);
    return { title: (await world.portal.properties(record))['jobtitle'], mover };
  }

  it('is read from the history: what our app wrote is ours', async () => {
    const world = await createWorld();
    const { title, mover } = await forgetful(world, async () => undefined);
    expect(title).toBe(mover.nextJob.title);
  });

  it('a person’s stays', async () => {
    const world = await createWorld();
    const { title } = await forgetful(world, (record) => world.portal.edit(record, { jobtitle: 'Captain' }));
    expect(title).toBe('Captain');
  });

  it('everything stays where nobody told which app is ours', async () => {
    const world = await createWorld({ knowsOwnApp: false });
    const { title, mover } = await forgetful(world, async () => undefined);
    expect(title).toBe(mover.job.title);
  });
});

it('a record at which every worker dies is given up in the end, and says so', async () => {
  const world = await createWorld();
  const record = await createCompany(world);
  for (let turn = 0; turn < 30; turn += 1) {
    // SQS delivers the old message again, beside that of the sweep.
    for (let worker = 0; worker < 3; worker += 1)
      world.processes.planForNext({ at: 3, effect: 'none', kind: 'death' });
    await settleDown(world);
    await world.clock.sleep(30 * MINUTE_MS);
    await world.processes.reconcile();
  }
  expect(await world.state(record)).toMatchObject({
    outcome: { kind: 'failed', reason: { code: 'given-up' } },
  });
  expect(world.charged()).toBe(0);
});

it('the audit of runs adds up, once a day, and names the record that does not', async () => {
  const { world, record } = await worldWithContact();
  expect((await world.processes.reconcile()).runs).toMatchObject({ opened: 1, ended: 1, lost: 0 });
  expect((await world.processes.reconcile()).runs).toBeUndefined();
  await changeState(world, record, () => ({ runsOpened: 3 }));
  await world.clock.sleep(DAY_MS);
  expect((await world.processes.reconcile()).runs).toMatchObject({ lost: 2, guilty: [recordKey(record)] });
  expect(world.logs).toContainEqual({ event: 'runs-lost', fields: { recordId: recordKey(record) } });
});

it('a value that fits nowhere is not sent, but counted, and explained in the journal', async () => {
  const rule = { convert: 'number', write: 'fill-blank' } as const;
  const fields = [
    { ...rule, property: 'numberofemployees', from: 'name' },
    { property: 'city', from: 'headquarters/city', convert: 'text', write: 'fill-blank' } as const,
  ];
  const world = await createWorld({ policy: { fields: { companies: fields } } });
  const record = await settled(world, createCompany(world));
  expect((await world.portal.properties(record))['numberofemployees']).toBeUndefined();
  expect(world.logs).toContainEqual({
    event: 'values-dropped',
    fields: { recordId: recordKey(record), counts: { numberofemployees: 1 } },
  });
  const [entry] = await world.services.journal.ofRecord(record, 1);
  expect(entry?.dropped).toMatchObject([{ property: 'numberofemployees', code: 'not-a-number' }]);
});

/** What HubSpot told, in an order of the test's own. */
async function tell(world: World, event: Partial<WorkMessage> & { readonly id: string }): Promise<void> {
  const message = { objectType: 'contacts', purpose: 'live', eventKeys: [`event of ${event.id}`] } as const;
  await world.queues.live.send([{ ...message, ...event }]);
  await world.processes.work();
}

describe('a merge, in whatever order it is told,', () => {
  it('does not make ours what a person typed on one and we wrote on the other', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
    const url = { hs_linkedin_url: profileUrlOf(mover) };
    const typed = await world.portal.create('contacts', { ...url, jobtitle: mover.job.title });
    const written = await settledRecord(world, 'contacts', url);
    const merged = await settled(world, world.portal.merge(typed, written));
    await refreshAfter(world, 181 * DAY_MS);
    expect(await world.portal.properties(merged)).toMatchObject({ jobtitle: mover.job.title });
  });

  it('into a record that a worker holds loses nothing that was known', async () => {
    const world = await createWorld();
    await world.portal.change({ mergeKeepsPrimaryId: true });
    const known = await settledContact(world);
    const winner = await contactByEmail(world, 3);
    const lastWritten = Object.keys((await world.state(known))?.ownership ?? {});
    await world.portal.sandbox.deliverWebhooks();
    const running = world.processes.work();
    await world.clock.sleep(1_000);
    await Promise.all([running, tell(world, { id: winner.id, mergedIds: [known.id] })]);
    expect(Object.keys((await world.state(winner))?.ownership ?? {})).toEqual(
      expect.arrayContaining(lastWritten),
    );
  });

  it('that is told after the one that it led to still reaches the record that remains', async () => {
    const world = await createWorld();
    const [a, b, d] = [await contact(world), await contact(world), await contact(world)];
    await settleDown(world);
    await undo(world, a, { property: 'jobtitle' });
    await world.portal.change({ webhookUrl: null });
    const c = await world.portal.merge(a, b);
    const e = await world.portal.merge(c, d);
    await tell(world, { id: e.id, mergedIds: [c.id, d.id] });
    await tell(world, { id: c.id, eventKeys: ['the earlier one'], mergedIds: [a.id, b.id] });
    expect((await world.state(e))?.ownership).toHaveProperty('jobtitle.broughtBack');
  });

  it('that is told after the privacy deletion of its winner purges the losers too', async () => {
    const world = await createWorld();
    const [a, b] = [await contact(world), await contact(world, 1)];
    await settleDown(world);
    await world.portal.change({ webhookUrl: null });
    const c = await world.portal.merge(a, b);
    await world.portal.erase(c);
    await tell(world, { id: c.id, gone: 'forgotten' });
    await tell(world, { id: c.id, eventKeys: ['the merge'], mergedIds: [a.id, b.id] });
    for (const loser of [a, b]) {
      expect(await world.services.journal.read(loser, 1)).toBeUndefined();
      expect(await world.state(loser)).toMatchObject({ forgottenAtMs: expect.any(Number) });
    }
  });
});
