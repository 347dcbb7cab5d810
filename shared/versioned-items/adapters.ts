export { createDynamoItems } from './store.dynamo.ts';
export { watchStoreClock } from './store-clock.dynamo.ts';
