export { openItems, type Storage } from './open-items.dynamo.ts';
export { watchStoreClock } from './store-clock.dynamo.ts';
