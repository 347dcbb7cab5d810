import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { systemClock as clock } from '#shared/kernel/adapters';
import { errorText } from './failure.ts';
import type { System } from './system.ts';

/** Shorter than on AWS, because a person is watching. */
const RECONCILE_EVERY_MS = 15 * SECOND_MS;
const REFRESH_EVERY_MS = MINUTE_MS;

export interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  /** Whether the schedule also runs at the start. */
  readonly atOnce?: boolean;
  readonly run: () => Promise<unknown>;
}

export function systemSchedules({ reconcile, refreshStale }: System): Schedule[] {
  return [
    { name: 'reconcile', everyMs: RECONCILE_EVERY_MS, atOnce: true, run: reconcile },
    { name: 'refresh-stale', everyMs: REFRESH_EVERY_MS, run: refreshStale },
  ];
}

/** Works like EventBridge Scheduler. Runs each schedule repeatedly, even after a failed run. */
export async function runSchedules(schedules: readonly Schedule[], signal: AbortSignal): Promise<void> {
  await Promise.all(schedules.map((schedule) => every(schedule, signal)));
}

async function every({ name, everyMs, atOnce, run }: Schedule, signal: AbortSignal): Promise<void> {
  let waitMs = atOnce ? 0 : everyMs;
  while (await slept(waitMs, signal)) {
    waitMs = everyMs;
    try {
      await run();
    } catch (error) {
      console.error(`${name} failed and will run again: ${errorText(error)}`);
    }
  }
}

async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
