export { openTelemetry } from './telemetry.powertools.ts';
export { countThrottles } from './throttles.dynamo.ts';
