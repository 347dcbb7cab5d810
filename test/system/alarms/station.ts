import { LANES, type Lane } from '#shared/crm';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { contact } from '../../harness/people.ts';
import type { Watch } from '../../harness/watch.ts';
import { createWorld, type World, type WorldOptions } from '../../harness/world.ts';
import { createMetricStore, type MetricStore } from './cloudwatch.ts';
import { measuredSeries } from './series.ts';

type FunctionName = Parameters<Watch['invoked']>[0];

/** What of AWS is out of order; without any of it all runs. */
export interface Disorder {
  /** Functions that Lambda does not start, for want of concurrency. */
  readonly throttled?: readonly FunctionName[];
  /** Functions that end with an error before they do anything. */
  readonly broken?: readonly FunctionName[];
  /** Functions that nobody calls any more: a schedule or an event source is switched off. */
  readonly uncalled?: readonly FunctionName[];
  /** What the API answers by itself. */
  readonly apiStatus?: number;
  /** Whether a person has emptied the keys: scheduled functions then end well and do nothing. */
  readonly withoutKeys?: boolean;
  /** Whether no function may write its log, and with it its metrics. */
  readonly withoutLogs?: boolean;
}

export interface Station {
  readonly world: World;
  readonly store: MetricStore;
  readonly startMs: number;
  disorder(wanted: Disorder): void;
  /** Whether the leads that come are unknown to the data service. */
  strangers(wanted: boolean): void;
  /** Time passes as on AWS: webhooks, workers, schedules, each on its own. */
  live(forMs: number): Promise<void>;
}

export interface StationOptions extends WorldOptions {
  /** How often a lead comes, milliseconds; 0: none. */
  readonly leadEveryMs?: number;
  readonly sweepEveryMs?: number;
  /** How often the queues are read. */
  readonly workEveryMs?: number;
}

/**
 * The system in virtual time, and what CloudWatch is told of it: its own metrics as they are emitted, and AWS's by a
 * small model.
 */
export async function openStation(options: StationOptions = {}): Promise<Station> {
  const { leadEveryMs = 0, sweepEveryMs = MINUTE_MS, workEveryMs = 20 * SECOND_MS } = options;
  const store = createMetricStore();
  let disorder: Disorder = {};
  let areStrangers = false;
  const now = () => world.clock.now();
  const put = (series: string, value: number) => store.put(series, value, now());
  const invoked = (name: string, isWell: boolean) => {
    put(`errors ${name}`, isWell ? 0 : 1);
  };
  /** Whether Lambda lets the function do its work. */
  const starts = (name: FunctionName): boolean => {
    if (disorder.uncalled?.includes(name)) return false;
    if (disorder.throttled?.includes(name)) return false;
    if (disorder.broken?.includes(name)) invoked(name, false);
    else if (disorder.withoutKeys && name === 'reconcile') invoked(name, true);
    else return true;
    return false;
  };
  /** An event source goes on receiving while its function is throttled or broken: SQS counts these deliveries, too. */
  const isReceived = (name: FunctionName) => !disorder.uncalled?.includes(name);
  const answered = (status: number) => {
    put('api-failures', status >= 500 ? 1 : 0);
  };
  const watch: Watch = {
    metrics: {
      emit: (measurements) => {
        for (const one of disorder.withoutLogs ? [] : measurements) put(measuredSeries(one), one.value);
      },
    },
    invoked,
    answered,
    turnedAway: () => disorder.apiStatus ?? (starts('receive-webhook') ? undefined : 503),
  };
  const world = await createWorld({ ...options, watch });
  let leads = 0;
  let strangers = 0;
  const jobs: readonly { readonly everyMs: number; readonly run: () => Promise<unknown> }[] = [
    { everyMs: workEveryMs, run: () => work(world, { starts, isReceived }) },
    { everyMs: MINUTE_MS, run: async () => measureQueues(world, put) },
    { everyMs: sweepEveryMs, run: async () => starts('reconcile') && world.processes.reconcile() },
    { everyMs: HOUR_MS, run: async () => starts('refresh-stale') && world.processes.chooseStale() },
    ...(leadEveryMs
      ? [{ everyMs: leadEveryMs, run: () => lead(world, areStrangers ? KNOWN + strangers++ : leads++) }]
      : []),
  ];
  return {
    world,
    store,
    startMs: now(),
    disorder: (wanted) => {
      disorder = wanted;
    },
    strangers: (wanted) => {
      areStrangers = wanted;
    },
    live: async (forMs) => {
      const untilMs = now() + forMs;
      await Promise.all(jobs.map((job) => again(world, job, untilMs)));
      await world.clock.sleep(untilMs - now());
    },
  };
}

/** Whatever became of the last run. */
async function again(
  { clock }: World,
  { everyMs, run }: { readonly everyMs: number; readonly run: () => Promise<unknown> },
  untilMs: number,
): Promise<void> {
  for (let nextMs = clock.now(); nextMs < untilMs; nextMs += everyMs) {
    if (nextMs > clock.now()) await clock.sleep(nextMs - clock.now());
    await run().catch(() => undefined);
  }
}

interface EventSource {
  readonly starts: (name: FunctionName) => boolean;
  readonly isReceived: (name: FunctionName) => boolean;
}

/** Nobody works on the messages, so they come again after the visibility timeout. */
function receiveAll(queue: World['queues'][Lane]): void {
  while (queue.receive(10).length > 0);
}

async function work(world: World, { starts, isReceived }: EventSource): Promise<void> {
  await world.portal.sandbox.deliverWebhooks();
  const isDue = Object.values(world.queues).some(
    (queue) => (queue.nextVisibleAtMs() ?? Number.POSITIVE_INFINITY) <= world.clock.now(),
  );
  if (!isDue) return;
  if (starts('enrich-records')) await world.processes.work({ workers: 2 });
  else if (isReceived('enrich-records')) for (const queue of Object.values(world.queues)) receiveAll(queue);
}

/** Once a minute, as SQS tells it. */
function measureQueues({ queues, clock }: World, put: (series: string, value: number) => void): void {
  for (const lane of LANES) {
    const sentAtMs = queues[lane].oldestSentAtMs() ?? clock.now();
    put(`oldest-message ${lane}`, (clock.now() - sentAtMs) / SECOND_MS);
    put(`dead-letters ${lane}`, queues[lane].deadLetters().length);
  }
}

/** So many people the stand-in knows for sure; whoever comes after them is unknown to it. */
const KNOWN = 150;

async function lead(world: World, nth: number): Promise<unknown> {
  if (nth < KNOWN) return contact(world, nth);
  return world.portal.create('contacts', { email: `mina.marlowe${nth}@unknown-firm-${nth}.com` });
}
