export { metricsEnvSchema } from './env.ts';
export { readGauges } from './gauges.ts';
export { createHubSpotGauges } from './hubspot-gauges.ts';
export { type Metrics, measure } from './metrics.ts';
export { METRICS, METRICS_NAMESPACE, type MetricId, SERVICE_DIMENSION } from './names.ts';
export { meterGateway, meterLedger, meterVendor } from './question-metrics.ts';
export { meterRecords, outcomeObserver } from './record-metrics.ts';
