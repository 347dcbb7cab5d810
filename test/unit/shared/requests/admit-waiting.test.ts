import { expect, it } from 'vitest';
import type { LedgerReader } from '#shared/credit-ledger';
import { parsePolicy } from '#shared/field-policy';
import { newRecordState, note, openForBackfill, type RecordState } from '#shared/records';
import { findWaiting } from '#shared/requests';

const QUOTED_CREDITS = 1;

function ofBackfill(): RecordState {
  const opening = { id: 'b', runId: 'r1', maxCredits: QUOTED_CREDITS, nowMs: 1_000 };
  const state = openForBackfill(newRecordState('contacts', '1'), opening);
  if (!state) throw new Error('The record has no open run.');
  return state;
}

/** A workflow asks for the record, so the quote of the backfill no longer limits its run. */
function joinedByWorkflow(): RecordState {
  const times = { nowMs: 2_000, claimMs: 500 };
  const wish = { purpose: 'workflow', asked: { byWorkflow: true }, eventKeys: ['e1'] } as const;
  const noted = note(ofBackfill(), { ...times, ...wish, owner: 'w', runId: 'r2' });
  if (noted.kind !== 'noted') throw new Error(noted.kind);
  return noted.state;
}

async function priceOf(state: RecordState): Promise<number> {
  const policy = parsePolicy({ budgets: { perDay: 100 } });
  const records = { list: async () => [state] } as unknown as Parameters<typeof findWaiting>[0]['records'];
  const { run } = state;
  const ledger = { now: async () => ({ refusal: () => undefined }) } as unknown as LedgerReader;
  return (await findWaiting({ records, policy, ledger }, { purposes: run ? [run.purpose] : [], limit: 1 }))
    .maxCredits;
}

it('the quote of a backfill is the highest price of a record until another purpose joins its run', async () => {
  expect(await priceOf(ofBackfill())).toBe(QUOTED_CREDITS);
  expect(await priceOf(joinedByWorkflow())).toBeGreaterThan(QUOTED_CREDITS);
});
