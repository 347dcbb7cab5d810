import { LANES, type Lane } from '#shared/crm';

/** An event source of the worker. */
export interface SourcePace {
  /** Most messages of one batch. */
  readonly batchSize: number;
  /** Most invocations at once. */
  readonly concurrency: number;
}

/** How much work the event sources and a sweep take on, so that the vendor's rate is used while work waits. */
export interface Pace {
  readonly sources: Readonly<Record<Lane, SourcePace>>;
  /** The sweep admits waiting records until a lane's queue holds so many messages. */
  readonly queued: Readonly<Record<Lane, number>>;
  /** Records that one sweep requeues in a lane, or makes due. */
  readonly dueInSweep: number;
}

/** As today at 20 requests a minute. */
const LEAST: { readonly batchSize: number; readonly queuedBulk: number; readonly dueInSweep: number } = {
  batchSize: 5,
  queuedBulk: 400,
  dueInSweep: 500,
};

/**
 * A bulk batch holds ten seconds of the rate. While one of two invocations waits for its last answers (3 s on average)
 * and writes to HubSpot, the other one still has records to ask about.
 */
const BATCHES_A_MINUTE = 6;

/** Records of one request to HubSpot. */
const MOST_IN_BATCH = 100;

/** SQS hands out more messages only to a source that waits to collect them. A lead must not wait. */
const MOST_WITHOUT_WINDOW = 10;

/** Lambda takes no fewer. Three lanes, the two schedules and two free places fit in a new account's ten. */
const LEAST_CONCURRENCY = 2;

/** Two invocations of the largest batches use this rate. */
const RATE_OF_TWO = 600;

/** Minutes of work in a lane's queue. Fresh work would wait behind more; the longest interval of a fast sweep is five. */
const QUEUED_MINUTES: Readonly<Record<Lane, number>> = { urgent: 2, live: 2, bulk: 5 };

/** A sweep lists this many states from each end of a queue order: some 20 MB, of the 512 that its function has. */
const MOST_QUEUED = 5_000;

/** Below this, so many bulk records are queued as 20 minutes need: most often records of a mass need no request. */
const SLOW_MINUTES = 20;

/**
 * The only place that derives sizes from the vendor's rate: event sources of the stack and of the laptop, and the sweep.
 * @param requestsPerMinute as the plan has it (deployment), or as the vendor's answers told it (sweep, laptop).
 */
export function workPaceFor(requestsPerMinute: number): Pace {
  const inTenSeconds = Math.ceil(requestsPerMinute / BATCHES_A_MINUTE);
  const bulkBatch = Math.min(MOST_IN_BATCH, Math.max(LEAST.batchSize, inTenSeconds));
  const freshBatch = Math.min(MOST_WITHOUT_WINDOW, bulkBatch);
  const concurrency = Math.max(
    LEAST_CONCURRENCY,
    Math.ceil((LEAST_CONCURRENCY * requestsPerMinute) / RATE_OF_TWO),
  );
  const slowQueue = Math.min(LEAST.queuedBulk, SLOW_MINUTES * requestsPerMinute);
  return {
    sources: {
      urgent: { batchSize: freshBatch, concurrency: LEAST_CONCURRENCY },
      live: { batchSize: freshBatch, concurrency: LEAST_CONCURRENCY },
      bulk: { batchSize: bulkBatch, concurrency },
    },
    queued: {
      urgent: queuedOf('urgent', requestsPerMinute),
      live: queuedOf('live', requestsPerMinute),
      bulk: Math.max(slowQueue, queuedOf('bulk', requestsPerMinute)),
    },
    dueInSweep: Math.max(LEAST.dueInSweep, 2 * requestsPerMinute),
  };
}

function queuedOf(lane: Lane, requestsPerMinute: number): number {
  return Math.min(MOST_QUEUED, QUEUED_MINUTES[lane] * requestsPerMinute);
}

/** The lane of each worker that works at once. */
export function workerLanes({ sources }: Pace): readonly Lane[] {
  return LANES.flatMap((lane) => Array.from({ length: sources[lane].concurrency }, () => lane));
}
