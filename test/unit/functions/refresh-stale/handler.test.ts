import { describe, expect, it } from 'vitest';
import { agreedCredits } from '#inside/enrichment/ask/price-limit.ts';
import type { CreditLedger } from '#shared/credit-ledger';
import type { ObjectType, Purpose } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { newRecordState, type RecordState, recordPlace } from '#shared/records';
import { createHandler } from '../../../../functions/refresh-stale/handler.ts';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const NOW_MS = 1_000 * DAY_MS;
const WORST = { contacts: 3, companies: 1 };

/** Records by the time from which they are stale; the oldest come first. */
type Stale = readonly [ObjectType, staleAtMs: number, more?: Partial<RecordState>];

async function createDesk(left: number, stale: readonly Stale[]) {
  const clock = createManualClock({ startMs: NOW_MS });
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  for (const [index, [objectType, staleAtMs, more]] of stale.entries()) {
    const id = String(index + 1);
    const value = { ...newRecordState(objectType, id), staleAtMs, ...more };
    await records.write({ key: `${objectType}#${id}`, value, expectedVersion: undefined });
  }
  const planned = (purpose: Purpose) => (purpose === 'refresh' ? left : 0);
  const ledger = { now: async () => ({ planned }) };
  let made = 0;
  const refresh = createHandler({
    records,
    ledger: ledger as unknown as CreditLedger,
    policy: { freshness: { contactsDays: 180, companiesDays: 90 } },
    worstCaseCredits: ({ objectType }) => WORST[objectType],
    clock,
    newId: () => `run-${++made}`,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return {
    records,
    refresh,
    /** In the order of choosing, which the ids of the runs show. */
    chosen: async () =>
      (await records.list({ partition: 'in-turn-refresh' }))
        .toSorted((a, b) => (a.run?.id ?? '').localeCompare(b.run?.id ?? ''))
        .map(({ id }) => id),
  };
}

describe('the refresh chooses', () => {
  it('of one kind and price the stalest first, as many as the budget surely pays for', async () => {
    const { refresh, chosen } = await createDesk(2, [
      ['companies', 500],
      ['companies', 300],
      ['companies', 400],
    ]);
    expect(await refresh()).toMatchObject({ chosen: 2, left: 1, worstCaseCredits: 2 });
    expect(await chosen()).toEqual(['2', '3']);
  });

  it('each at a price that its run keeps after a change of the policy', async () => {
    const { records, refresh } = await createDesk(4, [
      ['companies', 500],
      ['contacts', 300],
    ]);
    await refresh();
    const opened = await records.list({ partition: 'in-turn-refresh' });
    const limits = opened.map((state) => {
      const { objectType, run } = state;
      return run && [objectType, agreedCredits(run)];
    });
    expect(Object.fromEntries(limits.flatMap((one) => (one ? [one] : [])))).toEqual({
      contacts: 3,
      companies: 1,
    });
  });

  it('by age times the square root of the weight', async () => {
    // Ages in days: 490, 500 (times 3.2), 300 (times 10), 780.
    const { refresh, chosen } = await createDesk(6, [
      ['companies', 600 * DAY_MS],
      ['companies', 590 * DAY_MS, { weight: 10 }],
      ['companies', 790 * DAY_MS, { weight: 100 }],
      ['contacts', 400 * DAY_MS],
    ]);
    expect(await refresh()).toMatchObject({ chosen: 4, left: 0 });
    expect(await chosen()).toEqual(['3', '2', '4', '1']);
  });

  it('what fits, where something dearer at the head does not', async () => {
    const { refresh, chosen } = await createDesk(2, [
      ['contacts', 100],
      ['companies', 200],
      ['companies', 300],
      ['companies', 400],
    ]);
    expect(await refresh()).toMatchObject({ chosen: 2, left: 2 });
    expect(await chosen()).toEqual(['2', '3']);
  });

  it('no more than is left beside what it chose before', async () => {
    const { refresh, chosen } = await createDesk(3, [
      ['contacts', 100],
      ['contacts', 200],
    ]);
    expect(await refresh()).toMatchObject({ chosen: 1, left: 1 });
    expect(await refresh()).toMatchObject({ chosen: 0, left: 1 });
    expect(await chosen()).toEqual(['1']);
  });
});
