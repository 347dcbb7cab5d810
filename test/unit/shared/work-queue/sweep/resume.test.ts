import { describe, expect, it } from 'vitest';
import { pickWaiting } from '#inside/records/passes.ts';
import type { StoredStatus } from '#inside/records/schemas.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';
import {
  changeRecord,
  openWaiting,
  type RecordState,
  recordPlace,
  type WaitingReason,
} from '#shared/records';
import { resumeWaiting, type SweepServices } from '#shared/work-queue';
import { createMemoryItems } from '../../../../harness/memory-items.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

interface Wish {
  readonly reason?: WaitingReason;
  readonly leftCredits?: number;
  /** A person admitted them, so that they wait for credits outside the reserve. */
  readonly isAdmitted?: boolean;
  readonly keyRefused?: BreakerState['keyRefused'];
}

/** Records that wait, each until its time; unless told otherwise for a key that works again. */
async function waitingUntil(
  times: readonly number[],
  { reason = 'key-refused', leftCredits = 1_000, keyRefused, isAdmitted = false }: Wish = {},
) {
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const status = createMemoryItems<StoredStatus>();
  const clock = { now: () => NOW_MS, sleep: async () => undefined };
  const reads = { ledger: 0, budgets: 0 };
  const refusal = () => {
    reads.budgets += 1;
    return undefined;
  };
  const budgetsNow = { refusal, left: () => leftCredits };
  const ledger = {
    now: async () => {
      reads.ledger += 1;
      return budgetsNow;
    },
  };
  const services = {
    records,
    clock,
    dearestCredits: 3,
    cheapestCredits: 1,
    questions: { ledger },
    breakers: { read: async () => ({ doubtsInRow: 0, keyRefused }) },
    rounds: {
      waiting: (isPicked: (state: RecordState) => boolean) =>
        pickWaiting({ records, status, clock }, isPicked),
    },
  } as unknown as SweepServices;
  for (const [id, untilMs] of times.entries()) {
    const opening = {
      runId: `run-${id}`,
      purpose: 'live',
      nowMs: 0,
      untilMs,
      reason,
    } as const;
    const record = { objectType: 'contacts', id: String(id) } as const;
    await changeRecord(services, record, (state) => ({ state: openWaiting(state, opening) }));
    if (!isAdmitted) continue;
    await changeRecord(services, record, (state) => ({
      state: state?.run && { ...state, run: { ...state.run, overrulesReserve: true } },
    }));
  }
  return {
    reads,
    untried: async () =>
      (await resumeWaiting(services, { hubSpotAnswers: true, dueInSweep: 300 })).untried.length,
    sweep: async (hubSpotAnswers = true) =>
      (await resumeWaiting(services, { hubSpotAnswers, dueInSweep: 300 })).due,
    untilMs: async (id: number) => (await records.read(`contacts#${id}`))?.value.waiting?.untilMs,
  };
}

describe('records whose cause of waiting has ended', () => {
  it('become due as many in a sweep as the rate is worth, and the next sweep makes the others due', async () => {
    const { sweep } = await waitingUntil(
      Array.from({ length: 501 }, (_, id) => NOW_MS + (2 + id) * MINUTE_MS),
    );
    expect([await sweep(), await sweep(), await sweep()]).toEqual([300, 201, 0]);
  });

  it('keep their time where it comes within a minute or is over', async () => {
    const times = [NOW_MS - SECOND_MS, NOW_MS + MINUTE_MS, NOW_MS + MINUTE_MS + 1];
    const { sweep, untilMs } = await waitingUntil(times);
    expect(await sweep()).toBe(1);
    expect(await Promise.all([0, 1, 2].map(untilMs))).toEqual([times[0], times[1], NOW_MS]);
  });
});

describe('records that wait for credits', () => {
  it('cost a sweep one read of the ledger and one look at the budgets', async () => {
    const times = Array.from({ length: 10 }, (_, id) => NOW_MS + (2 + id) * MINUTE_MS);
    const { sweep, reads } = await waitingUntil(times, { reason: 'budget', isAdmitted: true });
    expect(await sweep()).toBe(10);
    expect(reads).toEqual({ ledger: 1, budgets: 1 });
  });

  it('are looked up 100 a sweep, in case their answer is stored', async () => {
    const times = Array.from({ length: 101 }, (_, id) => NOW_MS + id);
    expect(await (await waitingUntil(times, { reason: 'queued', leftCredits: 0 })).untried()).toBe(100);
    expect(await (await waitingUntil(times, { reason: 'queued' })).untried()).toBe(0);
  });
});

describe('records that wait for a refused key', () => {
  const refusedUntil = (probeAtMs: number) => ({ sinceMs: 0, keyHash: 'a', probeAtMs });
  const times = [NOW_MS + HOUR_MS, NOW_MS + HOUR_MS, NOW_MS + HOUR_MS];

  it('keep their time, but one that tries the key when that is due', async () => {
    const early = await waitingUntil(times, { keyRefused: refusedUntil(NOW_MS + 1) });
    expect(await early.sweep()).toBe(0);
    const due = await waitingUntil(times, { keyRefused: refusedUntil(NOW_MS) });
    expect(await due.sweep()).toBe(1);
  });
});

describe('records whose cause of waiting goes on', () => {
  it.each(['worker-gone', 'HUBSPOT_DAILY_LIMIT', 'HUBSPOT_REFUSES', 'HUBSPOT_NOT_FOUND'] as const)(
    'keep their time, although HubSpot answers and the key works: %s',
    async (reason) => {
      const { sweep, untilMs } = await waitingUntil([NOW_MS + HOUR_MS], { reason });
      expect(await sweep()).toBe(0);
      expect(await untilMs(0)).toBe(NOW_MS + HOUR_MS);
    },
  );

  it('keep their time until HubSpot answers', async () => {
    const { sweep } = await waitingUntil([NOW_MS + HOUR_MS], { reason: 'HTTP_TIMEOUT' });
    expect(await sweep(false)).toBe(0);
    expect(await sweep(true)).toBe(1);
  });
});
