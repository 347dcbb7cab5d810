import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { workPaceFor } from '#shared/work-queue';
import { DATA_SERVICE_URL } from '../harness/addresses.ts';
import { importContacts, liveWithEventSources, submitForm } from '../harness/event-sources.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, contactsBy, createCompany, profileUrlOf, somePerson } from '../harness/people.ts';
import {
  countEnriched,
  isDrained,
  liveOn,
  liveUntilDrained,
  settleDown,
  settled,
  settledContact,
  verify,
} from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

const FILE = { source: 'IMPORT' };

const cheap = (perDay: number) => ({ budgets: { perDay }, questions: { wantEmail: false } });

describe('fresh leads', () => {
  it('are enriched within two minutes while an import waits for credits, day after day', async () => {
    const world = await createWorld({ policy: cheap(20) });
    const file = await contactsBy(world, 44, { by: FILE });
    let leads = 0;
    for (let day = 0; day < 2; day += 1) {
      await liveOn(world, { forMs: 22 * HOUR_MS, everyMs: 2 * HOUR_MS });
      const fresh = await contactsBy(world, 4, { by: { source: 'FORM' }, from: 44 + leads });
      leads += 4;
      await liveOn(world, { forMs: 2 * MINUTE_MS, everyMs: MINUTE_MS });
      expect(await countEnriched(world, fresh)).toBe(4);
      await world.clock.sleep(2 * HOUR_MS);
    }
    const done = await countEnriched(world, file);
    expect(done).toBeGreaterThanOrEqual(2 * 16 - 4);
    await liveOn(world, { forMs: 2 * DAY_MS, everyMs: 2 * HOUR_MS });
    expect(await countEnriched(world, file)).toBe(44);
    expect(await isDrained(world)).toBe(true);
  });

  it('go in the order newest first, with a place in ten for the oldest, when more come than can be paid', async () => {
    const world = await createWorld({ policy: cheap(10) });
    const batches: (readonly RecordName[])[] = [];
    for (let hour = 0; hour < 3; hour += 1) {
      batches.push(await contactsBy(world, 10, { from: 10 * hour }));
      await settleDown(world);
      await world.clock.sleep(HOUR_MS);
    }
    await liveOn(world, { forMs: 12 * HOUR_MS, everyMs: 30 * MINUTE_MS });
    const done = await Promise.all(batches.map((batch) => countEnriched(world, batch)));
    expect(done).toEqual([10, 1, 9]);
  });
});

it('who costs more than a day has keeps nobody out who costs less, whoever came first', async () => {
  const world = await createWorld({ policy: { budgets: { perDay: 2 } } });
  const company = (index: number) => createCompany(world, index);
  // Two credits of today; a contact costs three.
  for (const index of [0, 1]) await company(index);
  await settleDown(world);
  await settledContact(world, 0);
  const affordable = await company(2);
  await settleDown(world);
  for (let index = 1; index < 8; index += 1) await contact(world, index);
  await settleDown(world);
  await liveOn(world, { forMs: 13 * HOUR_MS, everyMs: 30 * MINUTE_MS });
  expect(await countEnriched(world, [affordable])).toBe(1);
});

it('what has lain in its queue for half a minute is noted without a request, and goes on in its turn', async () => {
  const world = await createWorld();
  const [lead] = await contactsBy(world, 1);
  if (!lead) throw new Error('no lead');
  await world.portal.sandbox.deliverWebhooks();
  await world.clock.sleep(MINUTE_MS);
  world.wire.forget();
  await world.processes.work();
  expect(world.wire.hubSpotRequests()).toEqual([]);
  expect((await world.state(lead))?.waiting?.reason).toBe('queued');
  await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
  expect(await countEnriched(world, [lead])).toBe(1);
});

it('a contact and a company by one id have their turn at once', async () => {
  const world = await createWorld();
  const message = { id: '4711', eventKeys: ['1'], purpose: 'live' } as const;
  const objectTypes = ['contacts', 'companies'] as const;
  await world.queues.live.send(objectTypes.map((objectType) => ({ ...message, objectType })));
  await world.clock.sleep(MINUTE_MS);
  await world.processes.work();
  expect(world.queues.live.size()).toBe(0);
  await world.processes.reconcile();
  expect(world.queues.live.size()).toBe(2);
});

it('a worker waits 40 seconds at most for a share of the rate: the record waits in its turn, and the messages behind are read', async () => {
  const world = await createWorld({ dataService: { rateLimitPerMinute: 2, rateAlgorithm: 'sliding' } });
  // What the vendor takes is learned from its first answer.
  await contactsBy(world, 3);
  await settleDown(world);
  await contactsBy(world, 5, { from: 3 });
  await world.portal.sandbox.deliverWebhooks();
  const startMs = world.clock.now();
  await world.processes.work();
  expect(world.clock.now() - startMs).toBeLessThan(MINUTE_MS);
  const waiting = (await world.states()).flatMap((state) => state.waiting?.reason ?? []);
  expect(waiting).toContain('rate-limit');
  await liveUntilDrained(world, { mostMs: HOUR_MS, everyMs: MINUTE_MS });
  expect(await isDrained(world)).toBe(true);
});

describe('an import', () => {
  it('is noted at once, whoever tells of it: the webhook or the sweep', async () => {
    for (const webhookUrl of [null, undefined]) {
      const world = await createWorld({
        policy: cheap(0),
        hubSpot: webhookUrl === null ? { webhookUrl } : {},
      });
      await contactsBy(world, 3, { by: FILE });
      await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
      expect((await world.states()).map(({ run }) => run?.purpose)).toEqual(['import', 'import', 'import']);
      expect(world.wire.questions()).toEqual([]);
    }
  });

  it('holds up no one who asks to be forgotten', async () => {
    const world = await createWorld({ policy: cheap(1_000) });
    const [person] = await contactsBy(world, 1);
    if (!person) throw new Error('nobody');
    await settleDown(world);
    await contactsBy(world, 50, { by: FILE, from: 1 });
    await liveOn(world, { forMs: MINUTE_MS, everyMs: MINUTE_MS });
    await world.portal.erase(person);
    const startMs = world.clock.now();
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
    const { forgottenAtMs = Number.POSITIVE_INFINITY } = (await world.state(person)) ?? {};
    expect(forgottenAtMs - startMs).toBeLessThan(MINUTE_MS);
  });

  it('whose records somebody asks for one by one is not waited for', async () => {
    const world = await createWorld({ policy: cheap(1_000) });
    const file = await contactsBy(world, 5, { by: FILE });
    await world.portal.sandbox.deliverWebhooks();
    await world.processes.work();
    const [wanted] = file;
    if (!wanted) throw new Error('nobody');
    await settled(world, world.portal.edit(wanted, { enrichment_requested: 'true' }));
    expect(await countEnriched(world, file)).toBe(1);
    expect((await world.ledger()).at(-1)?.purpose).toBe('manual');
  });
});

it('a queue that forgets after a minute loses nothing: what it says is in the records first', async () => {
  const world = await createWorld({ policy: cheap(1_000), retentionMs: MINUTE_MS });
  const known = await contactsBy(world, 3);
  await liveOn(world, { forMs: 5 * MINUTE_MS, everyMs: MINUTE_MS });
  const file = await contactsBy(world, 40, { by: FILE, from: 3 });
  const leads = await contactsBy(world, 20, { from: 43 });
  const [changed, merged, erased] = known;
  if (!changed || !merged || !erased) throw new Error('nobody');
  await world.portal.edit(changed, { hs_linkedin_url: profileUrlOf(somePerson(world, 70)) });
  await world.portal.erase(erased);
  await liveUntilDrained(world, { mostMs: 10 * HOUR_MS, everyMs: MINUTE_MS });
  expect(await countEnriched(world, [...file, ...leads])).toBe(60);
  expect((await world.state(erased))?.forgottenAtMs).toBeDefined();
  expect((await world.state(changed))?.runsOpened).toBe(2);
  expect(await isDrained(world)).toBe(true);
});

describe('a storm of edits of records from before the installation', () => {
  it('costs HubSpot no request for those that were looked at before, and holds no lead up', async () => {
    const world = await createWorld({ agedMs: HOUR_MS });
    const old = [];
    for (let index = 0; index < 100; index += 1)
      old.push(await world.portal.create('contacts', { email: `person${index}@firm-${index}.com` }));
    await settleDown(world);
    await world.clock.sleep(2 * HOUR_MS);
    for (const [index, record] of old.entries())
      await world.portal.edit(record, { email: `person${index}@another-${index}.com` });
    const lead = await contact(world, 0);
    world.wire.forget();
    await settleDown(world);
    expect((await world.state(lead))?.outcome?.kind).toBe('enriched');
    expect(world.wire.hubSpotRequests().length).toBeLessThan(7);
  });

  it('costs HubSpot no request for those that nobody ever told of', async () => {
    const world = await createWorld();
    const changed = { objectType: 'contacts', purpose: 'live', isChange: true } as const;
    const messages = Array.from({ length: 100 }, (_, index) => ({
      ...changed,
      id: String(index + 1),
      eventKeys: [`change-${index}`],
    }));
    world.wire.forget();
    await world.queues.bulk.send(messages);
    await world.processes.work();
    expect(world.wire.hubSpotRequests()).toEqual([]);
    expect(await world.states()).toEqual([]);
    expect(await isDrained(world)).toBe(true);
  });
});

const RATE = 120;

/** More than two minutes of work. */
const WAITING = 2 * RATE + 50;

it('a rate of the data service is used to 90% in the second and third minute while imports wait, without a 429, and leads pass by', async () => {
  const sentMs: number[] = [];
  const seen = { refused: 0 };
  const world = await createWorld({
    policy: { budgets: { perDay: 100_000 } },
    dataService: { rateLimitPerMinute: RATE },
    hubSpot: { latencyMs: 100 },
    through: (send) => async (request) => {
      if (!request.url.startsWith(DATA_SERVICE_URL)) return send(request);
      sentMs.push(world.clock.now());
      const answer = await send(request);
      if (answer.status === 429) seen.refused += 1;
      return answer;
    },
  });
  // In the first minute one answer tells the rate.
  await submitForm(world, 'first');
  await world.processes.work();
  await world.clock.sleep(MINUTE_MS);
  await importContacts(world, WAITING);
  const waits: number[] = [];
  const startMs = world.clock.now();
  await liveWithEventSources(world, workPaceFor(RATE), async () => {
    for (let minute = 2; minute <= 3; minute += 1) {
      const lead = await submitForm(world, `lead-${minute}`);
      const atMs = world.clock.now();
      await world.clock.sleep(MINUTE_MS);
      waits.push(((await world.state(lead))?.outcome?.atMs ?? Number.POSITIVE_INFINITY) - atMs);
    }
  });
  const inBoth = sentMs.filter((atMs) => atMs >= startMs && atMs < startMs + 2 * MINUTE_MS).length;
  expect({ refused: seen.refused, violations: world.violations }).toEqual({ refused: 0, violations: [] });
  expect(Math.max(...waits)).toBeLessThan(15_000);
  // Each alone may be below: until a fixed window is proved, a slot is free only a minute after its answer.
  expect(inBoth).toBeGreaterThanOrEqual(0.9 * 2 * RATE);
  await verify(world);
}, 120_000);
