export { openTelemetry } from './telemetry.powertools.ts';
