import { describe, expect, it } from 'vitest';
import { STATUS_LABELS } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import { changed } from '../harness/changed.ts';
import type { Properties, RecordName } from '../harness/hubspot-portal.ts';
import { operator } from '../harness/old-portal.ts';
import {
  contact,
  createCompany,
  jobChanger,
  profileUrlOf,
  someCompany,
  somePerson,
} from '../harness/people.ts';
import { accept, undecided } from '../harness/review.ts';
import {
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
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const CONTACTS_AGE_MS = 180 * DAY_MS;

/** What is left for later is told of as far as it was seen. */
const isSome = (left: number) => left >= 1 && left <= 2;

/** Lets the clock pass a record's age without anything else happening. */
async function grow(world: World, ms: number): Promise<void> {
  await world.clock.sleep(ms);
  world.wire.forget();
}

describe('the refresh', () => {
  it('asks again for exactly the records that are past their age, and a second run selects none', async () => {
    const world = await createWorld();
    const old = [await contact(world, 0), await createCompany(world, 0)];
    await settleDown(world);
    await world.clock.sleep(60 * DAY_MS);
    const young = [await contact(world, 1), await createCompany(world, 1)];
    await settleDown(world);
    await grow(world, 30 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1, left: 0 });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    await settleDown(world);
    expect(world.wire.questions()).toEqual([expect.stringContaining(someCompany(world, 0).domains[0])]);
    await grow(world, 90 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    const runs = await Promise.all([...old, ...young].map((record) => world.state(record)));
    expect(runs.map((state) => state?.runsOpened)).toEqual([2, 3, 1, 2]);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    expect(await isDrained(world)).toBe(true);
    const byPurpose = (await world.ledger())
      .filter(({ kind }) => kind === 'posted')
      .map(({ purpose }) => purpose);
    expect(byPurpose.filter((purpose) => purpose === 'refresh').length).toBe(4);
  });

  it('writes only what changed, and nothing that a person changed', async () => {
    const world = await createWorld();
    const mover = jobChanger(world, { withinMs: CONTACTS_AGE_MS });
    const properties = { hs_linkedin_url: profileUrlOf(mover) };
    const left = await world.portal.create('contacts', properties);
    const kept = await world.portal.create('contacts', properties);
    const still = await settledContact(world, 0);
    expect(await world.portal.properties(left)).toMatchObject({ jobtitle: mover.job.title });
    await settled(world, world.portal.edit(kept, { jobtitle: 'Chief of Everything' }));
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    expect(await world.portal.properties(left)).toMatchObject({
      jobtitle: mover.nextJob.title,
      company: mover.nextJob.company.name,
      enrichment_status: 'enriched',
    });
    // Two employers are never mixed: beside a person's title the old company stays.
    expect(await world.portal.properties(kept)).toMatchObject({
      jobtitle: 'Chief of Everything',
      company: mover.job.company.name,
      enrichment_status: 'review',
    });
    const written = world.wire.writes().map(({ id, properties }) => [id, Object.keys(properties)]);
    const news = ['last_at', 'credits', 'status', 'next_check_at'].map((name) => `enrichment_${name}`);
    const ofStill = written.find(([id]) => id === still.id)?.[1] ?? [];
    expect([...ofStill].sort()).toEqual(news.sort());
    const ofKept = written.find(([id]) => id === kept.id)?.[1] ?? [];
    expect(ofKept).not.toContain('jobtitle');
    expect(await isDrained(world)).toBe(true);
  });

  it('of companies brings in what has changed after a hundred days, but for what somebody corrected', async () => {
    const world = await createWorld();
    const [grown, corrected] = [await createCompany(world, 0), await createCompany(world, 1)];
    await settleDown(world);
    await world.portal.edit(corrected, { numberofemployees: '7' });
    const [one, other] = [someCompany(world, 0), someCompany(world, 1)];
    // A head count that is still in its range would not be asked for.
    for (const company of [one, other])
      changed(company, { employeeCount: 432_100, sizeLabel: '100001 to 500000' });
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    await grow(world, 100 * DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 2 });
    await settleDown(world);
    expect(await world.portal.properties(grown)).toMatchObject({ numberofemployees: '432100' });
    expect(await world.portal.properties(corrected)).toMatchObject({ numberofemployees: '7' });
    expect(world.wire.writes().filter(({ properties }) => 'numberofemployees' in properties).length).toBe(1);
  });

  it('stays within its budget, however often it runs before the work is done, and goes on the next day', async () => {
    const budgets = { perDay: 1_000, purposes: { refresh: { perDay: 4 } } };
    const world = await createWorld({ policy: { budgets, questions: { wantEmail: false } } });
    for (let index = 0; index < 4; index += 1) await contact(world, index);
    for (let index = 0; index < 2; index += 1) await createCompany(world, index);
    await settleDown(world);
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 4, left: expect.toSatisfy(isSome) });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: expect.toSatisfy(isSome) });
    await settleDown(world);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: expect.toSatisfy(isSome) });
    expect(world.wire.questions().length).toBe(4);
    await world.clock.sleep(DAY_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 2, left: 0 });
    await settleDown(world);
    expect(world.wire.questions().length).toBe(6);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
    const refreshes = (await world.ledger()).filter(({ purpose }) => purpose === 'refresh');
    expect(refreshes.filter(({ kind }) => kind === 'posted').length).toBe(6);
    expect(await isDrained(world)).toBe(true);
  });

  it('does not choose a record for ever that it cannot bring up to date', async () => {
    const world = await createWorld();
    const [gone, optedOut, refused] = [
      await contact(world, 0),
      await contact(world, 1),
      await contact(world, 2),
    ];
    await settleDown(world);
    await world.portal.archive(gone);
    await world.portal.edit(optedOut, { hs_contact_enrichment_opt_out: 'true' });
    const faults = [
      { kind: 'status', status: 400, path: 'batch/update', recordId: refused.id, rate: 1 },
    ] as const;
    await world.portal.change({ faults });
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 3 });
    await settleDown(world);
    const states = await Promise.all([gone, optedOut, refused].map((record) => world.state(record)));
    expect(states.map((state) => state?.outcome?.kind)).toEqual(['skipped', 'skipped', 'unchanged']);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
  });

  it('of a record with nothing left to fill asks nothing, and leaves it enriched', async () => {
    const name = { property: 'name', from: 'name', convert: 'text', write: 'fill-blank' } as const;
    const world = await createWorld({ policy: { fields: { companies: [name] } } });
    const record = await createCompany(world, 0);
    await settleDown(world);
    await grow(world, 90 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect([world.wire.questions(), world.wire.writes()]).toEqual([[], []]);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'unchanged', credits: 0 });
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: 'enriched' });
    expect(await world.processes.refresh()).toMatchObject({ chosen: 0, left: 0 });
  });

  it('loses nothing that it chose when the queue refuses', async () => {
    const { world, record } = await worldWithContact();
    await grow(world, CONTACTS_AGE_MS + HOUR_MS);
    world.queues.bulk.refuse(1);
    await expect(world.processes.refresh()).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
    await liveOn(world, { forMs: 8 * HOUR_MS, everyMs: 15 * MINUTE_MS });
    expect(await world.state(record)).toMatchObject({ runsOpened: 2, creditsSpent: 4 });
    expect(world.queues.bulk.accepted().length).toBe(1);
    expect(await isDrained(world)).toBe(true);
  });
});

const COMPANIES_AGE_MS = 90 * DAY_MS;

/** The day that is so many days after now: `2026-11-21`. */
const dayIn = (world: World, days: number) =>
  new Date(world.clock.now() + days * DAY_MS).toISOString().slice(0, 10);

describe('the order of refreshes', () => {
  it('asks about customers first, as the policy weighs them when the record is read', async () => {
    const budgets = { perDay: 1_000, purposes: { refresh: { perDay: 1 } } };
    const world = await createWorld({ policy: { budgets } });
    const [ordinary, customer, rejected] = [
      await createCompany(world, 0),
      await createCompany(world, 1, { lifecyclestage: 'customer' }),
      await createCompany(world, 2),
    ];
    await settleDown(world);
    expect((await world.state(customer))?.weight).toBe(10);
    expect((await world.state(ordinary))?.weight).toBeUndefined();
    await grow(world, COMPANIES_AGE_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect(world.wire.questions()).toEqual([expect.stringContaining(someCompany(world, 1).domains[0] ?? '')]);
    expect((await world.state(rejected))?.runsOpened).toBe(1);
  });

  it('forgets the weight of a record that no row names any more', async () => {
    const world = await createWorld();
    const record = await createCompany(world, 0, { lifecyclestage: 'customer' });
    await settleDown(world);
    await world.portal.edit(record, {
      lifecyclestage: 'lead',
      domain: someCompany(world, 1).domains[0] ?? '',
    });
    await settleDown(world);
    expect((await world.state(record))?.weight).toBeUndefined();
  });

  it('writes the next check with an answer: its age and the freshness of the policy, and never by itself', async () => {
    const world = await createWorld();
    const record = await createCompany(world, 0);
    await settleDown(world);
    const { enrichment_next_check_at: next } = await world.portal.properties(record);
    expect(next).toBe(dayIn(world, 90));
    await grow(world, 30 * DAY_MS);
    await settled(world, world.portal.edit(record, { city: 'Ghent' }));
    await world.processes.reconcile();
    expect(world.wire.writes()).toEqual([]);
    await grow(world, 60 * DAY_MS + HOUR_MS);
    expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
    await settleDown(world);
    expect((await world.portal.properties(record))['enrichment_next_check_at']).toBe(dayIn(world, 90));
  });

  it('shows no next check of a record that its rule does not refresh, or refreshes no more', async () => {
    const rule = (value: string) => ({
      name: value,
      when: [{ property: 'city', is: value }],
      refresh: false,
    });
    const rules = [rule('Ghent'), { name: 'all' }];
    const world = await createWorld({ policy: { whom: { companies: rules } } });
    const [never, later] = [await createCompany(world, 0, { city: 'Ghent' }), await createCompany(world, 1)];
    await settleDown(world);
    const next = async (record: typeof later) =>
      (await world.portal.properties(record))['enrichment_next_check_at'] ?? '';
    expect([await next(never), await next(later)]).toEqual(['', dayIn(world, 90)]);
    await settled(world, world.portal.edit(later, { city: 'Ghent', enrichment_requested: 'true' }));
    expect(await next(later)).toBe('');
  });
});

const EMPLOYER = ['company', 'website', 'jobtitle', 'start_date', 'hs_seniority'] as const;

type Policy = NonNullable<WorldOptions['policy']>;

type Mover = ReturnType<typeof jobChanger>;

/** A contact of somebody who has changed jobs since it was enriched, before the refresh has seen it. */
async function employed(policy: Policy, more: (mover: Mover) => Properties) {
  const world = await createWorld({ policy });
  const mover = jobChanger(world, { withinMs: CONTACTS_AGE_MS });
  const properties = { hs_linkedin_url: profileUrlOf(mover), ...more(mover) };
  const record = await settledRecord(world, 'contacts', properties);
  const old = await world.portal.properties(record);
  expect(old).toMatchObject({ jobtitle: mover.job.title, enrichment_status: 'enriched' });
  return { world, mover, record, old };
}

async function refreshed(world: World): Promise<void> {
  await world.clock.sleep(CONTACTS_AGE_MS + HOUR_MS);
  world.wire.forget();
  expect(await world.processes.refresh()).toMatchObject({ chosen: 1 });
  await settleDown(world);
  expect(await isDrained(world)).toBe(true);
}

const employerOf = (properties: Properties) =>
  Object.fromEntries(EMPLOYER.map((name) => [name, properties[name] ?? null]));

/** Names of what was written to the record since the last look. */
function written(world: World, { id }: RecordName): string[] {
  return world.wire.writes().flatMap((write) => (write.id === id ? Object.keys(write.properties) : []));
}

const website = ({ company }: Mover['job']) => expect.stringContaining(company.domains[0] ?? '');

describe('a job change', () => {
  it('moves what is ours to the new employer all together, tells workflows, and is undone whole', async () => {
    const { world, mover, record, old } = await employed({}, () => ({}));
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({
      company: mover.nextJob.company.name,
      jobtitle: mover.nextJob.title,
      website: website(mover.nextJob),
      enrichment_previous_company: mover.job.company.name,
      enrichment_previous_title: mover.job.title,
      enrichment_job_changed_at: now['enrichment_last_at'],
      // The address of the old employer is still there, and nobody takes it for a good one.
      email: mover.job.email,
      enrichment_email_outdated: 'true',
    });
    for (const name of ['start_date', 'hs_seniority']) expect(now[name]).not.toBe(old[name]);

    const report = await undo(world, record, { run: 2 });
    expect(report).toMatchObject({ kept: [] });
    const back = await world.portal.properties(record);
    expect(employerOf(back)).toEqual(employerOf(old));
    for (const name of ['job_changed_at', 'previous_company', 'previous_title', 'email_outdated'])
      expect(back[`enrichment_${name}`] ?? '').toBe('');

    // What was brought back is a person's: the next answer changes nothing of it, and is no second job change.
    await refreshed(world);
    expect(employerOf(await world.portal.properties(record))).toEqual(employerOf(old));
    expect(written(world, record)).not.toContain('enrichment_job_changed_at');
  });

  it('is written without what HubSpot refuses of it', async () => {
    const { world, mover, record } = await employed({}, () => ({}));
    const rule = { objectType: 'contact', propertyName: 'enrichment_previous_title' } as const;
    await world.portal.change({ valueRules: [{ ...rule, ruleType: 'MAX_LENGTH', ruleArguments: ['1'] }] });
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({
      company: mover.nextJob.company.name,
      jobtitle: mover.nextJob.title,
      enrichment_previous_company: mover.job.company.name,
      enrichment_status: 'enriched',
    });
    expect(now['enrichment_previous_title'] ?? '').toBe('');
  });

  it('leaves nothing of the old employer that the answer does not know of the new one', async () => {
    const { world, mover, record, old } = await employed({}, () => ({}));
    expect([old['hs_seniority'], old['start_date']]).toEqual([expect.any(String), expect.any(String)]);
    changed(mover.nextJob, { seniority: undefined, isStartKnown: false });
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(employerOf(now)).toEqual({
      company: mover.nextJob.company.name,
      website: website(mover.nextJob),
      jobtitle: mover.nextJob.title,
      start_date: expect.toBeOneOf([null, '']),
      hs_seniority: expect.toBeOneOf([null, '']),
    });
    expect(await undo(world, record, { run: 2 })).toMatchObject({ kept: [] });
    expect(employerOf(await world.portal.properties(record))).toEqual(employerOf(old));
  });

  it('moves a job property that the policy adds with the others: none before a person accepts, then all', async () => {
    const job_function = { from: 'title', convert: 'text', write: 'ours' } as const;
    const policy = { fields: { contacts: { job_function } } };
    const { world, mover, record, old } = await employed(policy, () => ({}));
    expect(old['job_function']).toBe(mover.job.title);
    // A person's company keeps the new employer out.
    await world.portal.edit(record, { company: `${mover.job.company.name} Group` });
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({ job_function: mover.job.title, jobtitle: mover.job.title });
    expect(now).toMatchObject({ enrichment_status: 'review' });
    const accepted = await accept(world, [record], { kind: 'job-change' });
    expect(accepted).toMatchObject([{ result: 'done' }]);
    expect(await undecided(world)).toEqual([]);
    expect(await world.portal.properties(record)).toMatchObject({
      job_function: mover.nextJob.title,
      jobtitle: mover.nextJob.title,
      company: mover.nextJob.company.name,
      enrichment_status: 'enriched',
    });
  });

  it('holds a property back with the job, or not, as its rule says', async () => {
    const title = { from: 'title', convert: 'text', write: 'ours' } as const;
    const fields = {
      contacts: { job_function: { ...title, group: 'none' }, city: { group: 'employer' } },
    } as const;
    const { world, mover, record } = await employed({ fields }, () => ({ city: '' }));
    await world.portal.edit(record, { company: `${mover.job.company.name} Group` });
    await refreshed(world);
    expect(await world.portal.properties(record)).toMatchObject({
      job_function: mover.nextJob.title,
      jobtitle: mover.job.title,
    });
  });

  it('of somebody who gave an address of the old employer is told once, and mixes nothing in', async () => {
    const { world, mover, record, old } = await employed({}, ({ job }) => ({ email: job.email ?? '' }));
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(employerOf(now)).toEqual(employerOf(old));
    expect(now).toMatchObject({
      enrichment_status: 'review',
      enrichment_previous_company: mover.job.company.name,
      email: mover.job.email,
      enrichment_email_outdated: 'true',
    });
    await refreshed(world);
    expect(written(world, record)).not.toContain('enrichment_job_changed_at');
    const later = await world.portal.properties(record);
    expect(later['enrichment_job_changed_at']).toBe(now['enrichment_job_changed_at']);
  });

  it('is followed where the policy follows people, whatever address and company the contact has', async () => {
    const given = ({ job }: Mover) => ({ email: job.email ?? '' });
    const { world, mover, record, old } = await employed({ jobChange: 'follow' }, given);
    const company = await world.portal.create('companies', { domain: mover.job.company.domains[0] });
    await settled(world, world.portal.associate(record, company));
    await refreshAfter(world, CONTACTS_AGE_MS + HOUR_MS);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({
      company: mover.nextJob.company.name,
      jobtitle: mover.nextJob.title,
      enrichment_status: 'enriched',
      enrichment_previous_company: mover.job.company.name,
      email: mover.job.email,
      enrichment_email_outdated: 'true',
    });
    expect(await undo(world, record, { dryRun: true })).toMatchObject({ kept: [] });
    await settled(world, world.portal.edit(record, { email: mover.nextJob.email ?? '' }));
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_email_outdated: 'false' });
    expect(old['company']).toBe(mover.job.company.name);
  });

  it('is none where an address that came with the answer is at another domain, which is not written', async () => {
    const world = await createWorld();
    const { job } = somePerson(world, 3);
    changed(job, { email: (job.email ?? '').replace(/@.*/, '@a-holding.example.com') });
    const record = await settledContact(world, 3);
    await refreshed(world);
    const now = await world.portal.properties(record);
    expect(now).toMatchObject({ company: job.company.name });
    expect(now['email'] ?? '').toBe('');
    expect(now['enrichment_email_outdated'] ?? '').toBe('');
    expect(now['enrichment_status']).not.toBe('review');
  });
});

describe('a job change that a person holds back by a company', () => {
  const held = async () => {
    const { world, mover, record } = await employed({}, () => ({}));
    const company = `${mover.job.company.name} Group`;
    await world.portal.edit(record, { company });
    await refreshed(world);
    const card = cardOf(world, record);
    const foundAtMs = (await card.show()).view.findings[0]?.foundAtMs ?? 0;
    const finding = { finding: 'job-change', foundAtMs } as const;
    return { world, mover, record, company, card, finding };
  };

  it('shows the former and the new job at the card', async () => {
    const { mover, company, card, finding } = await held();
    const { progress } = await card.ask({ id: 'preview-job', kind: 'preview', ...finding });
    const reply = progress?.reply?.kind === 'previewed' ? progress.reply : undefined;
    const { nextJob, job } = mover;
    for (const part of [company, job.title, nextJob.company.name, nextJob.title])
      expect(reply?.says).toContain(part);
    expect(reply?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ property: 'company', now: company, proposed: nextJob.company.name }),
        expect.objectContaining({ property: 'jobtitle', now: job.title, proposed: nextJob.title }),
      ]),
    );
  });

  it('needs no second decision when a person keeps the old job, and is not offered again', async () => {
    const { world, record, company, card, finding } = await held();
    await card.ask({ id: 'keep-old-1', kind: 'reject', ...finding });
    const before = await world.portal.properties(record);
    const { progress } = await card.ask({ id: 'quote-kept-old', kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { questions: [], code: 'fresh' } });
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    const { standing, findings } = (await card.show()).view;
    expect([standing, findings]).toMatchObject([{ label: STATUS_LABELS.enriched }, []]);
    const after = await world.portal.properties(record);
    expect(after).toMatchObject({ enrichment_status: 'enriched', company });
    expect(employerOf(after)).toEqual(employerOf(before));
  });

  it('is written whole when a person accepts one of its values, and is undone whole', async () => {
    const { world, mover, record, company, card, finding } = await held();
    const before = await world.portal.properties(record);
    await card.ask({ id: 'accept-job', kind: 'accept', ...finding, properties: ['company'] });
    expect(await world.portal.properties(record)).toMatchObject({
      company: mover.nextJob.company.name,
      jobtitle: mover.nextJob.title,
      website: website(mover.nextJob),
    });
    const last = (await world.state(record))?.runsOpened ?? 0;
    expect(await undo(world, record, { run: last })).toMatchObject({ kept: [] });
    const back = await world.portal.properties(record);
    expect(employerOf(back)).toEqual(employerOf(before));
    expect(back['company']).toBe(company);
  });

  it('is left when a person rejects it, and its flags go', async () => {
    const { world, record, card, finding } = await held();
    const before = await world.portal.properties(record);
    await card.ask({ id: 'reject-job', kind: 'reject', ...finding });
    const after = await world.portal.properties(record);
    expect(employerOf(after)).toEqual(employerOf(before));
    expect(after).toMatchObject({ enrichment_status: 'enriched', enrichment_source: 'personProfile' });
    for (const name of ['job_changed_at', 'previous_company', 'email_outdated'])
      expect([before[`enrichment_${name}`], after[`enrichment_${name}`] ?? '']).toEqual([
        expect.any(String),
        '',
      ]);
    expect(await claims(world)).toEqual([]);
  });

  it('is a claim, and its flags go, when the answer is about another person', async () => {
    const { world, record, card, finding } = await held();
    const { view, progress } = await card.ask({
      id: 'reject-job',
      kind: 'reject',
      ...finding,
      isOtherPerson: true,
    });
    expect(progress?.reply).toMatchObject({ code: 'finding-undone', params: { values: 4 } });
    const after = await world.portal.properties(record);
    // Values of the first answer are left, and so are its source and the next check.
    expect(after).toMatchObject({
      enrichment_status: 'enriched',
      enrichment_source: 'personProfile',
      enrichment_next_check_at: utcDay(view.nextCheckAtMs ?? 0),
    });
    for (const name of ['job_changed_at', 'previous_company', 'email_outdated'])
      expect(after[`enrichment_${name}`] ?? '').toBe('');
    expect(await claims(world)).toMatchObject([{ why: 'wrong match', credits: 1 }]);
    await settled(world, world.portal.edit(record, { enrichment_requested: 'true' }));
    expect(employerOf(await world.portal.properties(record))).toEqual(employerOf(after));
  });
});

const claims = (world: World) => operator(world)('review', 'claims');

describe('a move from a parent company to its daughter', () => {
  const atFormer = async (jobChange: 'flag' | 'follow', isFamily: boolean) => {
    const { world, mover, record } = await employed({ jobChange }, () => ({}));
    const [domain = '', daughterDomain = ''] = [mover.job, mover.nextJob].map(
      ({ company }) => company.domains[0] ?? '',
    );
    const parent = await world.portal.create('companies', { domain });
    const parentId = isFamily ? { hs_parent_company_id: parent.id } : {};
    await settledRecord(world, 'companies', { domain: daughterDomain, ...parentId });
    await world.clock.sleep(CONTACTS_AGE_MS + HOUR_MS);
    const charged = world.charged();
    await world.processes.refresh();
    await settleDown(world);
    return { told: await world.portal.properties(record), cost: world.charged() - charged };
  };

  it.each(['flag', 'follow'] as const)('is no job change where the policy says %s', async (jobChange) => {
    const { told } = await atFormer(jobChange, true);
    expect(told['enrichment_job_changed_at']).toBeUndefined();
    expect(told['enrichment_email_outdated']).toBeUndefined();
  });

  it('costs no more than a move between strangers, which is one', async () => {
    const { told, cost } = await atFormer('follow', false);
    expect(told['enrichment_job_changed_at']).toBe(told['enrichment_last_at']);
    expect((await atFormer('follow', true)).cost).toBe(cost);
  });
});
