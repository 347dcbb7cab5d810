import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { SqliteStore } from '#shared/store/adapters';
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

/**
 * Does what DynamoDB does by itself: removes expired items, and deleted bodies from all files. A scrub without a change
 * since the last one reads only the header of an empty log.
 */
export function storeSchedules(
  store: Pick<SqliteStore, 'expire' | 'scrub'>,
  clock: Pick<Clock, 'now'>,
): Schedule[] {
  const expire = async () => {
    await store.expire(clock.now());
    await store.scrub();
  };
  return [
    { name: 'expire', everyMs: HOUR_MS, atOnce: true, run: expire },
    { name: 'scrub', everyMs: MINUTE_MS, run: () => store.scrub() },
  ];
}

interface Until {
  readonly clock: Clock;
  /** Ends the schedules. */
  readonly signal: AbortSignal;
}

/** Works like EventBridge Scheduler. Runs each schedule repeatedly, even after a failed run. */
export async function runSchedules(schedules: readonly Schedule[], until: Until): Promise<void> {
  await Promise.all(schedules.map((schedule) => every(schedule, until)));
}

async function every({ name, everyMs, atOnce, run }: Schedule, until: Until): Promise<void> {
  let waitMs = atOnce ? 0 : everyMs;
  while (await slept(waitMs, until)) {
    waitMs = everyMs;
    try {
      await run();
    } catch (error) {
      console.error(`${name} failed and will run again: ${errorText(error)}`);
    }
  }
}

async function slept(ms: number, { clock, signal }: Until): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
