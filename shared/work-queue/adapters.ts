export { openSqliteQueues, type SqliteQueues } from './queue.sqlite.ts';
export { createSqsQueue, createSqsQueues } from './queue.sqs.ts';
