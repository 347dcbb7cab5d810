export {
  type BatchResponse,
  coalesce,
  failedMessages,
  inRounds,
  isForLater,
  type Job,
  joinJobs,
  type QueuedRecord,
  sortJobs,
} from './coalesce.ts';
export { decodeMessage, encodeMessage, laneOfMessage, NO_RECORD, type WorkMessage } from './message.ts';
export { type Pace, workerLanes, workPaceFor } from './pace.ts';
export {
  type CountedQueue,
  type LaneQueues,
  MAX_RECEIVES,
  type QueueLevels,
  type ReceivedMessage,
  type ServedQueue,
  VISIBILITY_TIMEOUT_S,
  type WorkQueue,
} from './queue.ts';
export { type Backlog, readBacklog, type SweepServices, underLease } from './sweep/sweep-window.ts';
export {
  admitWaiting,
  affordable,
  OLDEST_SHARE,
  REQUEUE_AFTER_MS,
  type Resumed,
  reopenRecord,
  reopenResolved,
  requeueDue,
  resumeWaiting,
} from './sweep/waiting.ts';
