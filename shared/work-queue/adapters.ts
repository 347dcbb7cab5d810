export { createSqsQueue, createSqsQueues } from './queue.sqs.ts';
