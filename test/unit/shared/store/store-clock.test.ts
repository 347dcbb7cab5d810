import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockOffsetMs, correctedClock, SECOND_MS, wrongClock } from '#shared/kernel';
import { systemIds as newId, systemRandom as random, systemClock } from '#shared/kernel/adapters';
import { createDynamoStore, watchStoreClock } from '#shared/store/adapters';
import { type DynamoEndpoint, hasDynamoEngine, startDynamoEngine } from '../../../harness/dynamo-engine.ts';
import { plainItems } from '../../../harness/memory-items.ts';

it.each([
  ['none within the second that a Date stands for', 999, 0, 0],
  ['none within the time that the answer took', 4_900, 4_000, 0],
  ['what is left of it, ahead', 125_000, 4_000, 120_000],
  ['all of it, behind: the answer cannot have come before it was given', -7_000, 4_000, -7_000],
])('the difference between two clocks is %s', (_, apartMs, tookMs, offsetMs) => {
  expect(clockOffsetMs({ serverMs: 0, receivedAtMs: apartMs, tookMs })).toBe(offsetMs);
});

describe.skipIf(!hasDynamoEngine)('the clock of the store', () => {
  let engine: DynamoEndpoint;
  beforeAll(async () => {
    engine = await startDynamoEngine();
  });
  afterAll(() => engine.close());

  it.each([0, 120 * SECOND_MS, -120 * SECOND_MS])('is told by its answers: %i ms', async (aheadMs) => {
    let nowAheadMs = aheadMs;
    const client = engine.connect();
    const clock = { ...systemClock, now: () => systemClock.now() + nowAheadMs };
    const referenceClock = watchStoreClock(client, clock);
    const corrected = correctedClock(clock, referenceClock);
    expect(wrongClock({ referenceClock })).toBeUndefined();
    const { tables } = engine;
    const policy = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };
    const store = createDynamoStore({
      client,
      tables,
      policy,
      newId,
      random,
      clock,
      storeClock: referenceClock,
    });
    const items = plainItems(store);
    await items.read('nothing');
    expect(Math.abs(referenceClock.offsetMs() - aheadMs)).toBeLessThan(2 * SECOND_MS);
    expect(wrongClock({ referenceClock }) !== undefined).toBe(aheadMs !== 0);
    expect(Math.abs(corrected.now() - systemClock.now())).toBeLessThan(2 * SECOND_MS);
    const write = { key: `apart ${aheadMs}`, value: {}, expectedVersion: 'another' };
    nowAheadMs = -aheadMs;
    await expect(items.write(write)).resolves.toBe('conflict');
    expect(Math.abs(referenceClock.offsetMs() + aheadMs)).toBeLessThan(2 * SECOND_MS);
  });
});
