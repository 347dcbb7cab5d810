import type { Clock } from '#shared/kernel';
import { type Metrics, measure } from '#shared/metrics';
import type { BatchResponse } from '#shared/work-queue';
import type { QueueEvent, TimeLeft } from './handler.ts';

type Work = (event: QueueEvent, context: TimeLeft) => Promise<BatchResponse>;

interface Meters {
  readonly metrics: Metrics;
  /** The part of HubSpot's client that returns today's remaining requests. */
  readonly hubSpot: {
    dailyLimit(): { readonly limit: number; readonly remaining: number; readonly atMs: number } | undefined;
    pausedUntil(urgency: 'bulk'): Promise<number | undefined>;
  };
  readonly clock: Pick<Clock, 'now'>;
}

/** Wraps the worker. Counts failed messages, and measures today's remaining HubSpot requests. */
export function meterWork(work: Work, { metrics, hubSpot, clock }: Meters): Work {
  return async (event, context) => {
    const startedMs = clock.now();
    const response = await work(event, context);
    const failed = response.batchItemFailures.length;
    if (failed > 0) metrics.emit([measure('messagesFailed', failed)]);
    // Answers to searches do not have this figure. While bulk work is paused because of the figure, the last one stays
    // valid.
    const limit = hubSpot.dailyLimit();
    const isPaused = (await hubSpot.pausedUntil('bulk')) !== undefined;
    if (limit && (limit.atMs > startedMs || isPaused))
      metrics.emit([measure('hubSpotDailyLeft', (limit.remaining / limit.limit) * 100)]);
    // Imports and refreshes wait until midnight.
    if (isPaused) metrics.emit([measure('hubSpotUnavailable', 1)]);
    return response;
  };
}
