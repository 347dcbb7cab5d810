import type { Clock } from '#shared/kernel';
import { type Metrics, measure } from '#shared/metrics';
import type { BatchResponse } from '#shared/work-queue';
import type { QueueEvent, TimeLeft } from './handler.ts';

type Work = (event: QueueEvent, context: TimeLeft) => Promise<BatchResponse>;

interface Meters {
  readonly metrics: Metrics;
  /** The part of HubSpot's client that knows what is left of the day. */
  readonly hubSpot: {
    dailyLimit(): { readonly limit: number; readonly remaining: number; readonly atMs: number } | undefined;
    pausedUntil(urgency: 'bulk'): Promise<number | undefined>;
  };
  readonly clock: Pick<Clock, 'now'>;
}

/** The worker, counting messages that failed, and telling what HubSpot leaves for today. */
export function meterWork(work: Work, { metrics, hubSpot, clock }: Meters): Work {
  return async (event, context) => {
    const startedMs = clock.now();
    const response = await work(event, context);
    const failed = response.batchItemFailures.length;
    if (failed > 0) metrics.emit([measure('messagesFailed', failed)]);
    // Only answers to other requests than searches tell it; while work is held back for its sake, what was told last holds.
    const limit = hubSpot.dailyLimit();
    const isTold = limit && (limit.atMs > startedMs || (await hubSpot.pausedUntil('bulk')) !== undefined);
    if (isTold) metrics.emit([measure('hubSpotDailyLeft', (limit.remaining / limit.limit) * 100)]);
    return response;
  };
}
