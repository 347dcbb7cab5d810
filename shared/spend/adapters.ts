export { createDynamoStopDays, createSpend } from './stores.dynamo.ts';
