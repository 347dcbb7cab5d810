import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pace, workerLanes, workPaceFor } from '#shared/work-queue';

/** Seconds that an invocation has no use for slots: the data service's answer and the write to HubSpot. */
const OVERHEAD_S = 5;

describe('sizes that follow the rate of the data service', () => {
  it.each([
    [20, { batches: [5, 5, 5], workers: 6, queued: [40, 40, 400], dueInSweep: 500 }],
    [100, { batches: [10, 10, 17], workers: 6, queued: [200, 200, 500], dueInSweep: 500 }],
    [300, { batches: [10, 10, 50], workers: 6, queued: [600, 600, 1_500], dueInSweep: 600 }],
    [600, { batches: [10, 10, 100], workers: 6, queued: [1_200, 1_200, 3_000], dueInSweep: 1_200 }],
    [1_000, { batches: [10, 10, 100], workers: 8, queued: [2_000, 2_000, 5_000], dueInSweep: 2_000 }],
  ])('at %d requests a minute', (rate, expected) => {
    expect(shown(workPaceFor(rate))).toEqual(expected);
  });

  it('name a lane for each worker, the urgent one first', () => {
    expect(workerLanes(workPaceFor(20))).toEqual(['urgent', 'urgent', 'live', 'live', 'bulk', 'bulk']);
  });

  it('keep all but one bulk invocation busy while one waits, keep within HubSpot and SQS, and never shrink with the rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (rate) => {
        const { sources, queued, dueInSweep } = workPaceFor(rate);
        const { batchSize, concurrency } = sources.bulk;
        expect((batchSize * (concurrency - 1)) / (rate / 60)).toBeGreaterThanOrEqual(OVERHEAD_S);
        expect(batchSize).toBeLessThanOrEqual(100);
        expect(Math.max(sources.live.batchSize, sources.urgent.batchSize)).toBeLessThanOrEqual(10);
        expect(Math.min(...Object.values(sources).map((source) => source.concurrency))).toBeGreaterThan(1);
        const faster = workPaceFor(rate + 1);
        expect(faster.queued.bulk).toBeGreaterThanOrEqual(queued.bulk);
        expect(faster.dueInSweep).toBeGreaterThanOrEqual(dueInSweep);
        // A sweep comes every minute, and what it admits must last until the next one.
        expect(Math.min(queued.live, queued.bulk, dueInSweep)).toBeGreaterThan(rate);
      }),
    );
  });
});

function shown({ sources, queued, dueInSweep }: Pace) {
  const lanes = [sources.urgent, sources.live, sources.bulk];
  return {
    batches: lanes.map(({ batchSize }) => batchSize),
    workers: workerLanes({ sources, queued, dueInSweep }).length,
    queued: [queued.urgent, queued.live, queued.bulk],
    dueInSweep,
  };
}
