import { describe, expect, it } from 'vitest';
import { askerWords } from '#shared/crm';
import { type EnrichmentStatus, JOB_CHANGE_PROPERTIES, STATUS_LABELS } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, utcDay } from '#shared/kernel';
import { because, explanationText } from '#shared/records';
import { requestKind } from '#shared/requests';
import { cardOf, homeOf, verb } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, minutes, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, jobChanger, profileUrlOf, someCompany, somePerson } from '../harness/people.ts';
import { accept, undecided } from '../harness/review.ts';
import {
  liveOn,
  oldContact,
  refreshAfter,
  settleDown,
  settled,
  settledContact,
  verify,
  worldWithContact,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';

const ID = 'card-request-1';

async function enriched(): Promise<{ world: World; record: RecordName }> {
  const { world, record } = await worldWithContact();
  expect((await world.state(record))?.outcome?.kind).toBe('enriched');
  return { world, record };
}

describe("a record's card", () => {
  it('says of a record that nobody has looked at that nothing is known', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    const record = await contact(world);
    const { view } = await cardOf(world, record).show();
    expect(view).toMatchObject({ standing: { kind: 'unknown' }, values: [], runs: [], creditsSpent: 0 });
  });

  it('tells of each value of ours where it came from, when, at which price, and that it is ours', async () => {
    const { world, record } = await enriched();
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'enriched' } });
    const title = view.values.find(({ property }) => property === 'jobtitle');
    expect(title).toMatchObject({ label: 'Job Title', now: 'ours', run: { recordId: record.id, number: 1 } });
    expect(view.runs).toEqual([
      expect.objectContaining({ number: 1, operation: 'personProfile', credits: view.creditsSpent }),
    ]);
    expect(view.creditsSpent).toBe(world.charged());
    const state = await world.state(record);
    expect(view).toMatchObject({ checkedAtMs: state?.answeredAtMs, nextCheckAtMs: state?.staleAtMs });
    expect((view.nextCheckAtMs ?? 0) - (view.checkedAtMs ?? 0)).toBe(180 * DAY_MS);
    expect(view.values.every(({ property }) => !property.startsWith('enrichment_'))).toBe(true);
  });

  it('sees which values are not ours any more', async () => {
    const { world, record } = await enriched();
    await world.portal.edit(record, { jobtitle: 'Chief of Everything', city: '' });
    await world.clock.sleep(365 * DAY_MS);
    const { view } = await cardOf(world, record).show();
    const now = new Map(view.values.map((value) => [value.property, value.now]));
    expect(now.get('jobtitle')).toBe('changed');
    expect(now.get('city')).toBe('empty');
    expect([...now.values()]).toContain('ours');
  });

  it('shows the old and the new value to the person at the card, and stores none with the request', async () => {
    const { world, record } = await enriched();
    const { city = '', jobtitle: ours } = await world.portal.properties(record);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const { view } = await cardOf(world, record).ask({ id: ID, kind: 'quote' });
    const shown = new Map(view.values.map(({ property, before, value }) => [property, [before, value]]));
    expect(shown.get('city')).toEqual(['', city]);
    expect(shown.get('jobtitle')).toEqual([ours, 'Chief of Everything']);
    const stored = await world.services.requests.read(requestKind.key({ request: ID }));
    expect(JSON.stringify(stored)).not.toContain(city);
  });
});

describe('enriching from the card', () => {
  it('quotes a price for nothing, and then costs no more than that', async () => {
    const { world, record } = await oldContact();
    const card = cardOf(world, record);
    const quoted = await card.ask({ id: `${ID}-quote`, kind: 'quote' });
    expect(world.charged()).toBe(0);
    if (quoted.progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(quoted));
    const { quote } = quoted.progress.reply;
    expect(quote.questions).toEqual([{ operation: 'personProfile', credits: quote.credits }]);
    expect(quote.fills).toContain('Job Title');
    expect(quote.fills).not.toContain('LinkedIn URL');
    const shown = await card.ask({ id: ID, kind: 'enrich', maxCredits: quote.credits });
    expect(shown.progress?.standing).toMatchObject({ kind: 'ended', outcome: { kind: 'enriched' } });
    expect(shown.view.values.length).toBeGreaterThan(3);
    expect(world.charged()).toBe(quote.credits);
    await verify(world);
  });

  it('offers a stored answer for free, with exactly the blanks that it then fills', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    await card.ask({ id: `${ID}-undo`, kind: 'undo', run: { recordId: record.id, number: 1 } });
    const blank = await world.portal.properties(record);
    const { progress } = await card.ask({ id: `${ID}-free`, kind: 'quote' });
    if (progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(progress));
    const { credits, fills = [] } = progress.reply.quote;
    const { view } = await card.ask({ id: ID, kind: 'enrich', maxCredits: credits });
    const now = await world.portal.properties(record);
    const filled = view.values.filter(({ property }) => !blank[property] && now[property]);
    expect([credits, fills.toSorted()]).toEqual([0, filled.map(({ label }) => label).sort()]);
    expect(fills.length).toBeGreaterThan(3);
  });

  it('buys nothing where it would cost more than was agreed to', async () => {
    const { world, record } = await oldContact();
    const shown = await cardOf(world, record).ask({ id: ID, kind: 'enrich', maxCredits: 2 });
    expect(shown.progress?.standing).toMatchObject({ outcome: { kind: 'skipped', credits: 0 } });
    expect(world.charged()).toBe(0);
  });

  it('costs no more than was agreed to where a workflow waits, which then has a run of its own', async () => {
    const { world, record } = await oldContact();
    await verb(world, 'enrol', { objectType: 'contacts', ids: [record.id] });
    await world.processes.work();
    await cardOf(world, record).post({ id: ID, kind: 'enrich', maxCredits: 2 });
    await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
    const ends = world.processes.reports.map(({ runOutcome }) => runOutcome);
    expect(ends.slice(-2)).toMatchObject([
      { outcome: 'skipped', credits: 0, reason: { code: 'price-risen', params: { price: 3 } } },
      { outcome: 'enriched', credits: 3 },
    ]);
    const { executions } = await verb<{ executions: object[] }>(world, 'executions');
    expect(executions).toMatchObject([{ outputs: { outcome: 'enriched', credits: '3' } }]);
  });

  it('happens once, however often it is asked for with one id', async () => {
    const { world, record } = await oldContact();
    const card = cardOf(world, record);
    const request = { id: ID, kind: 'enrich', maxCredits: 5 } as const;
    await Promise.all([card.post(request), card.post(request)]);
    await settleDown(world);
    const charged = world.charged();
    await card.ask(request);
    expect((await world.state(record))?.runsOpened).toBe(2);
    expect(world.charged()).toBe(charged);
  });

  it('goes before everything else', async () => {
    const { world, record } = await oldContact();
    await cardOf(world, record).post({ id: ID, kind: 'enrich', maxCredits: 5 });
    expect([world.queues.urgent.size(), world.queues.live.size(), world.queues.bulk.size()]).toEqual([
      1, 0, 0,
    ]);
  });

  it('is not waited for at a record that was merged away', async () => {
    const { world, record } = await oldContact();
    await settled(world, world.portal.merge(await contact(world, 1), record));
    const { progress } = await cardOf(world, record).ask({ id: ID, kind: 'enrich', maxCredits: 5 });
    expect([progress, world.charged()]).toMatchObject([{ standing: { kind: 'merged' } }, 0]);
  });
});

it('a record in review is offered no stored answer that a person has to decide about first', async () => {
  const { world, record } = await worldWithContact({}, { firstname: 'Xanthippe', lastname: 'Quux' });
  expect(await undecided(world, 'contradiction')).toHaveLength(1);
  const { progress } = await cardOf(world, record).ask({ id: ID, kind: 'quote' });
  expect(progress?.reply).toMatchObject({
    kind: 'quoted',
    quote: { questions: [], credits: 0, code: 'undecided-finding' },
  });
});

describe('what a lookup cannot change is not offered', () => {
  it.each([
    ['an answer whose values the record has', {}, 'fresh'],
    ['a miss', { hs_linkedin_url: 'https://www.linkedin.com/in/unheard-of' }, 'stored-no-match'],
  ] as const)('%s', async (_, given, code) => {
    const { world, record } = await worldWithContact({}, given);
    const { progress } = await cardOf(world, record).ask({ id: ID, kind: 'quote' });
    expect(progress?.reply).toMatchObject({ quote: { questions: [], credits: 0, code } });
  });
});

describe('undoing from the card', () => {
  it('brings back the value that the card shows as the old one, also one of an earlier answer', async () => {
    const { world, mover, record } = await moved();
    const card = cardOf(world, record);
    const title = (await card.show()).view.values.find(({ property }) => property === 'jobtitle');
    expect(title).toMatchObject({ before: mover.job.title, value: mover.nextJob.title });
    await card.ask({ id: ID, kind: 'undo', property: 'jobtitle', run: title?.run });
    expect((await world.portal.properties(record))['jobtitle']).toBe(mover.job.title);
  });

  it('leaves the date of the last answer, and is a run of its own with its asker', async () => {
    const { world, record } = await enriched();
    const { checkedAtMs } = (await cardOf(world, record).show()).view;
    await world.clock.sleep(DAY_MS);
    const { view } = await cardOf(world, record, '7').ask({ id: ID, kind: 'undo', property: 'jobtitle' });
    expect(view).toMatchObject({ checkedAtMs, standing: { label: STATUS_LABELS.enriched } });
    expect(view.runs.map(({ number, code, askedBy }) => [number, code, askedBy])).toEqual([
      [1, 'matched', askerWords('user:1001')],
      [2, 'undone', askerWords('user:7')],
    ]);
    const explained = JSON.parse(
      (await openConsole(world)('explain', `contacts/${record.id}`, '--json')) ?? '',
    );
    expect(explained).toMatchObject({ askedBy: 'user:7', outcome: { code: 'undone' } });
  });

  it('takes one value back, or all of a run', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    const one = await card.ask({ id: `${ID}-one`, kind: 'undo', property: 'jobtitle' });
    expect(one.progress?.reply).toEqual({ kind: 'undone', restored: ['jobtitle'], kept: [] });
    expect(one.view.values.map(({ property }) => property)).not.toContain('jobtitle');
    const run = { recordId: record.id, number: 1 };
    const all = await card.ask({ id: `${ID}-all`, kind: 'undo', run });
    expect(all.progress?.reply).toMatchObject({ kind: 'undone' });
    expect(all.view.values).toEqual([]);
    const { hs_linkedin_url } = await world.portal.properties(record);
    expect(hs_linkedin_url).toBe(profileUrlOf(somePerson(world)));
  });

  it('is done once, however often its message comes', async () => {
    const { world, record } = await enriched();
    const card = cardOf(world, record);
    const request = { id: ID, kind: 'undo', property: 'jobtitle' } as const;
    await card.post(request);
    world.queues.urgent.duplicateAll();
    await card.ask(request);
    await world.portal.edit(record, { jobtitle: 'Chief of Everything' });
    const again = await card.ask(request);
    expect(again.progress?.reply).toEqual({ kind: 'undone', restored: ['jobtitle'], kept: [] });
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Chief of Everything' });
  });

  it('is not answered for another record by the same id', async () => {
    const { world, record } = await enriched();
    const other = await settledContact(world, 1);
    const request = { id: ID, kind: 'undo', property: 'jobtitle' } as const;
    await cardOf(world, record).ask(request);
    expect(await cardOf(world, other).post(request)).toMatchObject({ status: 409 });
    expect((await cardOf(world, other).show(ID)).progress).not.toHaveProperty('reply');
  });
});

/** A contact who has changed jobs, after the refresh that wrote the new job. */
async function moved() {
  const world = await createWorld();
  const mover = jobChanger(world, { withinMs: 180 * DAY_MS });
  const url = profileUrlOf(mover);
  const record = await settled(world, world.portal.create('contacts', { hs_linkedin_url: url }));
  await refreshAfter(world, 180 * DAY_MS + HOUR_MS);
  return { world, mover, record };
}

it('a wrong match about a new job takes the job back whole, and the statuses are those of the answer before', async () => {
  const { world, mover, record } = await moved();
  const card = cardOf(world, record);
  const title = (await card.show()).view.values.find(({ property }) => property === 'jobtitle');
  const run = title?.run ?? { recordId: record.id, number: 0 };
  const { view } = await card.ask({ id: ID, kind: 'wrong-match', run });
  const now = await world.portal.properties(record);
  expect(now).toMatchObject({
    jobtitle: mover.job.title,
    enrichment_status: 'enriched',
    enrichment_source: 'personProfile',
    enrichment_next_check_at: utcDay(view.nextCheckAtMs ?? 0),
  });
  for (const name of JOB_CHANGE_PROPERTIES) expect(now[name] ?? '').toBe('');
  expect(view.standing).toMatchObject({ label: STATUS_LABELS.enriched });
});

it('a stored answer that is older than the last one gives the card and HubSpot the same dates', async () => {
  const timeZone = 'Pacific/Kiritimati';
  const world = await createWorld({ policy: { timeZone } });
  await settledContact(world);
  await world.clock.sleep(7 * DAY_MS);
  const email = somePerson(world, 1).job.email ?? '';
  const record = await settled(world, world.portal.create('contacts', { email }));
  const url = profileUrlOf(somePerson(world));
  await settled(world, world.portal.edit(record, { hs_linkedin_url: url }));
  await world.clock.sleep(DAY_MS);
  const card = cardOf(world, record, '1001');
  const [finding] = (await card.show()).view.findings.filter(({ kind }) => kind === 'contradiction');
  const named = { finding: 'contradiction', foundAtMs: finding?.foundAtMs ?? 0 } as const;
  const { view } = await card.ask({ id: ID, kind: 'accept', ...named, confirmsIdentity: true });
  expect(await world.portal.properties(record)).toMatchObject({
    enrichment_source: 'personProfile',
    enrichment_last_at: new Date(view.checkedAtMs ?? 0).toISOString(),
    enrichment_next_check_at: dayOf(view.nextCheckAtMs ?? 0, timeZone),
  });
  const accepted = view.runs.at(-1);
  expect(world.clock.now() - (accepted?.atMs ?? 0)).toBeLessThan(MINUTE_MS);
  expect(accepted).toMatchObject({ askedBy: askerWords('user:1001'), answeredAtMs: view.checkedAtMs });
  expect(accepted?.reason).toContain(explanationText(because('accepted')));
});

it('a record that a paused backfill started waits for it, and is skipped once the backfill is stopped', async () => {
  const world = await oldPortal(6, { policy: { budgets: { perDay: 2 } } });
  const command = operator(world);
  const id = await begun(command, 'contacts');
  await minutes(world, 3);
  await command('backfill', 'pause', id);
  await minutes(world, 3);
  const standings = async () => {
    const shown = await Promise.all(world.people.map((record) => cardOf(world, record).show()));
    return shown.map(({ view }) => view.standing);
  };
  const isWaiting = (standing: { readonly kind: string }) => standing.kind === 'waiting';
  const paused = await standings();
  expect(paused.filter(isWaiting).length).toBeGreaterThan(2);
  expect(paused.find(isWaiting)).toMatchObject({ reason: 'backfill-paused', endsWith: 'backfill-resumed' });
  const waits = await command('explain', `contacts/${world.people[paused.findIndex(isWaiting)]?.id}`);
  expect(waits).toMatchObject({ waiting: { reason: 'backfill-paused', endsWith: 'backfill-resumed' } });
  expect((await homeOf(world).show()).view?.waiting).toEqual([]);
  await command('backfill', 'stop', id, '--yes');
  await minutes(world, 2);
  expect((await standings()).filter(isWaiting)).toEqual([]);
});

it('a wrong match is undone, not written again, and the next question is offered with its price', async () => {
  const through =
    (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      return { ...response, headers: { ...response.headers, 'x-request-id': 'vendor-7' } };
    };
  const world = await createWorld({ through });
  const person = somePerson(world);
  const record = await settledContact(world, 0, { email: person.job.email ?? '' });
  const card = cardOf(world, record);
  const run = { recordId: record.id, number: 1 };
  const marked = await card.ask({ id: `${ID}-wrong`, kind: 'wrong-match', run });
  const reply = marked.progress?.reply;
  if (reply?.kind !== 'undone') throw new Error(JSON.stringify(marked));
  expect(reply.restored).toContain('jobtitle');
  expect(reply.next).toMatchObject({ questions: [{ operation: 'reverseEmail' }] });
  expect(marked.view.values).toEqual([]);
  expect(marked.view.nextCheckAtMs).toBeUndefined();
  const spent = world.charged();
  const claims = await world.services.requests.list({
    partition: requestKind.partition('wrong-matches'),
  });
  expect(claims).toMatchObject([
    {
      wrongMatch: {
        id: record.id,
        operation: 'personProfile',
        credits: spent,
        requestId: 'vendor-7',
      },
    },
  ]);
  await card.ask({ id: `${ID}-again`, kind: 'wrong-match', run });
  expect(
    await world.services.requests.list({ partition: requestKind.partition('wrong-matches') }),
  ).toHaveLength(1);
});

it('a wrong match leaves no date of its person, and no notice to send', async () => {
  const { world, record } = await worldWithContact({
    policy: { privacy: { notice: [{ name: 'all', days: 10 }] } },
  });
  const dates = async () => {
    const now = await world.portal.properties(record);
    return ['first_at', 'notice_due', 'next_check_at'].map((name) => now[`enrichment_${name}`] ?? '');
  };
  expect(await dates()).not.toContain('');
  const run = { recordId: record.id, number: 1 };
  await cardOf(world, record).ask({ id: ID, kind: 'wrong-match', run });
  expect(await dates()).toEqual(['', '', '']);
});

it('a wrong match of which something is up for review is not accepted any more', async () => {
  const fields = { contacts: { jobtitle: { shadow: true } } };
  const { world, record } = await worldWithContact({ policy: { fields } });
  const [proposal] = await undecided(world);
  expect(proposal?.kind).toBe('proposal');
  const run = { recordId: record.id, number: 1 };
  await cardOf(world, record).ask({ id: ID, kind: 'wrong-match', run });
  expect(await undecided(world)).toEqual([]);
  expect(await accept(world, [record])).toMatchObject([{ result: 'refused' }]);
  expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
});

it('what HubSpot shows is fetched only from the addresses that the app may use', async () => {
  const world = await createWorld();
  await expect(verb(world, 'fetch', { url: 'https://elsewhere.example/hubspot/records' })).rejects.toThrow();
});

async function oldCard(options: WorldOptions = {}) {
  const { world, record } = await oldContact(options);
  return { world, card: cardOf(world, record) };
}

type Card = Awaited<ReturnType<typeof oldCard>>['card'];

async function quoteOf(card: Card, id = 'card-quote-1') {
  const { progress } = await card.ask({ id, kind: 'quote' });
  if (progress?.reply?.kind !== 'quoted') throw new Error(JSON.stringify(progress));
  return progress.reply.quote;
}

describe('a quote for a record that cannot be bought now', () => {
  it('offers no purchase while an earlier request for it is in doubt', async () => {
    const { world, card } = await oldCard();
    await world.changeService({ faults: [{ kind: 'reset-after', times: 1 }] });
    await card.ask({ id: 'card-first-1', kind: 'enrich', maxCredits: 3 });
    const quote = await quoteOf(card);
    expect(quote).toMatchObject({ questions: [], credits: 0, code: 'answer-may-come' });
    expect(world.charged()).toBe(3);
  });

  it('names the budget that is used up, and an agreed request then waits for it', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 2 } } });
    expect(await quoteOf(card)).toMatchObject({
      waitsFor: 'budget',
      waits: expect.stringMatching(/ 2 .* 3 /),
    });
    const { progress } = await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    expect(progress?.standing).toMatchObject({
      kind: 'waiting',
      reason: 'budget',
      endsWith: 'larger-budget',
    });
    expect(progress?.standing).not.toHaveProperty('afterMs');
    expect(world.charged()).toBe(0);
  });

  it('names the time at which a budget opens, and so does the card while the request waits', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 4 }, timeZone: 'Europe/Berlin' } });
    const other = cardOf(world, await contact(world, 1));
    await other.ask({ id: 'card-other-1', kind: 'enrich', maxCredits: 3 });
    expect(await quoteOf(card)).toMatchObject({
      waitsFor: 'budget',
      waits: expect.stringContaining('22 Nov 2026, 00:00'),
    });
    const { progress } = await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    const afterMs = Date.UTC(2026, 10, 21, 23);
    expect(progress?.standing).toMatchObject({ kind: 'waiting', endsWith: 'own-turn', afterMs });
    expect(world.charged()).toBe(3);
  });

  it('names no budget for a stored answer, which costs nothing', async () => {
    const { world, card } = await oldCard({ policy: { budgets: { perDay: 3 } } });
    await card.ask({ id: 'card-agreed-1', kind: 'enrich', maxCredits: 3 });
    expect(world.charged()).toBe(3);
    await card.ask({ id: 'card-undo-1', kind: 'undo', property: 'jobtitle' });
    const { questions, credits, waitsFor } = await quoteOf(card);
    expect([questions.map((question) => question.credits), credits, waitsFor]).toEqual([[0], 0, undefined]);
  });

  it('names a stop that the data service caused, and takes no probe of it', async () => {
    const { world, card } = await oldCard();
    const { breakers } = world.services.questions;
    await world.changeService({ faults: [{ kind: 'status', status: 402, times: 1 }] });
    await card.ask({ id: 'card-first-1', kind: 'enrich', maxCredits: 3 });
    const before = await breakers.read();
    expect((await quoteOf(card)).waitsFor).toBe('out-of-credits');
    expect(await breakers.read()).toEqual(before);
  });
});

/** A contact of which a person has said that the answer to its profile is about another person. */
async function wrongContact() {
  const world = await createWorld();
  const record = await settledContact(world, 0, { email: somePerson(world).job.email ?? '' });
  const card = cardOf(world, record);
  const run = { recordId: record.id, number: 1 };
  const { progress } = await card.ask({ id: 'wrong-match-1', kind: 'wrong-match', run });
  if (progress?.reply?.kind !== 'undone') throw new Error(JSON.stringify(progress));
  return { world, record, card, next: progress.reply.next };
}

describe('a person whom a person has rejected for a record', () => {
  it('is named in the price of the next question', async () => {
    const { card, next } = await wrongContact();
    expect(next).toMatchObject({ questions: [{ operation: 'reverseEmail' }], warns: 'may-find-rejected' });
    const quoted = await card.ask({ id: 'wrong-quote-1', kind: 'quote' });
    expect(quoted.progress?.reply).toMatchObject({ quote: { warns: 'may-find-rejected' } });
  });

  it('is not written by another answer, which a person decides about', async () => {
    const { world, record, card } = await wrongContact();
    const before = await world.portal.properties(record);
    await card.ask({ id: 'wrong-enrich-1', kind: 'enrich', maxCredits: 5 });
    const after = await world.portal.properties(record);
    expect(after['jobtitle'] ?? '').toBe(before['jobtitle'] ?? '');
    expect(after).toMatchObject({ enrichment_status: 'review' });
    expect((await world.state(record))?.outcome).toMatchObject({
      kind: 'unmatched',
      status: 'review',
      reason: { code: 'rejected-before' },
    });
    expect(await undecided(world)).toMatchObject([
      { kind: 'contradiction', record: `contacts/${record.id}` },
    ]);
  });

  it('is written once a person accepts such an answer', async () => {
    const { world, record, card } = await wrongContact();
    await card.ask({ id: 'wrong-enrich-1', kind: 'enrich', maxCredits: 5 });
    const { findings } = (await card.show()).view;
    const named = { finding: 'contradiction', foundAtMs: findings[0]?.foundAtMs ?? 0 } as const;
    const accepted = await card.ask({ id: 'wrong-accept-1', kind: 'accept', ...named });
    expect(accepted.progress?.reply).toMatchObject({ code: 'values-written' });
    expect((await world.portal.properties(record))['enrichment_source']).toBe('reverseEmail');
    expect((await card.ask({ id: 'wrong-quote-2', kind: 'quote' })).progress?.reply).not.toHaveProperty(
      'quote.warns',
    );
  });

  it('is not written either where a person rejected a contradiction', async () => {
    const world = await createWorld();
    const url = profileUrlOf(somePerson(world));
    const record = await world.portal.create('contacts', { hs_linkedin_url: url, lastname: 'Quorrwick' });
    await settleDown(world);
    const card = cardOf(world, record);
    const [finding] = (await card.show()).view.findings;
    const named = { finding: 'contradiction', foundAtMs: finding?.foundAtMs ?? 0 } as const;
    await card.ask({ id: 'wrong-reject-1', kind: 'reject', ...named });
    await world.portal.edit(record, {
      lastname: '',
      hs_linkedin_url: '',
      email: somePerson(world).job.email ?? '',
    });
    await settleDown(world);
    await world.clock.sleep(400 * DAY_MS);
    await card.ask({ id: 'wrong-enrich-3', kind: 'enrich', maxCredits: 5 });
    expect((await world.portal.properties(record))['jobtitle'] ?? '').toBe('');
  });

  it('keeps no value of the person in the record', async () => {
    const { world, record } = await wrongContact();
    const { firstName, lastName, networkSlug } = somePerson(world);
    const text = JSON.stringify(await world.state(record));
    for (const value of [firstName, lastName, networkSlug]) expect(text).not.toContain(value);
  });
});

it('a company that a person has rejected is not written by another answer', async () => {
  const world = await createWorld();
  const { domains, networkSlug } = someCompany(world);
  const linkedin_company_page = `https://www.linkedin.com/company/${networkSlug}`;
  const record = await settled(world, world.portal.create('companies', { linkedin_company_page }));
  const card = cardOf(world, record);
  const run = { recordId: record.id, number: 1 };
  await card.ask({ id: 'wrong-match-2', kind: 'wrong-match', run });
  await settled(world, world.portal.edit(record, { domain: domains[0] ?? '' }));
  await world.clock.sleep(400 * DAY_MS);
  await card.ask({ id: 'wrong-enrich-2', kind: 'enrich', maxCredits: 5 });
  expect((await world.portal.properties(record))['description'] ?? '').toBe('');
  expect((await world.state(record))?.outcome?.status).toBe('review');
});

type Made = (world: World) => ReturnType<World['portal']['create']>;

/** Records of each status. The card takes its text from the same record state as `explain` and the spend page. */
const RECORDS: readonly (readonly [status: EnrichmentStatus, made: Made])[] = [
  ['enriched', contact],
  [
    'unmatched',
    (world) => world.portal.create('contacts', { hs_linkedin_url: 'https://www.linkedin.com/in/unheard-of' }),
  ],
  [
    'review',
    (world) =>
      world.portal.create('contacts', {
        email: 'somebody@former-employer.example',
        hs_linkedin_url: profileUrlOf(somePerson(world)),
        hs_additional_emails: 'somebody@third.example',
      }),
  ],
];

describe('HubSpot and the card name the same status', () => {
  it.each(RECORDS)('%s, of record %#', async (status, made) => {
    const world = await createWorld();
    const record = await made(world);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ enrichment_status: status });
    const { view } = await cardOf(world, record).show();
    expect(view.standing).toMatchObject({ kind: 'ended', label: STATUS_LABELS[status] });
  });
});

/** A contact with another name than the answer about its address. */
async function contradicted() {
  const { world, record } = await worldWithContact({}, { firstname: 'Xanthippe', lastname: 'Quux' });
  const card = cardOf(world, record);
  const [found] = (await card.show()).view.findings;
  if (found?.kind !== 'contradiction') throw new Error('The record has no contradiction.');
  const named = { finding: found.kind, foundAtMs: found.foundAtMs } as const;
  return { world, record, card, named };
}

it('shows the values of one record to two users, each for ten minutes, and to none after a privacy deletion', async () => {
  const { world, record, named } = await contradicted();
  const look = { kind: 'preview', ...named } as const;
  const [first, second] = [homeOf(world, { userId: 1001 }), homeOf(world, { userId: 2002 })];
  await cardOf(world, record, '1001').ask({ ...look, id: 'preview-first' });
  await world.clock.sleep(6 * MINUTE_MS);
  await cardOf(world, record, '2002').ask({ ...look, id: 'preview-second' });
  const previewed = await first.reply('preview-first');
  if (previewed?.kind !== 'previewed') throw new Error(JSON.stringify(previewed));
  const { view } = await first.show();
  expect(JSON.stringify([view, world.logs])).not.toContain(previewed.changes[0]?.proposed ?? '');
  expect(await second.reply('preview-second')).toMatchObject({ kind: 'previewed' });
  expect(await second.reply('preview-first')).toBeUndefined();
  await world.clock.sleep(5 * MINUTE_MS);
  expect(await first.reply('preview-first')).toMatchObject({ kind: 'refused' });
  expect(await second.reply('preview-second')).toMatchObject({ kind: 'previewed' });
  await cardOf(world, record, '1001').ask({ ...look, id: 'preview-third' });
  await settled(world, world.portal.erase(record));
  for (const [home, id] of [
    [first, 'preview-third'],
    [second, 'preview-second'],
  ] as const)
    expect(JSON.stringify((await home.reply(id)) ?? {})).not.toContain('proposed');
});

it('shows whose name a contradicting answer has, and accepting it leaves the name of the record', async () => {
  const { world, record, card, named } = await contradicted();
  const { progress } = await card.ask({ id: 'preview-name-1', kind: 'preview', ...named });
  if (progress?.reply?.kind !== 'previewed') throw new Error(JSON.stringify(progress));
  const { changes } = progress.reply;
  const { firstName, lastName } = somePerson(world);
  expect(changes.slice(0, 2)).toEqual([
    { property: 'firstname', label: 'First Name', now: 'Xanthippe', proposed: firstName, isKept: true },
    { property: 'lastname', label: 'Last Name', now: 'Quux', proposed: lastName, isKept: true },
  ]);
  const exported = await openConsole(world)('review', 'export');
  expect(exported).toContain(`Xanthippe Quux. The answer: ${firstName} ${lastName}, `);
  await card.ask({ id: 'accept-name-1', kind: 'accept', ...named, confirmsIdentity: true });
  const after = await world.portal.properties(record);
  expect(after).toMatchObject({ firstname: 'Xanthippe', lastname: 'Quux' });
  for (const { property, now, isKept } of changes)
    if (isKept) expect(after[property] ?? null).toBe(now);
    else expect(after[property] ?? '').not.toBe('');
});

it('shows no value of a record that HubSpot no longer has', async () => {
  const { world, record, card, named } = await contradicted();
  await world.portal.archive(record);
  const { progress } = await card.ask({ id: 'preview-gone-1', kind: 'preview', ...named });
  expect(progress?.reply).toMatchObject({ kind: 'previewed', changes: [] });
});

it('shows for a proposal only the values that accepting writes', async () => {
  const world = await createWorld({ policy: { fields: { contacts: { jobtitle: { shadow: true } } } } });
  const record = await settledContact(world);
  const card = cardOf(world, record);
  const [finding] = (await card.show()).view.findings;
  expect(finding?.kind).toBe('proposal');
  const named = { finding: 'proposal', foundAtMs: finding?.foundAtMs ?? 0 } as const;
  const { progress } = await card.ask({ id: 'preview-offer-1', kind: 'preview', ...named });
  expect(progress?.reply).toMatchObject({ kind: 'previewed' });
  expect(JSON.stringify(progress?.reply)).toContain('jobtitle');
  expect(JSON.stringify(progress?.reply)).not.toContain('isKept');
});
