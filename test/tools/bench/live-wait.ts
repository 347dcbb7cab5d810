import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import { MINUTE_MS, type Random, seededRandom } from '#shared/kernel';
import { createManualClock, type ManualClock } from '../../harness/manual-clock.ts';
import { skewed } from '../../harness/skewed-clock.ts';
import { createGovernedWorker, type GovernedWorker } from './limited-worker.ts';
import {
  COUNTINGS,
  type Counting,
  createObservedService,
  LIMIT,
  type ObservedService,
} from './observed-service.ts';
import { companyQuestion, START_MS, shareOf } from './rate-share.ts';
import { createRemoteItems } from './remote-items.ts';
import { percent, percentile, seconds, table } from './table.ts';

const BULK_QUESTIONS = 10_000;
/** Two functions of ten records each work on the bulk queue at the same time, because Lambda allows no fewer. */
const BULK_WORKERS = 2;
const BULK_AT_ONCE = 10;
const LIVE_PER_MINUTE = LIMIT / 10;
const LATENCY_MS = 3_000;
const FOREVER = Number.MAX_SAFE_INTEGER;

/** Measures how long live questions wait for a slot while bulk ones use up the rate. In virtual time. */
export async function measureLiveWait(): Promise<string> {
  const rows = [];
  for (const counting of COUNTINGS) {
    const { waitsMs, share } = await waitAmongBulk(counting);
    const [median, most] = [percentile(waitsMs, 0.5), percentile(waitsMs, 0.99)];
    rows.push([counting, waitsMs.length, seconds(median), seconds(most), percent(share)]);
  }
  const header = ['counting', 'live questions', 'wait, 50th', 'wait, 99th', 'share of the rate used'];
  return table(header, rows);
}

async function waitAmongBulk(counting: Counting) {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const random = seededRandom(11);
  const service = createObservedService({ clock, random, counting, latencyMs: LATENCY_MS });
  const items = createRemoteItems<RateLimiterState>({ clock, random });
  const { send } = service.user();
  const worker = (name: string, offsetMs: number) =>
    createGovernedWorker({ name, items, send, clock: skewed(clock, offsetMs), random });
  const queue = { left: BULK_QUESTIONS };
  const bulk = Array.from({ length: BULK_WORKERS * BULK_AT_ONCE }, (_, index) => index);
  const crew = Array.from({ length: BULK_WORKERS }, (_, index) => worker(`bulk-${index}`, 700 * index));
  const working = bulk.map((index) => workOff({ worker: crew[index % BULK_WORKERS], queue, service, index }));
  const asking = askLive({ worker: worker('live', 1_900), queue, service, clock, random });
  await Promise.all(working);
  return { waitsMs: await asking, share: shareOf(service.admitted, START_MS + 3 * MINUTE_MS) };
}

interface Bulk {
  readonly worker: GovernedWorker | undefined;
  readonly queue: { left: number };
  readonly service: ObservedService;
  readonly index: number;
}

async function workOff({ worker, queue, service, index }: Bulk): Promise<void> {
  while (queue.left > 0) {
    queue.left -= 1;
    const id = `bulk-${index}-${queue.left}`;
    await worker?.ask({
      id,
      lane: 'bulk',
      question: companyQuestion(service, queue.left),
      notAfterMs: FOREVER,
    });
  }
}

interface Live {
  readonly worker: GovernedWorker;
  readonly queue: { left: number };
  readonly service: ObservedService;
  readonly clock: ManualClock;
  readonly random: Random;
}

/** Sends live questions at random times. @returns the wait of each, in milliseconds. */
async function askLive({ worker, queue, service, clock, random }: Live): Promise<number[]> {
  const waits: Promise<number | undefined>[] = [];
  while (queue.left > 0) {
    await clock.sleep((-Math.log(1 - random()) * MINUTE_MS) / LIVE_PER_MINUTE);
    const question = companyQuestion(service, waits.length);
    waits.push(worker.ask({ id: `live-${waits.length}`, lane: 'live', question, notAfterMs: FOREVER }));
  }
  return (await Promise.all(waits)).flatMap((waitedMs) => waitedMs ?? []);
}
