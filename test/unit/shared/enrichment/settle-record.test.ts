import { describe, expect, it } from 'vitest';
import { settleRecord } from '#inside/enrichment/settle-record.ts';
import { parsePolicy } from '#shared/field-policy';
import { arrive, changeRecord, type RecordState, recordPlace } from '#shared/records';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../harness/memory-items.ts';

const RECORD = { objectType: 'contacts', id: '1' } as const;
const ENRICHED = {
  kind: 'outcome',
  outcome: 'enriched',
  reason: { code: 'x' },
  credits: 1,
  learned: {},
} as const;

function createDesk() {
  const clock = createManualClock({ startMs: 1_000 });
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const claim = async (owner: string, nowMs: number) => {
    const arrival = {
      purpose: 'live',
      eventKeys: [],
      owner,
      runId: `run-of-${owner}`,
      nowMs,
      claimMs: 100,
    } as const;
    const claimed = await changeRecord({ records, clock }, RECORD, (state) => arrive(state, arrival));
    if (claimed.kind !== 'claimed') throw new Error(`not claimed but ${claimed.kind}`);
    return { ...RECORD, state: claimed.state, run: claimed.run };
  };
  const policy = parsePolicy({ budgets: { perDay: 1 } });
  const services = { records, clock, policy, newId: () => 'next' };
  const state = async () => (await records.read('contacts#1'))?.value;
  return { services, claim, state };
}

describe('settleRecord', () => {
  it('does nothing for a worker that was thought dead and whose record another one has taken over', async () => {
    const { services, claim, state } = createDesk();
    const late = await claim('a', 0);
    const now = await claim('b', 200);
    expect(await settleRecord(services, late, ENRICHED)).toBe(false);
    expect(await state()).toMatchObject({ outcomes: { enriched: 0 }, claim: { owner: 'b' } });
    expect(await settleRecord(services, now, ENRICHED)).toBe(true);
    await settleRecord(services, late, ENRICHED);
    expect(await state()).toMatchObject({ outcomes: { enriched: 1 }, runsOpened: 1 });
  });
});
