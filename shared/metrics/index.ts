export { metricsEnvSchema } from './env.ts';
export { createHubSpotGauges, type GaugeSources, type HubSpotGaugeSources, readGauges } from './gauges.ts';
export {
  METRICS,
  METRICS_NAMESPACE,
  type MetricId,
  type Metrics,
  measure,
  meterGateway,
  meterLedger,
  meterRecords,
  meterVendor,
  outcomeObserver,
  SERVICE_DIMENSION,
} from './metrics.ts';
