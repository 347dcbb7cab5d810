import { createPowertoolsLogger, type Invocation } from '#shared/kernel/logger.powertools.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { meterLogger } from './log-metrics.ts';
import { createPowertoolsMetrics } from './metrics.powertools.ts';
import type { Metrics } from './metrics.ts';

/** Log and metrics of one function. */
export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The handler, its log lines with the invocation's id, its metrics written when it ends, well or not. */
  around<E, C, R>(
    handle: (event: E, context: C) => Promise<R>,
  ): (event: E, context: C & Invocation) => Promise<R>;
}

/** @param service the stack's name. */
export function openTelemetry(service: string): Telemetry {
  const log = createPowertoolsLogger(service);
  const metrics = createPowertoolsMetrics(service);
  return {
    logger: meterLogger(log, metrics),
    metrics,
    around: (handle) => async (event, context) => {
      log.invoked(context);
      try {
        return await handle(event, context);
      } finally {
        metrics.flush();
      }
    },
  };
}
