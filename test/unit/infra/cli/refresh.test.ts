import { afterAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { newRecordState, recordKind } from '#shared/records';
import type { WaitingSummary } from '#shared/spend';
import { openItems } from '#shared/store';
import { startStandIns } from '../../../harness/console.ts';

const standIns = await startStandIns();
const items = () => openItems({ store: standIns.store }, recordKind);
const key = (id: string) => recordKind.key({ objectType: 'companies', id });

for (const id of ['1', '2', '3']) {
  const staleAtMs = id === '3' ? Number.MAX_SAFE_INTEGER : standIns.clock.now() - 110 * DAY_MS;
  const answered = {
    answeredAtMs: standIns.clock.now() - 200 * DAY_MS,
    weight: 100 as const,
  };
  const value = { ...newRecordState('companies', id), staleAtMs, ...(id === '2' && answered) };
  await items().write({ key: key(id), value, expectedVersion: undefined });
}
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(['refresh', ...words]);
const waiting = async () => {
  const { waiting } = (await standIns.run(['queue', 'status', '--json'])).json() as {
    waiting: WaitingSummary;
  };
  return waiting.inTurn.find(({ purpose }) => purpose === 'refresh')?.records ?? 0;
};

describe('refresh', () => {
  it('tells in a dry run how many are stale and what they cost at most, and changes nothing', async () => {
    const version = (await items().read(key('1')))?.version;
    const { code, json } = await run('--dry-run', '--json');
    expect(code).toBe(0);
    const told = json();
    expect(told).toMatchObject({ dryRun: true, chosen: 2, due: 2, credits: 2, isWhole: true });
    expect(told['lastDay']).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(told['order']).toMatchObject([
      { record: 'companies/2', weight: 100, credits: 1 },
      { record: 'companies/1', weight: 1, credits: 1 },
    ]);
    expect(await waiting()).toBe(0);
    expect((await items().read(key('1')))?.version).toBe(version);
  });

  it('queues the stale ones once', async () => {
    const first = await run('--yes', '--json');
    expect(first.json()).toMatchObject({ dryRun: false, chosen: 2, left: 0, worstCaseCredits: 2 });
    expect(await waiting()).toBe(2);
    const second = await run('--yes', '--json');
    expect(second.json()).toMatchObject({ chosen: 0 });
    expect(second.code).toBe(0);
    expect(await waiting()).toBe(2);
  });
});
