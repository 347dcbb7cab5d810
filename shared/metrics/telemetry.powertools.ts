import { Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';
import type { Logger } from '#shared/kernel';
import { createPowertoolsLogger, type Invocation } from '#shared/kernel/adapters';
import { meterLogger } from './log-metrics.ts';
import { definitionOf, METRICS_NAMESPACE, type Measurement, type Metrics } from './metrics.ts';

/** Logger and metrics of one function. */
export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * Wraps the handler. Its log lines have the invocation's id. Its metrics are written when it ends, even after an
   * error.
   */
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

interface BufferedMetrics extends Metrics {
  /** Writes the buffered measurements, one line for each set of dimensions. */
  flush(): void;
}

/**
 * Writes CloudWatch's embedded metric format to standard output. This needs no request and no wait.
 * @param service the stack's name.
 */
export function createPowertoolsMetrics(service: string): BufferedMetrics {
  let buffered: Measurement[] = [];
  return {
    emit: (measurements) => void buffered.push(...measurements),
    flush: () => {
      const groups = Map.groupBy(buffered, ({ dimensions }) => JSON.stringify(dimensions));
      buffered = [];
      for (const group of groups.values()) publish(service, group);
    },
  };
}

function publish(serviceName: string, measurements: readonly Measurement[]): void {
  const metrics = new PowertoolsMetrics({ namespace: METRICS_NAMESPACE, serviceName });
  metrics.addDimensions({ ...measurements[0]?.dimensions });
  for (const measurement of measurements) {
    const { name, unit } = definitionOf(measurement);
    metrics.addMetric(name, unit, measurement.value);
  }
  metrics.publishStoredMetrics();
}
