import { describe, expect, it } from 'vitest';
import { runSchedules, type Schedule, systemSchedules } from '../../../../infra/local/schedules.ts';
import type { System } from '../../../../infra/local/system.ts';
import { createManualClock } from '../../../../infra/local/virtual/manual-clock.ts';

const A_DAY_MS = 86_400_000;

/** How often each ran before the first that was awaited. */
async function runsUntil(schedules: readonly Omit<Schedule, 'run'>[], awaited: string) {
  const runOutcome = new AbortController();
  const ran = Promise.withResolvers<void>();
  const runs: string[] = [];
  const run = (name: string) => async () => {
    runs.push(name);
    if (name === awaited) ran.resolve();
  };
  const running = runSchedules(
    schedules.map((schedule) => ({ ...schedule, run: run(schedule.name) })),
    { clock: createManualClock({ startMs: 0, autoAdvance: true }), signal: runOutcome.signal },
  );
  await ran.promise;
  runOutcome.abort();
  await running;
  return runs;
}

describe('a schedule', () => {
  it('waits for its time, or runs at the start as well', async () => {
    const now = { name: 'now', everyMs: A_DAY_MS, atOnce: true };
    const later = { name: 'later', everyMs: A_DAY_MS };
    expect(await runsUntil([later, now], 'now')).toEqual(['now']);
    expect(await runsUntil([later, { name: 'soon', everyMs: 20 }], 'soon')).toEqual(['soon']);
  });

  it('of the system begins with a sweep, which finds what an earlier process left', () => {
    const nothing = async () => undefined;
    const system = { reconcile: nothing, refreshStale: nothing } as unknown as System;
    const atOnce = systemSchedules(system).filter((schedule) => schedule.atOnce);
    expect(atOnce.map(({ name }) => name)).toEqual(['reconcile']);
  });
});
