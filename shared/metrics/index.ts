export { metricsEnvSchema } from './env.ts';
export { createHubSpotGauges, type GaugeSources, type HubSpotGaugeSources, readGauges } from './gauges.ts';
export { meterGateway, meterLedger, meterRecords, meterVendor, outcomeObserver } from './metered.ts';
export {
  METRICS,
  METRICS_NAMESPACE,
  type MetricId,
  type Metrics,
  measure,
  SERVICE_DIMENSION,
} from './metrics.ts';
