import { LANES, type Lane } from '#shared/crm';

/** An event source of the worker. */
export interface SourcePace {
  /** Maximum number of messages in one batch. */
  readonly batchSize: number;
  /** Maximum number of concurrent invocations. */
  readonly concurrency: number;
}

/** Sizes of the event sources and of a sweep. With these sizes, the vendor's whole rate is used while work waits. */
export interface Pace {
  readonly sources: Readonly<Record<Lane, SourcePace>>;
  /** Number of messages in a lane's queue up to which the sweep admits waiting records. */
  readonly queued: Readonly<Record<Lane, number>>;
  /** Maximum number of records that one sweep requeues in a lane or makes due. */
  readonly dueInSweep: number;
}

/** Minimum sizes. They are enough for 20 requests a minute. */
const MINIMUM: { readonly batchSize: number; readonly queuedBulk: number; readonly dueInSweep: number } = {
  batchSize: 5,
  queuedBulk: 400,
  dueInSweep: 500,
};

/**
 * A bulk batch has the records of ten seconds at the vendor's rate. Two invocations alternate. While one waits for its
 * last answers (3 s on average) and writes to HubSpot, the other one still has records to look up.
 */
const BATCHES_A_MINUTE = 6;

/** Maximum number of records in one request to HubSpot. */
const MAX_IN_BATCH = 100;

/** Without a batching window, SQS delivers at most ten messages in a batch. A window would delay leads. */
const MAX_WITHOUT_WINDOW = 10;

/**
 * Lambda accepts no lower number. Three lanes, the two schedules and two spare invocations fit in the ten invocations
 * of a new account.
 */
const MIN_CONCURRENCY = 2;

/** Requests a minute that two invocations with the largest batches use. */
const RATE_OF_TWO = 600;

/**
 * Minutes of work in a lane's queue. More would delay fresh work. The longest interval of a fast sweep is five minutes.
 */
const QUEUED_MINUTES: Readonly<Record<Lane, number>> = { urgent: 2, live: 2, bulk: 5 };

/**
 * Maximum number of records that a sweep lists from each end of a queue order: about 20 MB of its function's 512 MB.
 */
const MAX_QUEUED = 5_000;

/** Minutes of bulk work to queue at a low rate. Most records of a mass import need no request. */
const SLOW_MINUTES = 20;

/**
 * Derives all sizes from the vendor's rate: event sources on AWS and on a laptop, and the sweep.
 * @param requestsPerMinute from the plan (deployment), or from the vendor's answers (sweep, laptop).
 */
export function workPaceFor(requestsPerMinute: number): Pace {
  const inTenSeconds = Math.ceil(requestsPerMinute / BATCHES_A_MINUTE);
  const bulkBatch = Math.min(MAX_IN_BATCH, Math.max(MINIMUM.batchSize, inTenSeconds));
  const freshBatch = Math.min(MAX_WITHOUT_WINDOW, bulkBatch);
  const concurrency = Math.max(
    MIN_CONCURRENCY,
    Math.ceil((MIN_CONCURRENCY * requestsPerMinute) / RATE_OF_TWO),
  );
  const slowQueue = Math.min(MINIMUM.queuedBulk, SLOW_MINUTES * requestsPerMinute);
  return {
    sources: {
      urgent: { batchSize: freshBatch, concurrency: MIN_CONCURRENCY },
      live: { batchSize: freshBatch, concurrency: MIN_CONCURRENCY },
      bulk: { batchSize: bulkBatch, concurrency },
    },
    queued: {
      urgent: queuedOf('urgent', requestsPerMinute),
      live: queuedOf('live', requestsPerMinute),
      bulk: Math.max(slowQueue, queuedOf('bulk', requestsPerMinute)),
    },
    dueInSweep: Math.max(MINIMUM.dueInSweep, 2 * requestsPerMinute),
  };
}

function queuedOf(lane: Lane, requestsPerMinute: number): number {
  return Math.min(MAX_QUEUED, QUEUED_MINUTES[lane] * requestsPerMinute);
}

/** Lists the lane of each concurrent worker. */
export function workerLanes({ sources }: Pace): readonly Lane[] {
  return LANES.flatMap((lane) => Array.from({ length: sources[lane].concurrency }, () => lane));
}
