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
export type {
  CountedQueue,
  LaneQueues,
  QueueLevels,
  ReceivedMessage,
  ServedQueue,
  WorkQueue,
} from './queue.ts';
export { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from './queue.ts';
export { admitWaiting, affordable, OLDEST_SHARE } from './sweep/admit.ts';
export { REQUEUE_AFTER_MS, reopenRecord, reopenResolved, requeueDue } from './sweep/requeue.ts';
export { type Resumed, resumeWaiting } from './sweep/resume.ts';
export type { SweepServices } from './sweep/sweep-window.ts';
export { type Backlog, readBacklog, underLease } from './sweep/sweep-window.ts';
