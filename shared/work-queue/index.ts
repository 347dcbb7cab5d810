export {
  type BatchResponse,
  coalesce,
  failedMessages,
  type Job,
  joinJobs,
  type QueuedRecord,
} from './coalesce.ts';
export { decodeMessage, encodeMessage, laneOfMessage, type WorkMessage } from './message.ts';
export type { CountedQueue, WorkQueue } from './queue.ts';
