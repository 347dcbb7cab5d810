export { createRateReader } from './stores.dynamo.ts';
