import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { because } from '#shared/records';
import { somePerson } from '../harness/people.ts';
import { isDrained, liveOn, liveUntilDrained, settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

async function contacts(world: World, count: number) {
  const made = [];
  for (let index = 0; index < count; index += 1) {
    made.push(await world.portal.create('contacts', { email: somePerson(world, index).job.email ?? '' }));
  }
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

describe('deferred records are queued again when they are due, and end in an outcome', () => {
  it('after the budget of the day', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 2 } } });
    await contacts(world, 5);
    await settleDown(world);
    expect(await waiting(world)).toEqual(['budget', 'budget', 'budget']);
    expect(world.charged()).toBe(2);
    await liveOn(world, { forMs: 11 * HOUR_MS, everyMs: HOUR_MS });
    expect(world.charged()).toBe(2);
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    expect(world.charged()).toBe(4);
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    await expectAllEnriched(world, 5);
  });

  it('and a message that comes again after the end opens no second run', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1 } } });
    const [, last] = await contacts(world, 2);
    await settleDown(world);
    expect(await waiting(world)).toEqual(['budget']);
    await liveOn(world, { forMs: DAY_MS, everyMs: HOUR_MS });
    await expectAllEnriched(world, 2);

    world.wire.forget();
    await world.queues.live.send([
      { objectType: 'contacts', id: last?.id ?? '', purpose: 'live', eventKeys: [] },
    ]);
    await settleDown(world);
    await expectAllEnriched(world, 2);
    expect(world.wire.hubSpotRequests()).toEqual([]);
  });

  it('after the vendor’s rate, which is never exceeded', async () => {
    const world = await createWorld({ dataService: { rateLimitPerMinute: 20 } });
    world.processes.setWorkerTimeout(70 * SECOND_MS);
    await contacts(world, 40);
    await settleDown(world, { workers: 5 });
    expect(new Set(await waiting(world))).toEqual(new Set(['rate-limit']));
    await liveUntilDrained(world, { mostMs: 30 * MINUTE_MS, everyMs: MINUTE_MS });
    await expectAllEnriched(world, 40);
    expect(world.dataService.bill().byStatus).toEqual({ 200: 40 });
  });

  it('after an outage of the data service', async () => {
    const world = await createWorld();
    world.wire.disconnect('data-service');
    await contacts(world, 2);
    await settleDown(world);
    expect(await waiting(world)).toEqual(['service-unreachable', 'service-unreachable']);
    await liveOn(world, { forMs: HOUR_MS });
    world.wire.reconnect();
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    await expectAllEnriched(world, 2);
  });

  it('after the vendor’s balance', async () => {
    const world = await createWorld({ dataService: { creditBalance: 1 } });
    await contacts(world, 3);
    await settleDown(world);
    expect((await waiting(world))[0]).toBe('out-of-credits');
    await world.changeService({ creditBalance: 100 });
    await liveOn(world, { forMs: 3 * HOUR_MS });
    await expectAllEnriched(world, 3);
  });

  it('after the key', async () => {
    const world = await createWorld();
    await world.changeService({ faults: [{ kind: 'status', status: 401 }] });
    await contacts(world, 2);
    await settleDown(world);
    expect(await waiting(world)).toEqual(['key-refused', 'key-refused']);
    await world.changeService({ faults: [] });
    await liveOn(world, { forMs: HOUR_MS });
    await expectAllEnriched(world, 2);
  });

  it('after the address of the data service: another server’s 404 is no answer, and no charge', async () => {
    const world = await createWorld();
    const page = '<html><h1>404 Not Found</h1><hr>nginx</html>';
    await world.changeService({ faults: [{ kind: 'status', status: 404, body: page }] });
    const [record] = await contacts(world, 2);
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

  it.each([
    { kind: 'status', status: 503, rate: 1 },
    { kind: 'status', status: 502, bare: true, rate: 1 },
    { kind: 'status', status: 429, policyName: 'DAILY', rate: 1 },
    { kind: 'status', status: 401, rate: 1 },
    { kind: 'status', status: 477, retryAfterS: 7_200, rate: 1 },
    { kind: 'reset-before', rate: 1 },
    { kind: 'hang', rate: 1 },
  ] as const)('after HubSpot’s %j, while reading', async (fault) => {
    const world = await createWorld();
    await contacts(world, 2);
    await world.portal.change({ faults: [fault] });
    await settleDown(world);
    expect((await waiting(world)).every((reason) => /^(HUBSPOT|HTTP)_/.test(reason))).toBe(true);
    expect((await waiting(world)).length).toBe(2);
    expect(world.charged()).toBe(0);
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: 3 * HOUR_MS, everyMs: 30 * MINUTE_MS });
    await expectAllEnriched(world, 2);
  });

  it.each([
    { kind: 'status', status: 503, rate: 1, path: 'batch/update' },
    { kind: 'reset-after', rate: 1, path: 'batch/update' },
  ] as const)('after HubSpot’s %j, with the question paid: it is not asked again', async (fault) => {
    const world = await createWorld();
    await contacts(world, 2);
    await world.portal.change({ faults: [fault] });
    await settleDown(world);
    expect((await waiting(world)).length).toBe(2);
    expect(world.charged()).toBe(2);
    await liveOn(world, { forMs: HOUR_MS });
    await world.portal.change({ faults: [] });
    await liveOn(world, { forMs: HOUR_MS });
    expect(
      (await world.states()).map(({ outcome, creditsSpent }) => [outcome?.credits, creditsSpent]),
    ).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(world.wire.questions().length).toBe(2);
    expect(await isDrained(world)).toBe(true);
  });
});

describe('a run that was put off', () => {
  it('between two paid questions counts both', async () => {
    const world = await createWorld({ policy: { budgets: { perDay: 1 }, questions: { fallThrough: true } } });
    const record = await world.portal.create('contacts', {
      hs_linkedin_url: 'https://www.linkedin.com/in/nobody-of-this-name',
      email: somePerson(world).job.email ?? '',
    });
    await settleDown(world);
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
});

describe('a worker', () => {
  it('never sends a question that it may not live to see answered', async () => {
    const world = await createWorld({ dataService: { rateLimitPerMinute: 1, latencyMs: 25 * SECOND_MS } });
    world.processes.setWorkerTimeout(110 * SECOND_MS);
    await contacts(world, 4);
    await settleDown(world);
    await liveOn(world, { forMs: HOUR_MS });
    await expectAllEnriched(world, 4);
  });
});
