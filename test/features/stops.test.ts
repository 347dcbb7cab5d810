import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { readReport } from '#shared/spend';
import { searchWithOverrun } from '../harness/overrun.ts';
import { contact } from '../harness/people.ts';
import { liveOn } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { spoilEntry } from '../system/alarms/spoil.ts';

function report({ services, clock, policy }: World) {
  const { writeBreakers, checkBooks } = services;
  const stops = { breakers: services.questions.breakers, writeBreakers, checkBooks };
  return readReport({ ...services, waiting: services, stops, clock, timeZone: policy.timeZone });
}

type Service = Parameters<World['changeService']>[0];
const REFUSING: Service = { faults: [{ kind: 'status', status: 401 }] };

it.each([
  ['key-refused', REFUSING],
  ['out-of-credits', { creditBalance: 0 }],
] as const)(
  'the report tells of a stop for as long as it lasts, and who waits for it: %s',
  async (kind, service) => {
    const world = await createWorld();
    expect((await report(world)).stops).toEqual([]);
    await world.changeService(service);
    const begunMs = world.clock.now();
    for (const index of [0, 1, 2]) await contact(world, index);
    await liveOn(world, { forMs: 20 * MINUTE_MS });
    const { stops, generatedAtMs } = await report(world);
    expect(stops).toEqual([expect.objectContaining({ kind, records: 3, isMore: false })]);
    const [{ sinceMs = 0, untilMs = 0 } = {}] = stops;
    expect(sinceMs - begunMs).toBeLessThan(MINUTE_MS);
    expect(untilMs).toBeGreaterThan(generatedAtMs);
    await world.changeService({ creditBalance: 1_000, faults: [] });
    await liveOn(world, { forMs: 2 * HOUR_MS });
    const after = await report(world);
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
  const { stops } = await report(world);
  expect(stops).toEqual([expect.objectContaining({ kind: 'charges-above-list', records: 1 })]);
  expect(world.wire.questions()).toHaveLength(1);
  await liveOn(world, { forMs: 2 * HOUR_MS });
  expect((await report(world)).stops).toEqual([]);
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
  const { stops } = await report(world);
  const params = { reason: 'budget review', by: 'sales operations' };
  expect(stops).toEqual([expect.objectContaining({ kind: 'stopped-by-person', params, records: 1 })]);
  await breakers.resume();
  await liveOn(world, { forMs: 10 * MINUTE_MS });
  expect(await outcomes()).toEqual(['enriched', 'enriched', 'enriched']);
  expect((await report(world)).stops).toEqual([]);
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

it('the report tells of a ledger that the sweep found broken, until it holds again', async () => {
  const world = await createWorld();
  await contact(world, 0);
  await liveOn(world, { forMs: 2 * MINUTE_MS });
  expect((await report(world)).stops).toEqual([]);
  const { length: seq } = await world.ledger();
  const putBack = await spoilEntry(world);
  expect((await report(world)).stops).toEqual([
    expect.objectContaining({ kind: 'ledger-broken', params: { seq, problem: 'contents-changed' } }),
  ]);
  putBack();
  expect((await report(world)).stops).toEqual([]);
});
