import { expect, it } from 'vitest';
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

/** A desk with records by the time from which they are stale. */
async function createDesk(left: number, stale: readonly (readonly [ObjectType, staleAtMs: number])[]) {
  const clock = createManualClock({ startMs: NOW_MS });
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  for (const [index, [objectType, staleAtMs]] of stale.entries()) {
    const id = String(index + 1);
    const value = { ...newRecordState(objectType, id), staleAtMs };
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
  const chosen = async () =>
    (await records.list({ partition: 'in-turn-refresh' })).map(
      ({ id, run }) => [id, run && agreedCredits(run)] as const,
    );
  /** In the order in which the sweep starts them: within a purpose, the newest first. */
  const inOrder = async () =>
    (await records.list({ partition: 'in-turn-refresh', newestFirst: true })).map(({ id }) => id);
  return { refresh, chosen, inOrder };
}

it('a refresh chooses what fits, where something dearer at the head does not', async () => {
  const { refresh, chosen } = await createDesk(2, [
    ['contacts', 100],
    ['companies', 200],
    ['companies', 300],
    ['companies', 400],
  ]);
  expect(await refresh()).toMatchObject({ chosen: 2, left: 2 });
  expect(Object.keys(Object.fromEntries(await chosen()))).toEqual(['2', '3']);
});

it('the chosen records start in the order of their age and weight', async () => {
  const { refresh, inOrder } = await createDesk(9, [
    ['companies', 400],
    ['companies', 200],
    ['companies', 300],
  ]);
  expect(await refresh()).toMatchObject({ chosen: 3 });
  expect(await inOrder()).toEqual(['2', '3', '1']);
});
