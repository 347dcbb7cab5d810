import { describe, expect, it } from 'vitest';
import {
  arrive,
  defer,
  endOpenRun,
  type Learned,
  newRecordState,
  type OutcomeKind,
  openForBackfill,
  type RecordState,
  settle,
} from '#shared/records';

const wait = { reason: 'rate-limit', untilMs: 9_000, learned: {}, nowMs: 0 } as const;

type Arrival = Parameters<typeof arrive>[1];

function arriving(state: RecordState, more: Partial<Arrival>) {
  const arrival = { owner: 'w1', runId: 'r1', nowMs: 1_000, claimMs: 500, eventKeys: [] } as const;
  return arrive(state, { ...arrival, purpose: 'backfill', ...more });
}

function claimed(state: RecordState, more: Partial<Arrival> = {}): RecordState {
  const claim = arriving(state, more);
  if (claim.kind !== 'claimed') throw new Error(`not claimed but ${claim.kind}`);
  return claim.state;
}

/** A worker holds a record of the backfill, at most 5 credits. */
function heldForBackfill(): RecordState {
  const start = newRecordState('contacts', '1');
  const opened = openForBackfill(start, { id: 'b', runId: 'r1', maxCredits: 5, nowMs: 1_000 });
  return claimed(opened ?? start);
}

/** The run has cost three credits at its end. */
function endOf(state: RecordState, kind: OutcomeKind = 'enriched', learned: Learned = {}) {
  const outcome = { kind, reason: { code: 'because' }, atMs: 2_000, credits: 3 };
  return settle(state, { outcome, learned }).backfills?.at(-1)?.end;
}

describe("the end of a backfill's run", () => {
  it.each([
    [
      'an enriched record without a new answer',
      'unchanged',
      {},
      { kind: 'skipped', reason: { code: 'because' } },
    ],
    ['an answer that changes nothing', 'unchanged', { answeredQuestion: 'q1' }, { kind: 'unchanged' }],
    ['a skipped record', 'skipped', {}, { kind: 'skipped', reason: { code: 'because' } }],
    ['a failed one', 'failed', {}, { kind: 'failed' }],
  ] as const)('says whether the record was looked up: %s', (_, kind, learned, end) => {
    expect(endOf(heldForBackfill(), kind, learned)).toEqual({
      ...end,
      credits: 3,
      isDamage: kind === 'failed',
    });
  });

  it('is that of its own run, which waits until a lead is served', () => {
    const waiting = defer(heldForBackfill(), { ...wait, credits: 1 });
    const lead = claimed(waiting, { purpose: 'live', eventKeys: ['e2'], nowMs: 1_100, runId: 'r2' });
    expect(lead).toMatchObject({
      run: { id: 'r2', purpose: 'live', credits: 0 },
      later: [{ id: 'r1', purpose: 'backfill', credits: 1, maxCredits: 5 }],
    });
    expect(lead.run).not.toHaveProperty('maxCredits');
    expect(endOpenRun(lead, { reason: { code: 'gone' }, nowMs: 1_200 })).toMatchObject({
      creditsSpent: 1,
      backfills: [{ end: { kind: 'skipped', credits: 1 } }],
    });
    const outcome = { kind: 'enriched', reason: { code: 'because' }, atMs: 2_000, credits: 4 } as const;
    const next = settle(lead, { outcome, learned: {} });
    expect(next.backfills?.at(-1)?.end).toBeUndefined();
    expect(next).toMatchObject({ run: { id: 'r1', purpose: 'backfill' }, runsOpened: 2 });
    expect(endOf(claimed(next), 'unchanged')).toMatchObject({ kind: 'skipped', credits: 3 });
  });
});
