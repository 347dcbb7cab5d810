import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HomeView } from '#inside/home/schemas.ts';
import type { Send } from '#shared/http';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { carryOut, type RequestServices, requestKind } from '#shared/requests';
import { change } from '#shared/store';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { cardOf, homeOf, type PageRequest } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { begun, oldPortal, operator } from '../harness/old-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { liveOn, settleDown, settledContact, settledRecord, verify } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const viewOf = async (world: World) => (await homeOf(world).show()).view;

describe("the app's home", () => {
  it('shows nothing before the first sweep', async () => {
    expect(await viewOf(await createWorld())).toBeUndefined();
  });

  it('shows spend, budgets and the last charges with their records', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 100, perMonth: 1_000 } } });
    const record = await contact(world);
    const view = await swept(world);
    const { spend, activity, review, waiting } = view;
    expect(spend).toMatchObject({ todayCredits: 3, monthCredits: 3 });
    expect(spend.budgets).toMatchObject([
      { budget: 'total/day', limitCredits: 100, usedCredits: 3, leftCredits: 97 },
      { budget: 'total/month', limitCredits: 1_000, usedCredits: 3 },
    ]);
    expect(activity).toMatchObject([{ record: `contacts#${record.id}`, credits: 3, purpose: 'live' }]);
    expect([view.needs, review.items, waiting]).toEqual([[], [], []]);
  });

  it('lists a finding with its reason and since when, without a value', async () => {
    const world = await createWorld();
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    const view = await swept(world);
    expect(view.review).toMatchObject({
      items: [{ id: record.id, kind: 'contradiction', code: 'other-full-name' }],
      isMore: false,
    });
    expect(JSON.stringify(view)).not.toMatch(/Quux|Xanthippe/);
  });

  it('says of a used-up budget that nothing is bought before a person resumes spending', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
    await settledContact(world);
    await contact(world, 1);
    const byBudget = async () =>
      (await swept(world)).needs.find((need) => need.kind === 'stop' && need.code === 'budget-used-up');
    expect(await byBudget()).toMatchObject({ ends: 'by-itself', untilMs: expect.any(Number) });
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    expect(await byBudget()).toMatchObject({ ends: 'when-resumed' });
  });

  it('leaves a stop in the history after it has ended', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    await swept(world);
    await world.services.questions.breakers.resume();
    await swept(world);
    const today = dayOf(world.clock.now(), world.policy.timeZone);
    expect(await world.services.days.read([today])).toMatchObject([
      { day: today, stops: [{ kind: 'stopped-by-person' }] },
    ]);
  });

  it('says which records wait, why, and until when', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1 } } });
    await contact(world);
    const { waiting } = await swept(world);
    expect(waiting).toMatchObject([
      { purpose: 'live', records: 1, reason: 'queued', sinceMs: expect.any(Number) },
    ]);
  });

  it('lists at most 20 findings, and says that there are others', async () => {
    const world = await createWorld();
    for (let id = 1; id <= 25; id += 1)
      await world.services.reviews.looked({ objectType: 'contacts', id: String(id) }, [
        { kind: 'proposal', reason: { code: 'a-test' }, purpose: 'live' },
      ]);
    const { review } = await swept(world);
    expect([review.items.length, review.isMore]).toEqual([20, true]);
  });

  it('is made anew after five minutes, not with each sweep', async () => {
    const world = await createWorld();
    const { atMs } = await swept(world);
    await world.clock.sleep(MINUTE_MS);
    await world.processes.reconcile();
    expect((await viewOf(world))?.atMs).toBe(atMs);
    await world.clock.sleep(DAY_MS);
    await world.processes.reconcile();
    expect((await viewOf(world))?.atMs).toBeGreaterThan(atMs);
  });
});

it('the figures of the home page are made anew when a person asks, without a sweep', async () => {
  const world = await createWorld();
  const { atMs } = await swept(world);
  await world.clock.sleep(10 * SECOND_MS);
  const reply = await homeOf(world).decide({ id: 'refresh-1', kind: 'refresh-figures' });
  expect(reply).toMatchObject({ code: 'figures-asked' });
  expect((await viewOf(world))?.atMs).toBeGreaterThanOrEqual(atMs + 10 * SECOND_MS);
});

it('the rules of the policy are listed in their order, in words, with their figures of 30 days', async () => {
  const world = await createWorld({
    policy: {
      whom: {
        contacts: [
          { name: 'gone', when: [{ property: 'lifecyclestage', is: 'other' }], enrich: false },
          { name: 'the rest', maxCredits: 3, waitMinutes: 1 },
        ],
      },
    },
  });
  await contact(world);
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
  const { policy } = await swept(world);
  expect(policy.rules).toMatchObject([
    { rule: 'gone', conditions: ['Lifecycle Stage is Other'], isBought: false, figures: { records: 0 } },
    { rule: 'the rest', conditions: [], isBought: true, figures: { records: 1, credits: world.charged() } },
    { objectType: 'companies', figures: { records: 0, credits: 0 } },
  ]);
  expect(policy.all).toMatchObject({ records: 1, matchRate: 1, credits: world.charged() });
});

it('what contacts cost before they had rules counts for no rule of companies', async () => {
  const world = await createWorld();
  await settledContact(world);
  await settledRecord(world, 'companies', { domain: world.dataService.world.companies[3]?.domains[0] ?? '' });
  const credits = (await swept(world)).policy.all.credits;
  world.changePolicy({ whom: { contacts: [{ name: 'all' }] } });
  const { policy } = await swept(world);
  expect(policy.rules).toMatchObject([
    { rule: 'all', figures: { records: 0, credits: 0 } },
    { objectType: 'companies', figures: { records: 1, credits: 1, matchRate: 1 } },
  ]);
  expect(policy.all).toMatchObject({ records: 2, credits });
  expect(credits).toBe(4);
});

async function noticesDue(world: World): Promise<number | undefined> {
  return (await swept(world)).needs.find((need) => need.kind === 'notice')?.due;
}

it('privacy notices on the home page are counted once an hour, and stay on the page while HubSpot fails', async () => {
  const world = await createWorld({ policy: { privacy: { notice: [{ name: 'all', days: 10 }] } } });
  const overdue = () => world.portal.create('contacts', { enrichment_notice_due: '2026-10-01' });
  await overdue();
  expect(await noticesDue(world)).toBe(1);
  await overdue();
  expect(await noticesDue(world)).toBe(1);
  await world.portal.change({ faults: [{ kind: 'status', status: 500, rate: 1 }] });
  await world.clock.sleep(2 * HOUR_MS);
  expect(await noticesDue(world)).toBe(1);
  await world.portal.change({ faults: [] });
  await world.clock.sleep(2 * HOUR_MS);
  expect(await noticesDue(world)).toBe(2);
});

/** Lives on until the sweep has stored the page again. */
async function swept(world: World): Promise<HomeView> {
  await settleDown(world);
  await world.clock.sleep(6 * MINUTE_MS);
  await world.processes.reconcile();
  const { view } = await homeOf(world).show();
  if (!view) throw new Error('The sweep stored no home page.');
  return view;
}

async function command(world: World, ...argv: readonly string[]) {
  return JSON.parse((await openConsole(world)(...argv, '--json')) ?? '');
}

async function imported(world: World, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const email = somePerson(world, index).job.email ?? '';
    await world.portal.create('contacts', { email }, [], { source: 'IMPORT' });
  }
}

function ofWorker({ services, policy, clock, newId }: World): RequestServices {
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return { ...services, policy, clock, newId, logger, installedAtMs: 0 };
}

type Need<K> = Extract<HomeView['needs'][number], { readonly kind: K }>;

function needOf<K extends HomeView['needs'][number]['kind']>(view: HomeView, kind: K): Need<K> {
  const need = view.needs.find((each): each is Need<K> => each.kind === kind);
  if (!need) throw new Error(`The page lists no ${kind}.`);
  return need;
}

describe('stopping and resuming all spending on the home page', () => {
  it('buys nothing until a person resumes it, and says who stopped it', async () => {
    const world = await createWorld();
    const home = homeOf(world);
    expect(await home.decide({ id: 'stop-all-1', kind: 'stop-spending' })).toMatchObject({ kind: 'decided' });
    const record = await settledContact(world);
    expect(world.charged()).toBe(0);
    const view = await swept(world);
    expect(needOf(view, 'stop')).toMatchObject({
      code: 'stopped-by-person',
      what: expect.stringContaining('1001'),
    });
    expect(await home.decide({ id: 'resume-1', kind: 'resume-spending' })).toMatchObject({ kind: 'decided' });
    await world.clock.sleep(6 * MINUTE_MS);
    await world.processes.reconcile();
    await settleDown(world);
    expect((await world.state(record))?.outcome?.kind).toBe('enriched');
    await verify(world);
  });

  it('says so when no person had stopped it', async () => {
    const world = await createWorld();
    expect(await homeOf(world).decide({ id: 'resume-2', kind: 'resume-spending' })).toMatchObject({
      kind: 'refused',
    });
  });

  it('leaves a stop that came after the person had asked to resume', async () => {
    const world = await createWorld();
    const home = homeOf(world);
    await home.decide({ id: 'stop-all-4', kind: 'stop-spending' });
    await home.post({ id: 'resume-4', kind: 'resume-spending' });
    await world.services.questions.breakers.resume();
    await world.clock.sleep(SECOND_MS);
    await world.services.questions.breakers.stop({ reason: 'a second look' });
    await settleDown(world);
    expect(await home.reply('resume-4')).toMatchObject({ kind: 'refused' });
    expect((await world.services.questions.breakers.read()).stopped?.reason).toBe('a second look');
  });

  it('makes the next sweep store the page again', async () => {
    const world = await createWorld();
    const { atMs } = await swept(world);
    await homeOf(world).decide({ id: 'stop-all-2', kind: 'stop-spending' });
    await world.clock.sleep(30 * SECOND_MS);
    await world.processes.reconcile();
    const { view } = await homeOf(world).show();
    expect(view?.atMs).toBeGreaterThan(atMs);
    expect(view?.needs).toMatchObject([{ kind: 'stop', code: 'stopped-by-person' }]);
  });
});

describe('deciding a doubt on the home page', () => {
  async function doubtful(kind: 'reset-after' | 'reset-before' = 'reset-after') {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind, times: 1 }] });
    await settledContact(world);
    await world.changeService({ faults: [] });
    await world.clock.sleep(5 * MINUTE_MS);
    const view = await swept(world);
    const need = needOf(view, 'doubt');
    if (!need.doubt) throw new Error('The doubt has no button.');
    const request = { kind: 'resolve-doubt', ...need.doubt } as const;
    return { world, view, need, request };
  }

  it('books it as charged or not charged, once, and keeps who did it in the ledger', async () => {
    const { world, need, request } = await doubtful();
    expect(need.credits).toBe(3);
    const home = homeOf(world);
    const decided = await home.decide({ ...request, id: 'doubt-decision-1', charged: true });
    expect(decided).toMatchObject({ code: 'doubt-charged', params: { credits: 3 } });
    const again = await home.decide({ ...request, id: 'doubt-decision-2', charged: false });
    expect(again).toMatchObject({ kind: 'refused', code: 'doubt-resolved-already' });
    const entry = await world.services.ledger.newest();
    expect(entry?.totals.lifetime.posted).toBe(3);
    const entries = await world.ledger();
    expect(JSON.stringify(entries)).toContain('user 1001');
  });

  it('leaves a later doubt of the same question alone', async () => {
    const { world, request } = await doubtful();
    const stale = { ...request, reservationId: `${request.questionKey}:1`, charged: false };
    expect(await homeOf(world).decide({ ...stale, id: 'doubt-decision-3' })).toMatchObject({
      kind: 'refused',
    });
    expect((await world.services.ledger.newest())?.totals.lifetime.doubtful).toBe(3);
  });
});

describe('deciding a finding on the home page or the card', () => {
  async function contradicted() {
    const world = await createWorld();
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    const view = await swept(world);
    const item = view.review.items[0];
    if (!item) throw new Error('No finding is listed.');
    const named = { finding: item.kind, foundAtMs: item.sinceMs } as const;
    return {
      world,
      record,
      named,
      card: cardOf(world, record),
      before: await world.portal.properties(record),
    };
  }

  it('writes only the chosen values, at no cost, and declines the others', async () => {
    const { world, record, card, named } = await contradicted();
    const charged = world.charged();
    const { progress } = await card.ask({ id: 'preview-id-2', kind: 'preview', ...named });
    if (progress?.reply?.kind !== 'previewed') throw new Error(JSON.stringify(progress));
    const [chosen, ...others] = progress.reply.changes.filter(({ now }) => now === null || now === '');
    if (!chosen) throw new Error('Accepting fills nothing.');
    const accepted = await card.ask({
      id: 'accept-id-1',
      kind: 'accept',
      ...named,
      properties: [chosen.property],
    });
    expect(accepted.progress?.reply).toMatchObject({ kind: 'decided', params: { values: 1 } });
    const after = await world.portal.properties(record);
    expect(after[chosen.property]).toBe(chosen.proposed);
    expect(others.length).toBeGreaterThan(0);
    for (const { property } of others) expect(after[property] ?? '').toBe('');
    expect(world.charged()).toBe(charged);
    expect(accepted.view.findings).toEqual([]);
    await world.clock.sleep(DAY_MS);
    await settleDown(world);
    const later = await world.portal.properties(record);
    for (const { property } of others) expect(later[property] ?? '').toBe('');
  });

  it('stays open when no chosen value is offered', async () => {
    const { world, record, card, named } = await contradicted();
    const refused = await card.ask({
      id: 'accept-id-4',
      kind: 'accept',
      ...named,
      properties: ['lifecyclestage'],
    });
    expect(refused.progress?.reply).toMatchObject({ kind: 'refused' });
    expect(refused.view.findings).toMatchObject([{ kind: named.finding }]);
    expect((await world.state(record))?.verdicts ?? []).not.toContainEqual(
      expect.objectContaining({ declined: expect.anything() }),
    );
  });

  it('has one true reply, however often its message comes at once', async () => {
    const { world, record, card, named } = await contradicted();
    const request = { id: 'accept-id-5', kind: 'accept', ...named, confirmsIdentity: true } as const;
    await card.post(request);
    const services = ofWorker(world);
    const results = await Promise.all([carryOut(services, request.id), carryOut(services, request.id)]);
    expect(results.filter((result) => typeof result === 'object')).toHaveLength(1);
    await settleDown(world);
    const { reply } = (await card.show(request.id)).progress ?? {};
    expect(reply).toMatchObject({ code: 'values-written', params: { values: expect.any(Number) } });
    expect((await world.portal.properties(record))['jobtitle']).not.toBe('');
  });

  it('rejects it for good, and a stale page decides nothing', async () => {
    const { world, record, card, named, before } = await contradicted();
    const stale = { ...named, foundAtMs: named.foundAtMs - 1 };
    const refused = await card.ask({ id: 'accept-id-2', kind: 'accept', ...stale });
    expect(refused.progress?.reply).toMatchObject({ kind: 'refused' });
    const rejected = await card.ask({ id: 'reject-id-1', kind: 'reject', ...named });
    expect(rejected.progress?.reply).toMatchObject({ kind: 'decided' });
    const second = await card.ask({ id: 'accept-id-3', kind: 'accept', ...named });
    expect(second.progress?.reply).toMatchObject({ kind: 'refused' });
    const after = await world.portal.properties(record);
    expect([after['firstname'], after['lastname']]).toEqual([before['firstname'], before['lastname']]);
  });
});

it.each([
  ['fits the page that was looked up', 'is none', 0],
  ['names another page', 'becomes one', 1],
])(
  'an answer about another person that %s, and is rejected, as a claim for the vendor: %s',
  async (_, __, count) => {
    let slug = '';
    const through =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        return count === 0 || !request.url.startsWith(DATA_SERVICE_URL)
          ? response
          : { ...response, body: response.body.replaceAll(slug, 'another-page') };
      };
    const world = await createWorld({ through });
    slug = somePerson(world).networkSlug;
    const record = await contact(world, 0, { firstname: 'Xanthippe', lastname: 'Quux' });
    const [item] = (await swept(world)).review.items;
    const named = { finding: 'contradiction', foundAtMs: item?.sinceMs ?? 0 } as const;
    await cardOf(world, record).ask({ id: 'reject-id-2', kind: 'reject', ...named });
    const { claims } = await swept(world);
    const claim = { record: `contacts#${record.id}`, operation: 'personProfile', credits: 3 };
    expect(claims).toMatchObject(Array.from({ length: count }, () => claim));
    expect(JSON.stringify(claims)).not.toMatch(/Quux|Xanthippe/);
  },
);

it('the stop in force is on the home page at once, whoever stopped or resumed, and with its last reason', async () => {
  const world = await createWorld();
  const { breakers } = world.services.questions;
  await swept(world);
  const shown = async () =>
    (await viewOf(world))?.needs.map((need) => [need.what, need.kind === 'stop' && need.code, need.sinceMs]);
  const stop = async (reason: string) => {
    const { stopped } = await breakers.stop({ reason });
    return [[expect.stringContaining(reason), 'stopped-by-person', stopped?.sinceMs]];
  };
  const first = await stop('budget review');
  expect(await shown()).toEqual(first);
  await breakers.resume();
  expect(await shown()).toEqual([]);
  await world.clock.sleep(SECOND_MS);
  const second = await stop('invoice');
  expect(await shown()).toEqual(second);
});

describe('a stop because of which leads waited', () => {
  async function suffered() {
    const world = await createWorld({ policy: { budgets: { perDay: 3 } } });
    await settledContact(world);
    const lead = await contact(world, 1);
    await swept(world);
    await world.clock.sleep(HOUR_MS);
    expect((await swept(world)).needs.map(({ kind }) => kind)).toEqual(['stop']);
    await world.clock.sleep(DAY_MS);
    world.changeBudgets({ perDay: 100 });
    // The first sweep admits the lead, and a worker ends its wait.
    await swept(world);
    const past = needOf(await swept(world), 'past-stop');
    const { code, day, toMs } = past;
    return { world, lead, past, request: { kind: 'see-stop', code, day, toMs } as const };
  }

  it('stays on the page until a person has seen it, and the day keeps who did it', async () => {
    const { world, lead, past, request } = await suffered();
    expect(past).toMatchObject({ code: 'budget-used-up', leads: 1 });
    // The lead that was looked up, and the one that waited.
    expect(past).toMatchObject({
      waited: [{ record: `contacts#${lead.id}`, ms: expect.any(Number) }],
      enoughCredits: 6,
    });
    const { outcome } = await operator(world)('explain', `contacts/${lead.id}`);
    const { since, until } = outcome.stopWait;
    expect(past.waited[0]?.ms).toBe(Date.parse(until) - Date.parse(since));
    expect(past.waited[0]?.ms).toBeGreaterThanOrEqual(DAY_MS);
    expect(past.toMs - (past.sinceMs ?? 0)).toBeGreaterThanOrEqual(HOUR_MS);
    await world.clock.sleep(2 * DAY_MS);
    expect(needOf(await swept(world), 'past-stop')).toEqual(past);
    expect(await homeOf(world).decide({ ...request, id: 'see-stop-1' })).toMatchObject({ code: 'stop-seen' });
    expect((await swept(world)).needs).toEqual([]);
    const [stored] = await world.services.days.read([past.day]);
    const seen = { by: 'user:1001', atMs: expect.any(Number) };
    expect(stored?.stops).toMatchObject([{ kind: 'budget-used-up', leads: 1, seen }]);
    expect(await homeOf(world).decide({ ...request, id: 'see-stop-2' })).toMatchObject({ kind: 'refused' });
  });

  it('is not seen if it goes on after the page showed it', async () => {
    const { world, past, request } = await suffered();
    const older = { ...request, toMs: past.toMs - 1 };
    expect(await homeOf(world).decide({ ...older, id: 'see-stop-3' })).toMatchObject({ kind: 'refused' });
    expect(needOf(await swept(world), 'past-stop')).toEqual(past);
  });

  it('is not listed if no lead waited', async () => {
    const world = await createWorld();
    await world.services.questions.breakers.stop({ reason: 'budget review' });
    await swept(world);
    await world.services.questions.breakers.resume();
    expect((await swept(world)).needs).toEqual([]);
  });
});

describe('requests of the home page', () => {
  it('are done once, however often they are sent with one id', async () => {
    const world = await createWorld();
    const home = homeOf(world);
    const request = { id: 'stop-all-3', kind: 'stop-spending' } as const;
    const answers = await Promise.all([home.post(request), home.post(request)]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    await settleDown(world);
    await home.decide({ id: 'resume-3', kind: 'resume-spending' });
    await home.decide(request);
    expect((await world.services.questions.breakers.read()).stopped).toBeUndefined();
  });

  it('are refused when an id comes back with other content', async () => {
    const world = await createWorld();
    const home = homeOf(world);
    await home.post({ id: 'same-id-1', kind: 'stop-spending' });
    expect((await home.post({ id: 'same-id-1', kind: 'resume-spending' })).status).toBe(409);
    const other = homeOf(world, { userId: 2002 });
    expect((await other.post({ id: 'same-id-1', kind: 'stop-spending' })).status).toBe(409);
  });

  it.each([
    ['an unknown kind', { id: 'broken-id-1', kind: 'spend-all' }],
    ['a short id', { id: 'x', kind: 'stop-spending' }],
    ['a start without a price', { id: 'broken-id-2', kind: 'backfill', backfillId: 'a', move: 'start' }],
    [
      'a pause with a price',
      { id: 'broken-id-3', kind: 'backfill', backfillId: 'a', move: 'pause', maxCredits: 1 },
    ],
    ['an endless number', { id: 'broken-id-4', kind: 'admit', purpose: 'import', maxCredits: 1e9 }],
  ])('change nothing with %s', async (_, request) => {
    const world = await createWorld();
    expect((await homeOf(world).post(request as unknown as PageRequest)).status).toBe(400);
    expect(world.queues.urgent.size()).toBe(0);
  });
});

describe('deciding a backfill on the home page', () => {
  const PEOPLE = 12;

  async function quoted() {
    const world = await createWorld({
      agedMs: DAY_MS,
      policy: { budgets: { perDay: 1_000 }, backfill: { trial: 4, trialPerStratum: 4 } },
    });
    for (let index = 0; index < PEOPLE; index += 1) await contact(world, index);
    await settleDown(world);
    const { id } = await command(world, 'backfill', 'quote', '--objects', 'contacts');
    const need = needOf(await swept(world), 'backfill');
    expect(need).toMatchObject({ backfillId: id, moves: ['start', 'stop'] });
    return { world, need, start: { kind: 'backfill', backfillId: id, move: 'start' } as const };
  }

  it('starts the trial, approves the rest, and never costs more than the person saw', async () => {
    const { world, need, start } = await quoted();
    const home = homeOf(world);
    const { maxCredits } = need;
    expect(await home.decide({ ...start, id: 'backfill-1', maxCredits: maxCredits - 1 })).toMatchObject({
      kind: 'refused',
    });
    expect(world.charged()).toBe(0);
    expect(await home.decide({ ...start, id: 'backfill-2', maxCredits })).toMatchObject({ kind: 'decided' });
    expect(await home.decide({ ...start, id: 'backfill-3', maxCredits })).toMatchObject({ kind: 'refused' });
    await liveOn(world, { forMs: 2 * HOUR_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBeLessThanOrEqual(maxCredits);
    const view = await swept(world);
    const approval = needOf(view, 'backfill');
    expect(approval.moves).toEqual(['approve', 'stop']);
    expect(approval.trial).toMatchObject({ matchRate: expect.any(Number), damage: expect.any(Number) });
    expect(approval.examples.length).toBeLessThanOrEqual(5);
    const ofTrial = world.charged();
    const approve = { ...start, move: 'approve' };
    expect(
      await home.decide({ ...approve, id: 'backfill-4', maxCredits: approval.maxCredits - 1 }),
    ).toMatchObject({ kind: 'refused', code: 'backfill-dearer' });
    const { maxCredits: ofRest } = approval;
    expect(await home.decide({ ...approve, id: 'backfill-6', maxCredits: ofRest })).toMatchObject({
      kind: 'decided',
    });
    await liveOn(world, { forMs: 2 * HOUR_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBeGreaterThan(ofTrial);
    expect(world.charged()).toBeLessThanOrEqual(ofTrial + ofRest);
    await verify(world);
  });

  it('pauses a trial for a person, and resumes it', async () => {
    const { world, need, start } = await quoted();
    const home = homeOf(world);
    await home.decide({ ...start, id: 'backfill-7', maxCredits: need.maxCredits });
    const named = { kind: 'backfill', backfillId: start.backfillId } as const;
    expect(await home.decide({ ...named, id: 'backfill-8', move: 'pause' })).toMatchObject({
      kind: 'decided',
    });
    const [paused] = (await swept(world)).backfills;
    expect(paused).toMatchObject({ moves: ['resume', 'stop'], state: 'paused', startedBy: 'User 1001' });
    const charged = world.charged();
    expect(await home.decide({ ...named, id: 'backfill-9', move: 'resume' })).toMatchObject({
      kind: 'decided',
    });
    await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
    expect(world.charged()).toBeGreaterThan(charged);
  });

  it('does not offer a quote whose records a newer backfill has', async () => {
    const { world, start } = await quoted();
    const { id } = await command(world, 'backfill', 'quote', '--objects', 'contacts');
    expect((await swept(world)).needs).toHaveLength(2);
    await command(world, 'backfill', 'run', id, '--yes');
    const { needs, backfills } = await swept(world);
    expect(needs).not.toContainEqual(expect.objectContaining({ backfillId: start.backfillId }));
    expect(backfills).toMatchObject([{ backfillId: id }]);
  });

  it('still offers the quote of one list of ids after a backfill of another list', async () => {
    const { world, start } = await quoted();
    await homeOf(world).decide({ ...start, id: 'backfill-10', move: 'stop' });
    const folder = await mkdtemp(join(tmpdir(), 'ids-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [one, other] = (await world.states()).slice(0, 2).map(({ id }) => id);
    const quote = async (id = '') => {
      const file = join(folder, `${id}.csv`);
      await writeFile(file, `Record ID\n${id}\n`);
      return command(world, 'backfill', 'quote', '--objects', 'contacts', '--ids', file);
    };
    const open = await quote(one);
    await world.clock.sleep(MINUTE_MS);
    const started = await quote(other);
    await command(world, 'backfill', 'run', started.id, '--yes');
    const { needs, backfills } = await swept(world);
    expect(backfills).toMatchObject([{ backfillId: started.id }]);
    expect(needs).toContainEqual(expect.objectContaining({ backfillId: open.id }));
  });

  it('does not offer a quote without records', async () => {
    const world = await createWorld({ agedMs: DAY_MS });
    await command(world, 'backfill', 'quote', '--objects', 'contacts');
    expect((await swept(world)).needs).toEqual([]);
  });

  it('stops it for good', async () => {
    const { world, start } = await quoted();
    const home = homeOf(world);
    const { backfillId } = start;
    expect(await home.decide({ id: 'backfill-5', kind: 'backfill', backfillId, move: 'stop' })).toMatchObject(
      { kind: 'decided' },
    );
    expect((await swept(world)).needs).toEqual([]);
    expect(await home.decide({ ...start, id: 'backfill-6', maxCredits: 1_000 })).toMatchObject({
      kind: 'refused',
    });
  });
});

it('a quote says on the home page in how many days the budgets cover it', async () => {
  const world = await oldPortal(3, { isKnown: () => true });
  await operator(world)('backfill', 'quote', '--objects', 'contacts');
  const daysAt = async (perDay: number) => {
    world.changeBudgets({ perDay });
    await world.clock.sleep(6 * MINUTE_MS);
    await world.processes.reconcile();
    const { view } = await homeOf(world).show();
    return view?.needs.flatMap((need) => (need.kind === 'backfill' ? [need.days] : []));
  };
  expect(await daysAt(1_000)).toEqual([1]);
  expect(await daysAt(1)).toEqual([3]);
  expect(await daysAt(0)).toEqual([undefined]);
});

it('starting records of a backfill is offered until it is paused', async () => {
  const world = await oldPortal(40, { isKnown: () => true, policy: { budgets: { perDay: 20 } } });
  const run = operator(world);
  const id = await begun(run, 'contacts');
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  const offers = async () => (await swept(world)).waiting.flatMap(({ admit }) => admit?.purpose ?? []);
  expect(await offers()).toEqual(['backfill']);
  await run('backfill', 'pause', id);
  expect(await offers()).toEqual([]);
});

it('starting waiting records on the home page is offered where the reserve for leads holds imports back, and costs no more than the person saw', async () => {
  const world = await createWorld({ policy: { budgets: { perDay: 20 } } });
  await imported(world, 40);
  await liveOn(world, { forMs: HOUR_MS, everyMs: MINUTE_MS });
  const before = world.charged();
  const view = await swept(world);
  const line = view.waiting.find(({ admit }) => admit !== undefined);
  if (!line?.admit) throw new Error(JSON.stringify(view.waiting));
  expect(line.admit).toMatchObject({ purpose: 'import' });
  const decided = await homeOf(world).decide({
    id: 'admit-id-1',
    kind: 'admit',
    purpose: 'import',
    maxCredits: 6,
  });
  expect(decided).toMatchObject({ kind: 'decided' });
  // The worker died before its reply: the next one starts no other records.
  const [services, key] = [ofWorker(world), requestKind.key({ request: 'admit-id-1' })];
  await change(services.requests, { ...world, key, kind: 'request' }, (known) => ({
    value: known?.request && {
      request: { ...known.request, reply: undefined, claimedUntilMs: undefined },
    },
  }));
  const queued = async () =>
    (await world.states()).filter((state) => state.waiting?.reason === 'queued').length;
  const waiting = await queued();
  await carryOut(services, 'admit-id-1');
  expect([await queued(), await homeOf(world).reply('admit-id-1')]).toEqual([waiting, decided]);
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
  expect(world.charged() - before).toBeGreaterThan(0);
  expect(world.charged() - before).toBeLessThanOrEqual(6);
  await verify(world);
});

const LISTED = ['1001'];

const PEOPLE = { creditsPerDay: 2, spend: LISTED, decide: LISTED, approve: LISTED, resume: LISTED };

const OTHER = 1002;

/** Contacts from before the installation. They are looked up only if a person asks. */
async function oldContacts(count: number): Promise<World & { readonly contacts: readonly RecordName[] }> {
  const world = await createWorld({ policy: { people: PEOPLE }, agedMs: DAY_MS });
  const contacts: RecordName[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = somePerson(world, index).job.email ?? '';
    contacts.push(await world.portal.create('contacts', { email }));
  }
  await settleDown(world);
  expect(world.charged()).toBe(0);
  return { ...world, contacts };
}

describe('decisions on the home page', () => {
  const DECISIONS: readonly PageRequest[] = [
    { id: 'decision-1', kind: 'resume-spending' },
    { id: 'decision-2', kind: 'backfill', backfillId: 'none', move: 'start', maxCredits: 1 },
    { id: 'decision-3', kind: 'backfill', backfillId: 'none', move: 'resume' },
    { id: 'decision-4', kind: 'admit', purpose: 'import', maxCredits: 1 },
  ];

  it.each(DECISIONS)('$kind needs a listed user, and a refusal names whom to ask', async (decision) => {
    const world = await createWorld({ policy: { people: PEOPLE } });
    const refused = { kind: 'refused', code: 'user-not-listed', params: { users: '1001' } };
    expect(await homeOf(world, { userId: OTHER }).decide(decision)).toMatchObject(refused);
    const allowed = await homeOf(world).decide({ ...decision, id: `${decision.id}-again` });
    expect(allowed).not.toMatchObject({ code: 'user-not-listed' });
  });

  it('is refused to everybody where no user is listed', async () => {
    const world = await createWorld({ policy: { people: {} } });
    await homeOf(world).decide({ id: 'stop-all', kind: 'stop-spending' });
    const resumed = await homeOf(world).decide({ id: 'resume-all', kind: 'resume-spending' });
    expect(resumed).toMatchObject({ code: 'nobody-listed', params: { setting: 'people.resume' } });
    expect((await world.services.questions.breakers.read()).stopped).toBeDefined();
  });

  it('stop spending for every user', async () => {
    const world = await createWorld({ policy: { people: PEOPLE } });
    const stopped = await homeOf(world, { userId: OTHER }).decide({ id: 'stop-all', kind: 'stop-spending' });
    expect(stopped).toMatchObject({ code: 'spending-stopped' });
  });
});

it('decisions on the card accept the identity of another person only for listed users', async () => {
  const world = await oldContacts(1);
  const [record = { objectType: 'contacts', id: '' }] = world.contacts;
  const accept = { kind: 'accept', foundAtMs: 1 } as const;
  const reply = async (user: string, finding: 'contradiction' | 'job-change') => {
    const id = `accept-${user}-${finding}`;
    return (await cardOf(world, record, user).ask({ ...accept, id, finding })).progress?.reply;
  };
  expect(await reply('1002', 'contradiction')).toMatchObject({ code: 'user-not-listed' });
  expect(await reply('1001', 'contradiction')).toMatchObject({ code: 'finding-closed' });
  expect(await reply('1002', 'job-change')).toMatchObject({ code: 'finding-closed' });
});

it('a request above the own limit of a user ends, and leaves the record to everybody else', async () => {
  const world = await oldContacts(5);
  const enrich = (records: readonly RecordName[], user: string) =>
    Promise.all(
      records.map((record) => {
        const id = `enrich-${user}-${record.id}-${world.clock.now()}`;
        return cardOf(world, record, user).post({ id, kind: 'enrich', maxCredits: 9 });
      }),
    ).then(() => settleDown(world));
  await enrich(world.contacts.slice(0, 3), '1002');
  expect(world.charged()).toBe(2);
  const states = await Promise.all(world.contacts.map((record) => world.state(record)));
  const refused = states.slice(0, 3).filter((state) => state?.outcome?.kind !== 'enriched');
  expect(refused.map((state) => state?.outcome)).toMatchObject([
    {
      kind: 'skipped',
      credits: 0,
      reason: { code: 'own-limit', params: { limit: 2, left: 0, opens: expect.stringContaining('00:00') } },
    },
  ]);
  const open = world.contacts.filter((_, index) => states[index]?.outcome?.kind !== 'enriched');
  const [next = { objectType: 'contacts', id: '' }] = open;
  const { progress } = await cardOf(world, next, '1002').ask({ id: 'quote-other', kind: 'quote' });
  expect(progress?.reply).toMatchObject({ quote: { questions: [], code: 'own-limit' } });
  await world.clock.sleep(DAY_MS);
  await world.services.questions.breakers.stop({ reason: 'budget review' });
  await enrich(open, '1002');
  await enrich(open, '1003');
  await world.services.questions.breakers.resume();
  await liveOn(world, { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS });
  expect(world.charged()).toBe(5);
  await verify(world);
});
