import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clockOffsetMs, correctedClock, SECOND_MS, wrongClock } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { watchStoreClock } from '#shared/versioned-items/adapters';
import { TABLES } from '../../../../infra/local/tables.ts';
import { createPlainItems } from '../../../builders/plain-items.ts';
import { startEmbedded, type TableServer } from '../../../contract/stores/stand-in.ts';

describe('the difference between two clocks', () => {
  it.each([
    ['none within the second that a Date stands for', 999, 0, 0],
    ['none within the time that the answer took', 4_900, 4_000, 0],
    ['what is left of it, ahead', 125_000, 4_000, 120_000],
    ['all of it, behind: the answer cannot have come before it was given', -7_000, 4_000, -7_000],
  ])('is %s', (_, apartMs, tookMs, offsetMs) => {
    expect(clockOffsetMs({ serverMs: 0, receivedAtMs: apartMs, tookMs })).toBe(offsetMs);
  });
});

describe('the clock of the store', () => {
  let server: TableServer;
  beforeAll(async () => {
    server = await startEmbedded();
  });
  afterAll(() => server.close());

  it.each([0, 120 * SECOND_MS, -120 * SECOND_MS])('is told by its answers: %i ms', async (aheadMs) => {
    let nowAheadMs = aheadMs;
    const client = server.connect();
    const clock = { ...systemClock, now: () => systemClock.now() + nowAheadMs };
    const referenceClock = watchStoreClock(client, clock);
    const corrected = correctedClock(clock, referenceClock);
    expect(wrongClock({ referenceClock })).toBeUndefined();
    const parse = (stored: unknown) => stored;
    const items = createPlainItems({ client, tableName: TABLES.questions, newId: randomUUID, parse });
    await items.read('nothing');
    expect(Math.abs(referenceClock.offsetMs() - aheadMs)).toBeLessThan(2 * SECOND_MS);
    expect(wrongClock({ referenceClock }) !== undefined).toBe(aheadMs !== 0);
    expect(Math.abs(corrected.now() - systemClock.now())).toBeLessThan(2 * SECOND_MS);
    const write = { key: `apart ${aheadMs}`, value: {}, expectedVersion: 1 };
    nowAheadMs = -aheadMs;
    await expect(items.write(write)).resolves.toBe('conflict');
    expect(Math.abs(referenceClock.offsetMs() + aheadMs)).toBeLessThan(2 * SECOND_MS);
  });
});
