import type { App } from '#shared/app';
import type { Lane } from '#shared/crm';
import type { EnrichmentServices, RecordReport } from '#shared/enrichment';
import type { Clock } from '#shared/kernel';
import { outcomeObserver } from '#shared/metrics';
import { type Pace, type QueuedRecord, workerLanes } from '#shared/work-queue';
import { createHandler } from '../../functions/enrich-records/handler.ts';
import { meterWork } from '../../functions/enrich-records/metered.ts';
import { createFuse, type Fuse, type FusePlan } from './fuse.ts';
import type { MemoryQueue } from './memory-queue.ts';
import { skewed } from './skewed-clock.ts';
import type { Watch } from './watch.ts';

/** As in the stack's event sources. */
const BATCH_SIZE = 5;

/** Faults and clock skew of one process. */
export interface Circumstances {
  readonly fuse: Fuse;
  readonly clock: Clock;
}

interface Received {
  readonly lane: Lane;
  readonly Records: readonly QueuedRecord[];
}

/** Pause of an event source after an empty receive. */
const POLL_MS = 100;

export interface WorkersWish {
  readonly services: (circumstances: Circumstances) => App;
  readonly queues: Readonly<Record<Lane, MemoryQueue>>;
  /** The default timeout. */
  readonly timeoutMs: number;
  readonly common: Pick<
    EnrichmentServices,
    'policy' | 'installedAtMs' | 'ownAppId' | 'clock' | 'newId' | 'logger'
  >;
  readonly watch?: Watch | undefined;
  /** Called if a worker's handler throws without a planned fault. */
  readonly onCrash: (error: unknown) => void;
}

/** Runs `enrich-records` behind its event sources. Each worker has its own services and crashes alone. */
export function createWorkers({ services, queues, common, onCrash, watch, ...limits }: WorkersWish) {
  const reports: RecordReport[] = [];
  const fuses: Fuse[] = [];
  let { timeoutMs } = limits;
  const plans: FusePlan[] = [];
  let skewsMs: readonly number[] = [];

  const startWorker = (place: number) => {
    const fuse = createFuse(common.clock);
    const plan = plans.shift();
    if (plan) fuse.arm(plan);
    fuses.push(fuse);
    const clock = skewed(common.clock, skewsMs[place] ?? 0);
    const observer = reporting(reports, watch);
    const own = services({ fuse, clock });
    const work = createHandler({ ...own, observer, ...common, clock });
    const { hubSpot } = own;
    return { fuse, handle: watch ? meterWork(work, { metrics: watch.metrics, hubSpot, clock }) : work };
  };

  const workOn = async (worker: ReturnType<typeof startWorker>, { lane, Records }: Received) => {
    const failed = await invoke(worker, { Records, clock: common.clock, timeoutMs, onCrash, watch });
    queues[lane].remove(Records.map(({ messageId }) => messageId).filter((id) => !failed.has(id)));
  };

  /**
   * Runs one event-source loop until no message is visible. Starts a worker for each batch, and replaces crashed ones.
   */
  const workOff = async (lane: Lane, place: number): Promise<void> => {
    let worker: ReturnType<typeof startWorker> | undefined;
    for (;;) {
      const Records = queues[lane].receive(BATCH_SIZE);
      if (Records.length === 0) return;
      worker ??= startWorker(place);
      await workOn(worker, { lane, Records });
      if (worker.fuse.isBlown()) worker = undefined;
    }
  };

  return {
    /** How each run ended or was postponed, in order. */
    reports,
    /** Runs event sources with the stack's settings, all at once and with warm workers, until the signal is aborted. */
    poll: (pace: Pace, signal: AbortSignal): Promise<unknown> => {
      const pollAt = async (lane: Lane, place: number) => {
        const worker = startWorker(place);
        while (!signal.aborted) {
          const Records = queues[lane].receive(pace.sources[lane].batchSize);
          await (Records.length > 0 ? workOn(worker, { lane, Records }) : common.clock.sleep(POLL_MS));
        }
      };
      return Promise.all(workerLanes(pace).map(pollAt));
    },
    /**
     * Works off all visible messages: several workers at once for live work, one for each other lane.
     * @param isAbreast whether bulk work runs at the same time; by default it runs last.
     */
    work: async ({ workers = 1, isAbreast = false } = {}): Promise<void> => {
      const live = Array.from({ length: workers }, (_, place) => workOff('live', place));
      await Promise.all([workOff('urgent', 0), ...live, ...(isAbreast ? [workOff('bulk', 0)] : [])]);
      if (!isAbreast) await workOff('bulk', 0);
    },
    /** Plans a fault for the next worker that starts. Further calls plan for the following workers. */
    planForNext: (wanted: FusePlan) => void plans.push(wanted),
    /** Sets how far the workers' wall clocks are ahead from now on, in order; all others are exact. */
    skew: (wantedMs: readonly number[]) => {
      skewsMs = wantedMs;
    },
    /** The fuses of all workers so far, in order. */
    fuses,
    setWorkerTimeout: (ms: number) => {
      timeoutMs = ms;
    },
  };
}

function reporting(reports: RecordReport[], watch: Watch | undefined) {
  return {
    ended: (report: RecordReport) => {
      reports.push(report);
      if (watch) outcomeObserver(watch.metrics).ended(report);
    },
    repeated: () => undefined,
  };
}

interface Invocation extends Pick<WorkersWish, 'onCrash' | 'watch'> {
  readonly Records: readonly QueuedRecord[];
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Simulates Lambda: a worker that throws, crashes or times out fails the whole batch. */
async function invoke(
  { fuse, handle }: { fuse: Fuse; handle: ReturnType<typeof createHandler> },
  { Records, clock, timeoutMs, onCrash, watch }: Invocation,
): Promise<ReadonlySet<string>> {
  const endsAt = clock.monotonic() + timeoutMs;
  const done = new AbortController();
  const timeout = clock.sleep(timeoutMs, done.signal).then(
    () => fuse.blow(),
    () => undefined,
  );
  const everything = new Set(Records.map(({ messageId }) => messageId));
  const working = handle({ Records }, { getRemainingTimeInMillis: () => endsAt - clock.monotonic() }).then(
    ({ batchItemFailures }) => new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)),
    (error: unknown) => {
      if (!fuse.isBlown()) onCrash(error);
      return everything;
    },
  );
  const failed = await Promise.race([working, timeout.then(() => everything)]);
  done.abort();
  const hasEnded = !fuse.isBlown() && failed !== everything;
  watch?.invoked('enrich-records', hasEnded);
  return fuse.isBlown() ? everything : failed;
}
