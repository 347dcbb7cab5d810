import type { Lane } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { workerLanes, workPaceFor } from '#shared/work-queue';
import { WORKER_TIMEOUT_MS } from '../system.ts';
import type { World } from './world.ts';

/** An action of a person or of another app at its time. */
export interface TimedAction {
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly run: () => Promise<unknown>;
}

/** Intervals of the schedules. */
export interface VisitIntervals {
  /**
   * Interval of the sweep after a sweep that admitted no record. After any other sweep the interval is five minutes.
   */
  readonly sweepMs: number;
  readonly refreshMs: number;
}

export const WORKING: VisitIntervals = { sweepMs: 2 * HOUR_MS, refreshMs: 12 * HOUR_MS };
/** For months without new records. */
export const IDLE: VisitIntervals = { sweepMs: DAY_MS, refreshMs: DAY_MS };

const BUSY_MS = 5 * MINUTE_MS;

/** Simulates all events until a time, in order, with webhooks, workers and schedules. */
export async function passTime(
  world: World,
  { actions, untilMs, pace }: { actions: readonly TimedAction[]; untilMs: number; pace: VisitIntervals },
): Promise<void> {
  const { clock, system } = world;
  const coming = actions.filter(({ atMs }) => atMs < untilMs).sort((a, b) => a.atMs - b.atMs);
  let [sweepAtMs, refreshAtMs] = [clock.now(), clock.now()];
  for (;;) {
    for (let next = coming[0]; next && next.atMs <= clock.now(); next = coming[0]) {
      coming.shift();
      await next.run();
    }
    await workOffQueues(world);
    if (refreshAtMs <= clock.now()) {
      await system.refreshStale();
      refreshAtMs = clock.now() + pace.refreshMs;
    }
    if (sweepAtMs <= clock.now()) {
      const { requeued } = await system.reconcile();
      await workOffQueues(world);
      sweepAtMs = clock.now() + (requeued > 0 ? Math.min(BUSY_MS, pace.sweepMs) : pace.sweepMs);
    }
    const nextMs = Math.min(coming[0]?.atMs ?? untilMs, sweepAtMs, refreshAtMs, untilMs);
    if (clock.now() >= untilMs) return;
    await clock.sleep(nextMs - clock.now());
  }
}

/** Delivers webhooks and processes the queues until no webhook and no message is left. */
async function workOffQueues(world: World): Promise<void> {
  for (;;) {
    const { requests } = await world.hubSpot.deliverWebhooks();
    const pace = workPaceFor(await world.system.services.ratePerMinute());
    const worked = await Promise.all(
      workerLanes(pace).map((lane) => drain(world, { lane, ...pace.sources[lane] })),
    );
    if (requests === 0 && !worked.includes(true)) return;
  }
}

/** Processes one queue as an event source. @returns whether the queue had a message. */
async function drain(
  { queues, system, clock }: World,
  { lane, batchSize }: { readonly lane: Lane; readonly batchSize: number },
): Promise<boolean> {
  for (let isIdle = true; ; isIdle = false) {
    const Records = queues[lane].receive(batchSize);
    if (Records.length === 0) return !isIdle;
    const endsAtMs = clock.monotonic() + WORKER_TIMEOUT_MS;
    const { batchItemFailures } = await system.enrichRecords(
      { Records },
      { getRemainingTimeInMillis: () => endsAtMs - clock.monotonic() },
    );
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    queues[lane].remove(Records.map(({ messageId }) => messageId).filter((id) => !failed.has(id)));
  }
}
