export { createBackfills, createExecutions, createPolicies, createRequests } from './stores.dynamo.ts';
