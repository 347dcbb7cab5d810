import { describe, expect, it } from 'vitest';
import type { CreditLedger } from '#shared/credit-ledger/ledger.ts';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import { newRecordState, recordPlace } from '#shared/records/record-state.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { createMemoryItems } from '#shared/versioned-items/store.memory.ts';
import { createHandler } from '../../../../functions/refresh-stale/handler.ts';
import { createManualClock } from '../../../builders/manual-clock.ts';

const NOW_MS = 1_000_000;
const WORST = { contacts: 3, companies: 1 };

/** Records by the time from which they are stale. */
async function createDesk(left: number, stale: readonly (readonly [ObjectType, number])[]) {
  const clock = createManualClock({ startMs: NOW_MS });
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  for (const [index, [objectType, staleAtMs]] of stale.entries()) {
    const id = String(index + 1);
    const value = { ...newRecordState(objectType, id), staleAtMs };
    await records.write({ key: `${objectType}#${id}`, value, expectedVersion: 0 });
  }
  const ledger: Pick<CreditLedger, 'left'> = { left: async (purpose) => (purpose === 'refresh' ? left : 0) };
  let made = 0;
  const refresh = createHandler({
    records,
    ledger: ledger as CreditLedger,
    worstCaseCredits: (objectType) => WORST[objectType],
    clock,
    newId: () => `run-${++made}`,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return {
    records,
    refresh,
    chosen: async () => (await records.list({ partition: 'in-turn-refresh' })).map(({ id }) => id),
  };
}

describe('the refresh chooses', () => {
  it('the stalest first, as many as the budget surely pays for', async () => {
    const { refresh, chosen } = await createDesk(4, [
      ['contacts', 500],
      ['companies', 300],
      ['contacts', 400],
    ]);
    expect(await refresh()).toMatchObject({ chosen: 2, left: 1 });
    expect(await chosen()).toEqual(['2', '3']);
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

  it('nothing that is not stale yet, and nothing without a budget', async () => {
    const young = await createDesk(9, [['contacts', NOW_MS + 1]]);
    expect(await young.refresh()).toMatchObject({ chosen: 0, left: 0 });
    const poor = await createDesk(0, [['companies', 1]]);
    expect(await poor.refresh()).toMatchObject({ chosen: 0, left: 1 });
    expect(await poor.chosen()).toEqual([]);
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

  it('and opens each run, which waits for its turn', async () => {
    const { refresh, records } = await createDesk(9, [['companies', 1]]);
    await refresh();
    expect((await records.read('companies#1'))?.value).toMatchObject({
      run: { id: 'run-1', purpose: 'refresh', credits: 0 },
      waiting: { reason: 'queued' },
      runsOpened: 1,
    });
  });
});
