import { type RateLimiterState, rateLimiterStateSchema } from '#inside/rate-limiter/schemas.ts';
import type { ItemWrite } from '#inside/store/items.ts';
import { rateReportOf } from '#inside/vendor/data-service/vendor-client.ts';
import type { Lane } from '#shared/crm';
import {
  type Clock,
  clockOffsetMs,
  correctedClock,
  MINUTE_MS,
  type Random,
  type ReferenceClock,
  SECOND_MS,
  seededRandom,
  wrongClock,
} from '#shared/kernel';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limiter';
import { type RateReport, VENDORS } from '#shared/vendor';
import { createManualClock } from '../harness/manual-clock.ts';
import { createMemoryItems } from '../harness/memory-items.ts';
import { type Counting, createRateServer, headersOf, type RateHeaders } from './rate-limiter-servers.ts';

export const LIMIT = 20;
/** As long as a request may take in the product. */
const REQUEST_TIMEOUT_MS = 30 * SECOND_MS;

export interface WorldOptions {
  readonly seed: number;
  readonly counting: Counting;
  readonly workers: number;
  readonly minutes: number;
  /** Usual time from sending to the answer. */
  readonly latencyMs: number;
  /** Share of requests that take up to ten seconds instead. */
  readonly spikes?: number;
  /** Share of requests whose answer never comes; they may arrive as late as their deadline. */
  readonly lost?: number;
  /** How far the workers' clocks lie apart at most. */
  readonly workerSkewMs?: number;
  /** Of the first workers: how far their clocks are ahead of all others in the middle half of the run. */
  readonly wrongClocksMs?: readonly number[];
  /** How far the server's clock is ahead of ours. */
  readonly serverSkewMs?: number;
  /** Whether answers carry a `Date` header. */
  readonly tellsTime?: boolean;
  /** Requests a minute that somebody else sends with the same key, whenever it has not been refused. */
  readonly othersPerMinute?: number;
  /** The server's limit, and another one from the middle of the run on. */
  readonly limits?: readonly [number, number];
  /** What the workers do; `bulk` unless told. */
  readonly lane?: Lane;
  /** Live questions that arrive at random beside the workers' queue. */
  readonly livePerMinute?: number;
}

export interface Sending {
  readonly lane: Lane;
  readonly askedAtMs: number;
  readonly grantedAtMs: number;
  readonly arrivedAtMs: number;
  readonly admitted: boolean;
  /** What the answer called the reset, on the world's clock. */
  readonly resetAtMs: number;
}

export interface Outcome {
  readonly sent: readonly Sending[];
  readonly refused: number;
  /** Refused requests of the other user of the key. */
  readonly othersRefused: number;
  readonly othersSent: number;
  readonly writes: number;
  /** Admitted requests of ours in the run's minutes after the first, as a share of what the limit allows. */
  readonly share: number;
}

/** Workers that always have a next question, one server, one stored item; all in virtual time. */
export async function runWorld(options: WorldOptions): Promise<Outcome> {
  const world = createWorld(options);
  await Promise.all([
    ...Array.from({ length: options.workers }, (_, worker) => work(world, worker)),
    arriveLive(world),
    actAsOthers(world),
    changeLimit(world),
  ]);
  return outcomeOf(world);
}

type World = ReturnType<typeof createWorld>;

function createWorld(options: WorldOptions) {
  const random = seededRandom(options.seed);
  const startMs = Date.parse('2026-11-18T12:00:00Z') + Math.floor(random() * MINUTE_MS);
  const clock = createManualClock({ startMs, autoAdvance: true });
  const [limit] = options.limits ?? [LIMIT];
  const items = createMemoryItems<RateLimiterState>();
  const world = {
    options,
    random,
    clock,
    endMs: startMs + options.minutes * MINUTE_MS,
    startMs,
    server: createRateServer(options.counting, limit, random),
    serverNow: () => clock.now() + (options.serverSkewMs ?? 0),
    sent: [] as Sending[],
    others: { sent: 0, refused: 0 },
    writes: 0,
    items: {
      read: items.read,
      write: async (change: ItemWrite<RateLimiterState, string>) => {
        world.writes += 1;
        return items.write({ ...change, value: rateLimiterStateSchema.parse(change.value) });
      },
    },
  };
  return world;
}

/** A worker's own clock is off by a constant within the skew that is allowed. */
function clockOf(world: World, worker: number): Clock {
  const { workers, workerSkewMs = 0 } = world.options;
  const offsetMs = workers > 1 ? Math.round((workerSkewMs * worker) / (workers - 1) - workerSkewMs / 2) : 0;
  return { ...world.clock, now: () => world.clock.now() + offsetMs + wrongMs(world, worker) };
}

function wrongMs({ options, clock, startMs, endMs }: World, worker: number): number {
  const quarterMs = (endMs - startMs) / 4;
  const isMiddle = clock.now() >= startMs + quarterMs && clock.now() < endMs - quarterMs;
  return isMiddle ? (options.wrongClocksMs?.[worker] ?? 0) : 0;
}

/** The store answers at once, and tells its time to the second. */
function storeClockOf(world: World, clock: Clock): ReferenceClock {
  const serverMs = () => Math.floor(world.clock.now() / SECOND_MS) * SECOND_MS;
  return {
    offsetMs: () => clockOffsetMs({ serverMs: serverMs(), receivedAtMs: clock.now(), tookMs: 0 }),
  };
}

async function work(world: World, worker: number): Promise<void> {
  const { lane = 'bulk' } = world.options;
  const station = stationOf(world, worker);
  for (let turn = 0; world.clock.now() < world.endMs; turn += 1)
    await ask(world, station, { id: `question-${worker}-${turn}:1`, lane });
}

interface Station {
  readonly clock: Clock;
  readonly referenceClock: ReferenceClock;
  readonly random: Random;
  readonly rateLimiter: RateLimiter;
}

function stationOf(world: World, worker: number): Station {
  const own = clockOf(world, worker);
  const referenceClock = storeClockOf(world, own);
  const clock = correctedClock(own, referenceClock);
  const random = seededRandom(world.options.seed * 1_000 + worker);
  const { items } = world;
  const rateLimiter = createRateLimiter({
    vendor: VENDORS[0],
    items,
    worker: `worker-${worker}`,
    clock,
    random,
  });
  return { clock, referenceClock, random, rateLimiter };
}

/**
 * Waits for a slot as long as it takes, then sends, unless the run is over by then. A worker with a wrong clock takes no
 * slot.
 */
async function ask(world: World, station: Station, { id, lane }: { id: string; lane: Lane }): Promise<void> {
  const { clock, referenceClock, rateLimiter } = station;
  const askedAtMs = world.clock.now();
  while (wrongClock({ referenceClock })) await clock.sleep(MINUTE_MS);
  for (;;) {
    const notAfterMs = clock.now() + 4 * MINUTE_MS;
    const slot = await rateLimiter.acquire({ id, lane, requestTimeoutMs: REQUEST_TIMEOUT_MS, notAfterMs });
    if (world.clock.now() >= world.endMs) return rateLimiter.release(id);
    if (slot.kind === 'granted') return send(world, { id, lane, askedAtMs, ...station });
    await clock.sleep(MINUTE_MS);
  }
}

/** People do things when they do, each with its own worker for a moment. */
async function arriveLive(world: World): Promise<void> {
  const { livePerMinute = 0, seed, workers } = world.options;
  const random = seededRandom(seed + 55);
  const asked: Promise<void>[] = [];
  for (let turn = 0; livePerMinute > 0; turn += 1) {
    await world.clock.sleep((-Math.log(1 - random()) * MINUTE_MS) / livePerMinute);
    if (world.clock.now() >= world.endMs) break;
    const station = stationOf(world, turn % workers);
    asked.push(ask(world, station, { id: `live-${turn}:1`, lane: 'live' }));
  }
  await Promise.all(asked);
}

interface Request extends Station {
  readonly id: string;
  readonly lane: Lane;
  readonly askedAtMs: number;
}

async function send(world: World, request: Request): Promise<void> {
  const { id, lane, askedAtMs, clock, random, rateLimiter } = request;
  const { lost = 0 } = world.options;
  const grantedAtMs = world.clock.now();
  if (random() < lost) {
    await clock.sleep(random() * REQUEST_TIMEOUT_MS);
    judge(world, { lane, askedAtMs, grantedAtMs });
    return;
  }
  const latencyMs = latencyOf(world.options, random);
  const outMs = latencyMs * random();
  const sentAt = clock.monotonic();
  await clock.sleep(outMs);
  const { admitted, headers } = judge(world, { lane, askedAtMs, grantedAtMs });
  await clock.sleep(latencyMs - outMs);
  await rateLimiter.complete({ id, report: reportOf(headers, { clock, sentAt }), limited: !admitted });
}

function judge(world: World, sending: Pick<Sending, 'lane' | 'askedAtMs' | 'grantedAtMs'>) {
  const nowMs = world.serverNow();
  const verdict = world.server.judge(nowMs);
  const { admitted } = verdict;
  const resetAtMs = verdict.resetAtMs - (world.options.serverSkewMs ?? 0);
  world.sent.push({ ...sending, arrivedAtMs: world.clock.now(), admitted, resetAtMs });
  const { tellsTime = true } = world.options;
  return { admitted, headers: headersOf(verdict, { nowMs, tellsTime }) };
}

function latencyOf({ latencyMs, spikes = 0 }: WorldOptions, random: Random): number {
  const spread = latencyMs * (0.7 + 0.6 * random());
  return random() < spikes ? spread + random() * (10 * SECOND_MS - spread) : spread;
}

/** As the product reads the headers. */
export function reportOf(
  { limit, remaining, resetS, dateS }: RateHeaders,
  timing: Parameters<typeof rateReportOf>[1],
): RateReport | undefined {
  const serverDateMs = dateS === undefined ? {} : { serverDateMs: dateS * SECOND_MS };
  return rateReportOf({ limit, remaining, resetAtMs: resetS * SECOND_MS, ...serverDateMs }, timing);
}

async function actAsOthers(world: World): Promise<void> {
  const { othersPerMinute = 0, seed } = world.options;
  const random = seededRandom(seed + 77);
  while (othersPerMinute > 0 && world.clock.now() < world.endMs) {
    await world.clock.sleep((2 * random() * MINUTE_MS) / othersPerMinute);
    world.others.sent += 1;
    if (!world.server.judge(world.serverNow()).admitted) world.others.refused += 1;
  }
}

async function changeLimit({ options, clock, server, startMs, endMs }: World): Promise<void> {
  const [, next] = options.limits ?? [];
  if (next === undefined) return;
  await clock.sleep((endMs - startMs) / 2);
  server.setLimit(next);
}

function outcomeOf({ options, sent, others, startMs, endMs, writes }: World): Outcome {
  const counted = sent.filter(
    ({ admitted, arrivedAtMs }) => admitted && arrivedAtMs >= startMs + MINUTE_MS && arrivedAtMs < endMs,
  );
  return {
    sent,
    refused: sent.filter(({ admitted }) => !admitted).length,
    othersRefused: others.refused,
    othersSent: others.sent,
    writes,
    share: counted.length / (LIMIT * (options.minutes - 1)),
  };
}
