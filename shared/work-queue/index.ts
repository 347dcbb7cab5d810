export {
  type BatchResponse,
  coalesce,
  failedMessages,
  isForLater,
  type Job,
  joinJobs,
  type QueuedRecord,
  sortJobs,
} from './coalesce.ts';
export { decodeMessage, encodeMessage, laneOfMessage, type WorkMessage } from './message.ts';
export type { CountedQueue, WorkQueue } from './queue.ts';
