export { createDynamoStore } from './items.dynamo.ts';
export { isBusy, openSqliteStore, type SqliteStore } from './items.sqlite.ts';
export { watchStoreClock } from './store-clock.dynamo.ts';
