export { createDynamoStore } from './items.dynamo.ts';
export { isFileBusy, openSqliteStore, type SqliteStore } from './items.sqlite.ts';
export { watchStoreClock } from './store-clock.dynamo.ts';
export { createTogether } from './together.system.ts';
