import type { LogFields, Logger } from '#shared/kernel';
import { type Measurement, type Metrics, measure } from './metrics.ts';

/**
 * Returns the metrics of a log line. The code that logs an event does not depend on the metrics. CloudWatch metric
 * filters work in the same way, but this function can be tested.
 */
function logMetrics(event: string, fields: LogFields): Measurement[] {
  switch (event) {
    case 'webhook-received':
      return [
        measure('webhookEventsReceived', number(fields.eventCount)),
        measure('webhookRecordsQueued', number(fields.queued)),
      ];
    case 'webhook-refused':
      // An empty delivery is a probe of `doctor`.
      if (fields.eventCount === 0) return [];
      return [measure(fields.status === 401 ? 'webhookSignaturesRefused' : 'webhookBodiesRefused', 1)];
    case 'privacy-deletion-missed':
      return [measure('privacyDeletionsMissed', 1)];
    case 'keys-missing':
      return [measure('keysMissing', 1)];
    case 'hubspot-unavailable':
      return [
        measure('hubSpotUnavailable', 1),
        ...(fields.code === 'HUBSPOT_DAILY_LIMIT' ? [measure('hubSpotDailyLeft', 0)] : []),
      ];
    default:
      return [];
  }
}

/** Wraps the logger, so that its events count as metrics. */
export function meterLogger(logger: Logger, metrics: Metrics): Logger {
  const metered =
    (level: keyof Logger) =>
    (event: string, fields: LogFields = {}) => {
      logger[level](event, fields);
      metrics.emit(logMetrics(event, fields));
    };
  return { info: metered('info'), warn: metered('warn'), error: metered('error') };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
