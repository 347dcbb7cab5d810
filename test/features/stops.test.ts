import { describe, expect, it } from 'vitest';
import type { Tell } from '#inside/alerts/alerts.ts';
import { openTell } from '#shared/alerts/adapters';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { isOutOfCredits } from '#shared/questions';
import { because, changeRecord, overruleReserve, statusKind, waitingWords } from '#shared/records';
import { createStandInSend } from '../../infra/local/virtual/stand-in-send.ts';
import { cardOf } from '../harness/at-the-screen.ts';
import { openConsole } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { operator } from '../harness/old-portal.ts';
import { contact, contactByEmail, contactsBy, somePerson } from '../harness/people.ts';
import {
  countEnriched,
  isDrained,
  liveOn,
  reportOf,
  searchWithOverrun,
  settleDown,
  settledContact,
  settledRecord,
} from '../harness/steps.ts';
import { createWorld, type World, type WorldOptions } from '../harness/world.ts';
import { spoilEntry } from '../system/alarms/spoil.ts';

type Service = Parameters<World['changeService']>[0];

const REFUSING: Service = { faults: [{ kind: 'status', status: 401 }] };

it.each([
  ['key-refused', REFUSING],
  ['out-of-credits', { creditBalance: 0 }],
] as const)(
  'the report tells of a stop for as long as it lasts, and who waits for it: %s',
  async (kind, service) => {
    const world = await createWorld();
    expect((await reportOf(world)).stops).toEqual([]);
    await world.changeService(service);
    const begunMs = world.clock.now();
    for (const index of [0, 1, 2]) await contact(world, index);
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    const { stops, generatedAtMs } = await reportOf(world);
    expect(stops).toEqual([expect.objectContaining({ kind, records: 3, isMore: false })]);
    const [{ sinceMs = 0, untilMs = 0 } = {}] = stops;
    expect(sinceMs - begunMs).toBeLessThan(MINUTE_MS);
    expect(untilMs).toBeGreaterThan(generatedAtMs);
    await world.changeService({ creditBalance: 1_000, faults: [] });
    await liveOn(world, { forMs: 2 * HOUR_MS });
    const after = await reportOf(world);
    expect(after.stops).toEqual([]);
    expect(after).toMatchObject({ isEmpty: false });
  },
);

it('a search that delivers more than its page is booked as charged and stops all questions for a while', async () => {
  const world = await createWorld();
  const found = await searchWithOverrun(world);
  expect(found).toMatchObject({ kind: 'found', credits: 4 });
  expect((await world.services.ledger.newest())?.totals.lifetime.posted).toBe(world.charged());
  await contact(world, 0);
  await liveOn(world, { forMs: 20 * MINUTE_MS });
  const { stops } = await reportOf(world);
  expect(stops).toEqual([expect.objectContaining({ kind: 'charges-above-list', records: 1 })]);
  expect(world.wire.questions()).toHaveLength(1);
  await liveOn(world, { forMs: 2 * HOUR_MS });
  expect((await reportOf(world)).stops).toEqual([]);
  expect(world.wire.questions()).toHaveLength(2);
});

it('a person stops spending: stored answers are still used, nothing is bought, and resume goes on', async () => {
  const world = await createWorld();
  const first = await contact(world, 0);
  await liveOn(world, { forMs: 10 * MINUTE_MS });
  const { breakers } = world.services.questions;
  await breakers.stop({ reason: 'budget review', by: 'sales operations' });
  const others = [await contact(world, 0), await contact(world, 1)];
  await liveOn(world, { forMs: 6 * HOUR_MS, everyMs: 10 * MINUTE_MS });
  expect(world.wire.questions()).toHaveLength(1);
  const outcomes = async () =>
    Promise.all([first, ...others].map(async (one) => (await world.state(one))?.outcome?.kind));
  expect(await outcomes()).toEqual(['enriched', 'enriched', undefined]);
  const { stops } = await reportOf(world);
  const params = { reason: 'budget review', by: 'sales operations' };
  expect(stops).toEqual([expect.objectContaining({ kind: 'stopped-by-person', params, records: 1 })]);
  expect(await openConsole(world)('budgets')).toContain(params.reason);
  await breakers.resume();
  expect(await openConsole(world)('budgets')).not.toContain(params.reason);
  await liveOn(world, { forMs: 10 * MINUTE_MS });
  expect(await outcomes()).toEqual(['enriched', 'enriched', 'enriched']);
  expect((await reportOf(world)).stops).toEqual([]);
});

it('a worker that waits for the rate while a person stops spending sends nothing', async () => {
  const world = await createWorld({ dataService: { rateLimitPerMinute: 1, rateAlgorithm: 'sliding' } });
  const { breakers } = world.services.questions;
  await contact(world, 0);
  await liveOn(world, { forMs: MINUTE_MS });
  const sent = world.wire.questions().length;
  await contact(world, 1);
  await contact(world, 2);
  await breakers.stop({ reason: 'budget review' });
  await liveOn(world, { forMs: HOUR_MS });
  expect(world.wire.questions()).toHaveLength(sent);
});

const URL_OF_CHAT = 'https://hooks.slack.com/services/T0/B0/a-secret-part';

/** A world with a chat behind a webhook, which answers as it is told to. */
async function withChat(options: WorldOptions = {}) {
  const chat = { answer: async (): Promise<Response> => new Response('ok'), said: [] as string[], posts: 0 };
  let webhook: Tell | undefined;
  const world = await createWorld({ ...options, tell: async (text) => webhook?.(text) });
  const handle = async (request: Request) => {
    chat.posts += 1;
    const { text } = (await request.json()) as { text: string };
    const response = await chat.answer();
    if (response.ok) chat.said.push(...text.split('\n'));
    return response;
  };
  const send = createStandInSend({ clock: world.clock, hosts: { 'hooks.slack.com': handle } });
  webhook = openTell({ webhookUrl: URL_OF_CHAT, send, logger: world.logger });
  return { world, chat };
}

/** Codes and figures of all alerts that were sent, oldest first. */
function sentIn({ logs }: World): unknown[] {
  return logs.flatMap(({ event, fields }) => (event === 'alert-sent' ? [fields] : []));
}

let asked = 0;

/** Books credits as charged. */
async function use(
  { services: { ledger } }: World,
  amountCredits: number,
  purpose: 'live' | 'refresh' = 'live',
) {
  const reservationId = `question-${++asked}:1`;
  const about = { reservationId, questionKey: 'q', operation: 'personProfile', purpose, amountCredits };
  await ledger.apply({ kind: 'reserve', ...about });
  await ledger.apply({ kind: 'post', reservationId, amountCredits, reason: 'match' });
}

async function sweeps({ processes }: World, count: number) {
  for (let index = 0; index < count; index += 1) await processes.reconcile();
}

describe('a lead whose price is above what the budget has left', () => {
  const waiting = async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 4 } } });
    await settledContact(world);
    const sinceMs = world.clock.now();
    const record = await settledContact(world, 1);
    await liveOn(world, { forMs: HOUR_MS });
    const console = operator(world);
    const shown = async () => ({
      explained: (await console('explain', `contacts/${record.id}`)).waiting,
      standing: (await cardOf(world, record).show()).view.standing,
    });
    return { world, sinceMs, untilMs: Date.UTC(2026, 10, 22), shown };
  };
  const isoTime = (ms: number) => new Date(ms).toISOString();

  it('waits for a stop with its cause, its begin and its end, at the record too', async () => {
    const { world, sinceMs, untilMs, shown } = await waiting();
    const stop = { kind: 'budget-used-up', params: { budget: 'total/day' }, records: 1, untilMs };
    const { stops, waiting: summary } = await reportOf(world);
    expect(stops).toMatchObject([{ ...stop, sinceMs: summary?.inTurn[0]?.oldestMs }]);
    expect(stops[0]?.sinceMs).toBeGreaterThanOrEqual(sinceMs);
    const { explained, standing } = await shown();
    const since = { since: isoTime(stops[0]?.sinceMs ?? 0), until: isoTime(untilMs) };
    expect(explained).toMatchObject({ reason: 'budget', ...since });
    expect(standing).toMatchObject({ reason: 'budget', sinceMs: stops[0]?.sinceMs, afterMs: untilMs });
  });

  it('names no time in the past while no worker and no sweep runs', async () => {
    const { world, shown } = await waiting();
    await world.clock.sleep(5 * DAY_MS);
    const { explained, standing } = await shown();
    expect([explained.endsWith, explained.until]).toEqual(['own-turn', undefined]);
    expect(standing).toMatchObject({ endsWith: 'own-turn' });
    expect(standing).not.toHaveProperty('afterMs');
    const { stops } = await reportOf(world);
    for (const { untilMs = Infinity } of stops) expect(untilMs).toBeGreaterThan(world.clock.now());
  });
});

describe('a budget', () => {
  it('is told at 50, 80 and 100% once each, however many sweeps there are, and two at once', async () => {
    const { world, chat } = await withChat({ policy: { budgets: { perDay: 200 } } });
    await use(world, 99);
    await sweeps(world, 3);
    expect(chat.said).toEqual([]);
    const marks = [
      [1, { code: 'budget-mark', mark: 50, usedCredits: 100, limitCredits: 200, leftCredits: 100 }],
      [60, { code: 'budget-mark', mark: 80, usedCredits: 160, limitCredits: 200, leftCredits: 40 }],
      [40, { code: 'budget-used-up', usedCredits: 200, limitCredits: 200, leftCredits: 0 }],
    ] as const;
    for (const [credits, alert] of marks) {
      await use(world, credits);
      chat.said.length = 0;
      await Promise.all([world.processes.reconcile(), world.processes.reconcile()]);
      await sweeps(world, 6);
      expect(chat.said).toEqual([expect.stringMatching(/^crm-enrichment: /)]);
      expect(sentIn(world).at(-1)).toMatchObject({ budget: 'total/day', ...alert });
    }
    expect(chat.posts).toBe(3);
    expect(world.violations).toEqual([]);
  });

  it('that falls below a mark and reaches it again is not told again', async () => {
    const { world, chat } = await withChat({ policy: { budgets: { perDay: 200 } } });
    const { ledger } = world.services;
    await use(world, 99);
    for (const reservationId of ['a:1', 'b:1']) {
      const about = {
        questionKey: 'q',
        operation: 'personProfile',
        purpose: 'live',
        amountCredits: 3,
      } as const;
      await ledger.apply({ kind: 'reserve', reservationId, ...about });
      await sweeps(world, 1);
      await ledger.apply({ kind: 'void', reservationId, reason: 'not-sent' });
      await sweeps(world, 1);
    }
    expect(chat.said).toHaveLength(1);
    expect(sentIn(world)).toMatchObject([{ code: 'budget-mark', mark: 50 }]);
  });

  it('is told anew in the next period, and each for itself', async () => {
    const budgets = { perDay: 100, perMonth: 10_000, purposes: { refresh: { perDay: 20 } } };
    const { world, chat } = await withChat({ policy: { budgets } });
    for (let day = 0; day < 2; day += 1) {
      await use(world, 10, 'refresh');
      await use(world, 45);
      await sweeps(world, 2);
      await world.clock.sleep(DAY_MS);
    }
    expect(chat.said).toHaveLength(4);
    const [all, refresh] = [{ budget: 'total/day' }, { budget: 'refresh/day' }];
    expect(sentIn(world)).toMatchObject([all, refresh, all, refresh]);
  });
});

it.each([
  ['refuses', async () => new Response('no_team', { status: 404 })],
  ['is broken', async () => new Response('', { status: 500 })],
  [
    'redirects',
    async () => new Response('', { status: 302, headers: { location: 'http://169.254.169.254/' } }),
  ],
  ['hangs', () => new Promise<Response>(() => undefined)],
])(
  'a webhook that fails because it %s is tried again by the next sweep, which it neither fails nor holds up',
  async (_, answer) => {
    const { world, chat } = await withChat({ policy: { budgets: { perDay: 200 } } });
    const well = chat.answer;
    await use(world, 100);
    chat.answer = answer;
    const startedMs = world.clock.now();
    await sweeps(world, 3);
    expect(world.clock.now() - startedMs).toBeLessThan(3 * 3_000 + 1_000);
    expect([chat.posts, chat.said]).toEqual([3, []]);
    chat.answer = well;
    await sweeps(world, 3);
    expect(chat.said).toHaveLength(1);
    expect(sentIn(world)).toMatchObject([{ code: 'budget-mark', mark: 50 }]);
    const log = JSON.stringify(world.logs);
    expect(log).toContain('alerts-failed');
    expect(log).not.toMatch(/slack|secret-part/);
  },
);

describe('what stops', () => {
  it('is told once, and once more when it is over', async () => {
    const { world, chat } = await withChat();
    await world.changeService({ faults: [{ kind: 'status', status: 401 }] });
    await settledContact(world, 0);
    await liveOn(world, { forMs: HOUR_MS });
    const stop = 'key-refused';
    expect(sentIn(world)).toMatchObject([{ code: 'stopped', stop }]);
    await world.changeService({ faults: [] });
    await liveOn(world, { forMs: HOUR_MS });
    expect(sentIn(world)).toMatchObject([
      { code: 'stopped', stop },
      { code: 'stop-ended', stop },
    ]);
    expect(chat.said.every((line) => line.startsWith('crm-enrichment: '))).toBe(true);
    expect(chat.said).toHaveLength(2);
  });

  it('is told of what HubSpot refuses, by kind of record', async () => {
    const { world, chat } = await withChat();
    const when = { property: 'lifecyclestage', values: ['lead'] };
    await world.portal.change({ writeRules: [{ objectType: 'contact', requires: 'fax', when }] });
    for (let index = 0; index < 4; index += 1) await contact(world, index, { lifecyclestage: 'lead' });
    await settleDown(world);
    await sweeps(world, 2);
    const stop = 'writes-refused contacts';
    expect(sentIn(world)).toMatchObject([{ code: 'stopped', stop }]);
    expect(chat.said).toHaveLength(1);
    await world.portal.change({ writeRules: [] });
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(sentIn(world).at(-1)).toMatchObject({ code: 'stop-ended', stop });
  });

  it.each([
    [503, 'HUBSPOT_UNAVAILABLE'],
    [401, 'HUBSPOT_UNAUTHORIZED'],
    [488, 'HUBSPOT_WRONG_DATA_CENTRE'],
  ] as const)(
    'is told of a HubSpot that answers %i to everything for more than five minutes, and of its end',
    async (status, reason) => {
      const { world, chat } = await withChat();
      await world.portal.change({ faults: [{ kind: 'status', status, rate: 1 }] });
      for (const index of [0, 1, 2]) await contact(world, index);
      await liveOn(world, { forMs: 4 * MINUTE_MS, everyMs: MINUTE_MS });
      expect(chat.said).toEqual([]);
      await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: 3 * MINUTE_MS });
      const stop = 'hubspot-unavailable';
      const { why: what, toDo } = waitingWords(reason, 'crm-enrichment');
      expect(sentIn(world)).toEqual([{ code: 'stopped', stop, what, toDo }]);
      await world.portal.change({ faults: [] });
      await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: 3 * MINUTE_MS });
      expect(sentIn(world).slice(1)).toEqual([{ code: 'stop-ended', stop, what }]);
      expect(chat.said).toHaveLength(2);
    },
  );

  it('is told of a ledger that does not hold, and of its end', async () => {
    const { world, chat } = await withChat();
    await contact(world, 0);
    await liveOn(world, { forMs: 2 * MINUTE_MS, everyMs: MINUTE_MS });
    const putBack = await spoilEntry(world);
    await liveOn(world, { forMs: HOUR_MS });
    const stop = 'ledger-broken';
    expect(sentIn(world)).toMatchObject([{ code: 'stopped', stop }]);
    expect(chat.said).toEqual([expect.stringContaining('ledger verify --stack crm-enrichment')]);
    putBack();
    await sweeps(world, 3);
    expect(sentIn(world).slice(1)).toMatchObject([{ code: 'stop-ended', stop }]);
  });
});

it('doubts are told together, and only those that are new', async () => {
  const { world, chat } = await withChat();
  const doubt = async (credits: number) => {
    const reservationId = `question-${++asked}:1`;
    const about = { reservationId, questionKey: 'q', operation: 'personProfile', purpose: 'live' } as const;
    await world.services.ledger.apply({ kind: 'reserve', ...about, amountCredits: credits });
    await world.services.ledger.apply({ kind: 'doubt', reservationId, reason: 'no-answer' });
  };
  await doubt(3);
  await doubt(1);
  await sweeps(world, 2);
  expect(sentIn(world)).toEqual([{ code: 'doubts', requests: 2, credits: 4 }]);
  expect(chat.said).toEqual([expect.stringContaining('doubts list --stack crm-enrichment')]);
  await doubt(6);
  await sweeps(world, 2);
  expect(sentIn(world).slice(1)).toEqual([{ code: 'doubts', requests: 1, credits: 6 }]);
});

it('nothing is read or told where no webhook is set', async () => {
  const world = await createWorld({ policy: { budgets: { perDay: 200 } } });
  await use(world, 200);
  await sweeps(world, 2);
  expect(await world.items(statusKind).read(statusKind.key('alerts'))).toBeUndefined();
});

async function byEmail(world: World, count: number) {
  const made = [];
  for (let index = 0; index < count; index += 1) made.push(await contactByEmail(world, index));
  return made;
}

async function waiting(world: World): Promise<string[]> {
  return (await world.states()).flatMap((state) => state.waiting?.reason ?? []);
}

/** Every record ended in one run, asked and charged once. */
async function expectAllEnriched(world: World, count: number): Promise<void> {
  const states = await world.states();
  expect(states.map(({ outcomes }) => outcomes.enriched)).toEqual(Array.from({ length: count }, () => 1));
  expect(states.every(({ runsOpened }) => runsOpened === 1)).toBe(true);
  expect(world.charged()).toBe(count);
  expect(await isDrained(world)).toBe(true);
}

it('a message that comes again opens no second run, and asks HubSpot nothing', async () => {
  const world = await createWorld();
  const made = await byEmail(world, 2);
  await settleDown(world);
  world.wire.forget();
  await world.queues.live.send(made.map((record) => ({ ...record, purpose: 'live', eventKeys: [] })));
  await settleDown(world);
  await expectAllEnriched(world, 2);
  expect(world.wire.hubSpotRequests()).toEqual([]);
});

describe('deferred records are queued again when they are due, and end in an outcome', () => {
  it('after the address of the data service: another server’s 404 is no answer, and no charge', async () => {
    const world = await createWorld();
    const page = '<html><h1>404 Not Found</h1><hr>nginx</html>';
    await world.changeService({ faults: [{ kind: 'status', status: 404, body: page }] });
    const [record] = await byEmail(world, 2);
    await settleDown(world);
    const asked = world.wire.questions().length;
    await liveOn(world, { forMs: HOUR_MS });
    expect(await waiting(world)).toEqual(['wrong-address', 'wrong-address']);
    const state = record && (await world.state(record));
    expect(state?.waiting?.detail).toContain('DATA_SERVICE_BASE_URL');
    expect(world.charged()).toBe(0);
    expect(world.wire.questions().length).toBe(asked);
    await world.changeService({ faults: [] });
    await liveOn(world, { forMs: HOUR_MS });
    await expectAllEnriched(world, 2);
  });
});

it('a run that was put off between two paid questions counts both', async () => {
  const world = await createWorld({ policy: { budgets: { perDay: 1 }, questions: { fallThrough: true } } });
  const record = await settledRecord(world, 'contacts', {
    hs_linkedin_url: 'https://www.linkedin.com/in/nobody-of-this-name',
    email: somePerson(world).job.email ?? '',
  });
  expect(await world.state(record)).toMatchObject({ waiting: { reason: 'budget' }, run: { credits: 1 } });
  await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
  expect(await world.state(record)).toMatchObject({
    outcome: { kind: 'enriched', reason: because('matched', { operation: 'reverseEmail' }), credits: 2 },
    creditsSpent: 2,
    runsOpened: 1,
  });
  expect(world.wire.questions().length).toBe(2);
  expect(await isDrained(world)).toBe(true);
});

it('a worker never sends a question that it may not live to see answered', async () => {
  const world = await createWorld({ dataService: { rateLimitPerMinute: 1, latencyMs: 25 * SECOND_MS } });
  world.processes.setWorkerTimeout(110 * SECOND_MS);
  await byEmail(world, 4);
  await settleDown(world);
  await liveOn(world, { forMs: HOUR_MS });
  await expectAllEnriched(world, 4);
});

const IMPORT = { source: 'IMPORT' };

const cheap = (perDay: number) => ({
  budgets: { perDay },
  timeZone: 'UTC',
  questions: { wantEmail: false },
});

it('an imported record whose answer is stored is enriched when the budget is used up, however many records wait', async () => {
  const world = await createWorld({ policy: cheap(1) });
  const [known] = await contactsBy(world, 1);
  await settleDown(world);
  await contactsBy(world, 119, { by: IMPORT, from: 1 });
  const twins = await contactsBy(world, 1, { by: IMPORT });
  await contactsBy(world, 120, { by: IMPORT, from: 120 });
  await liveOn(world, { forMs: 15 * MINUTE_MS, everyMs: MINUTE_MS });
  expect(known && (await world.state(known))?.outcome?.kind).toBe('enriched');
  expect(await countEnriched(world, twins)).toBe(1);
  expect(world.charged()).toBe(1);
}, 60_000);

/** A person starts a record in spite of the reserve for leads. */
const admit = (world: World, record: RecordName) =>
  changeRecord({ ...world.services, clock: world.clock }, record, (state) => ({
    state: overruleReserve(state, world.clock.now()),
  }));

it('a record that a person admits starts alone in spite of the reserve for leads, and never beyond the budget', async () => {
  const world = await createWorld({ policy: cheap(5) });
  const file = await contactsBy(world, 8, { by: IMPORT });
  const sweep = { forMs: 10 * MINUTE_MS, everyMs: MINUTE_MS };
  await liveOn(world, sweep);
  expect(await countEnriched(world, file)).toBe(4);
  const left = [];
  for (const record of file) if (!(await world.state(record))?.outcome) left.push(record);
  expect((await world.state(left[0] ?? { objectType: 'contacts', id: '' }))?.waiting).toMatchObject({
    reason: 'budget',
    detail: expect.stringMatching(/ 5 .* 1 /),
  });
  for (const record of left.slice(0, 2)) await admit(world, record);
  await liveOn(world, sweep);
  expect(await countEnriched(world, left.slice(0, 2))).toBe(1);
  expect(await countEnriched(world, left.slice(2))).toBe(0);
  expect(world.charged()).toBe(5);
  await liveOn(world, { forMs: 13 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  expect(await countEnriched(world, left.slice(0, 2))).toBe(2);
  expect((await world.states()).some(({ run, outcome }) => outcome && run?.overrulesReserve)).toBe(false);
});

type Fault = NonNullable<Parameters<World['portal']['change']>[0]['faults']>[number];

/** Why records wait. */
interface Cause {
  readonly cause: string;
  readonly begin: (world: World) => Promise<unknown>;
  /** What the records say of it. */
  readonly reason?: RegExp;
  readonly end: (world: World) => Promise<unknown>;
}

describe('a record that waits goes on within five minutes after the end of its cause', () => {
  const afterwards = { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS };

  it('a budget that was raised for a run whose time was midnight', async () => {
    const world = await createWorld({ policy: cheap(1) });
    const made = await contactsBy(world, 2);
    await settleDown(world);
    for (const record of made) await admit(world, record);
    await liveOn(world, afterwards);
    expect(await waiting(world)).toEqual(['budget']);
    world.changeBudgets({ perDay: 100 });
    await liveOn(world, afterwards);
    expect(await countEnriched(world, made)).toBe(2);
  });

  it('a vendor whose answers were lost, for all records that wait for it', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'status', status: 500 }] });
    await contactsBy(world, 4);
    await settleDown(world);
    const made = await contactsBy(world, 5, { from: 4 });
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    expect((await waiting(world)).filter((reason) => reason === 'too-many-doubts').length).toBeGreaterThan(4);
    await world.changeService({ faults: [] });
    await liveOn(world, afterwards);
    expect(await countEnriched(world, made)).toBe(5);
  });

  const hubSpotFails = (fault: Fault): Cause => ({
    cause: `an unreachable HubSpot: ${JSON.stringify(fault)}`,
    begin: (world) => world.portal.change({ faults: [fault] }),
    reason: /^(HUBSPOT|HTTP)_/,
    end: (world) => world.portal.change({ faults: [] }),
  });
  const clockIsWrong = (skewMs: number): Cause => ({
    cause: `a wrong clock: ${skewMs} ms ahead`,
    begin: async (world) => world.processes.skew([skewMs]),
    end: async (world) => world.processes.skew([]),
  });
  const refill = (world: World) => world.changeService({ creditBalance: 1_000 });
  const empty = (world: World) => world.changeService({ creditBalance: 0 });

  const CAUSES: readonly Cause[] = [
    {
      cause: 'a budget that was raised',
      begin: async (world) => world.changeBudgets({ perDay: 0 }),
      reason: /^budget$/,
      end: async (world) => world.changeBudgets({ perDay: 100 }),
    },
    {
      cause: 'a refused key, by a new one',
      begin: async (world) => world.changeKey('revoked-key'),
      reason: /^key-refused$/,
      end: async (world) => world.changeKey('sandbox-key'),
    },
    hubSpotFails({ kind: 'status', status: 401, rate: 1 }),
    hubSpotFails({ kind: 'status', status: 477, retryAfterS: 7_200, rate: 1 }),
    hubSpotFails({ kind: 'status', status: 503, rate: 1 }),
    hubSpotFails({ kind: 'reset-before', rate: 1 }),
    hubSpotFails({ kind: 'hang', rate: 1 }),
    {
      cause: "a vendor's balance that was refilled, with no grant booked",
      begin: empty,
      reason: /^out-of-credits$/,
      end: refill,
    },
    {
      cause: 'a balance that was refilled and booked, with nothing told of it meanwhile',
      begin: empty,
      reason: /^out-of-credits$/,
      end: async (world) => {
        await refill(world);
        const { breakers } = world.services.questions;
        await breakers.creditsBooked();
        expect(isOutOfCredits(await breakers.read(), world.clock.now())).toBe(false);
      },
    },
    clockIsWrong(3 * HOUR_MS),
    clockIsWrong(-3 * HOUR_MS),
  ];

  it.each(CAUSES)('$cause', async ({ begin, reason, end }) => {
    const world = await createWorld({ policy: { timeZone: 'UTC', questions: { wantEmail: false } } });
    await begin(world);
    const made = await contactsBy(world, 6);
    await liveOn(world, { forMs: 7 * MINUTE_MS, everyMs: MINUTE_MS });
    expect([await countEnriched(world, made), world.charged()]).toEqual([0, 0]);
    if (reason) expect(await waiting(world)).toEqual(Array(6).fill(expect.stringMatching(reason)));
    await end(world);
    await liveOn(world, afterwards);
    expect(await countEnriched(world, made)).toBe(6);
  });
});

type Faults = NonNullable<Parameters<World['changeService']>[0]['faults']>;

const ALL: Faults = [{ kind: 'status', status: 503 }];

/** The free key check is answered all the time. */
const QUESTIONS: Faults = [{ kind: 'status', status: 503, operation: 'people-profile' }];

const OUTAGE_MS = 2 * HOUR_MS;

const LEAD_EVERY_MS = 10 * MINUTE_MS;

/** The data service fails for two hours, while a lead comes every ten minutes. Then it works again. */
async function afterOutage(perDay: number, faults = ALL) {
  const world = await createWorld({ policy: { budgets: { perDay } } });
  await world.changeService({ faults });
  const leads: RecordName[] = [];
  for (let ms = 0; ms < OUTAGE_MS; ms += LEAD_EVERY_MS) {
    leads.push(await contact(world, leads.length));
    await liveOn(world, { forMs: LEAD_EVERY_MS });
  }
  await world.changeService({ faults: [] });
  return { world, leads };
}

async function endsOf(world: World, leads: readonly RecordName[]) {
  const ends = await Promise.all(
    leads.map(async (lead) => (await world.state(lead))?.outcome?.kind ?? 'none'),
  );
  return {
    enriched: ends.filter((end) => end === 'enriched').length,
    failed: ends.filter((end) => end === 'failed').length,
    waiting: ends.filter((end) => end === 'none').length,
  };
}

describe('an outage of two hours, with a lead every ten minutes', () => {
  it.each([
    ['of everything', ALL, 3],
    ['of questions only, with 10 credits an hour for tests', QUESTIONS, 10],
  ])('%s: half an hour later every lead without a doubt is enriched', async (_, faults, mostDoubts) => {
    const { world, leads } = await afterOutage(1_000, faults);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const { enriched, failed, waiting } = await endsOf(world, leads);
    expect(waiting).toBe(0);
    expect(failed).toBeLessThanOrEqual(mostDoubts);
    expect(enriched + failed).toBe(leads.length);
  });

  it('with a budget of 25 credits a day spends what the doubts leave, and the next day is normal', async () => {
    const { world, leads } = await afterOutage(25);
    await liveOn(world, { forMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    const [day] = (await world.services.ledger.now()).states();
    expect(day?.leftCredits).toBeLessThan(3);
    await liveOn(world, { forMs: 25 * HOUR_MS, everyMs: 2 * HOUR_MS });
    const { waiting, failed } = await endsOf(world, leads);
    expect(waiting).toBe(0);
    expect(failed).toBeLessThanOrEqual(3);
  });
});
