export { createDynamoLedgerStore } from './store.dynamo.ts';
