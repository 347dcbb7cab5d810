import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import type { Lane } from '#shared/crm';
import { type Clock, seededRandom } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { createManualClock } from '../../harness/manual-clock.ts';
import { skewed } from '../../harness/skewed-clock.ts';
import { createGovernedWorker } from './limited-worker.ts';
import {
  COUNTINGS,
  type Counting,
  createObservedService,
  LIMIT,
  type ObservedService,
} from './observed-service.ts';
import { createRemoteItems } from './remote-items.ts';
import { percent, seconds, table } from './table.ts';

interface Cell {
  readonly counting: Counting;
  readonly latencyMs: number;
  readonly workers: number;
  readonly lane: Lane;
  /** Requests a minute of a second user of the key, who ignores all limits. */
  readonly secondUserPerMinute: number;
}

interface CellResult {
  /** Share of the allowed rate, after the first window; of both users together. */
  readonly share: number;
  readonly ours429: number;
  readonly theirs429: number;
  readonly writesPerCall: number;
}

const MINUTES = 25;
/** By then, the limiter knows the service's way of counting. */
const LEARNING_MS = 180_000;
export const START_MS = Date.UTC(2026, 10, 21, 12);
/** The clocks of the workers differ by up to two seconds. */
const SKEW_MS = 2_000;

const WORKERS = [1, 2, 8, 32];
const LATENCIES_MS = [50, 3_000];
/** A quarter of the rate. */
const SECOND_USER = 5;

/** Measures the whole grid in virtual time: share of the allowed rate, and answers of 429. */
export async function measureRateShare(): Promise<string> {
  return [
    'Key to ourselves (share of the rate used, our 429s):',
    await measureGrid(0, ({ share, ours429 }) => `${percent(share)}, ${ours429}`),
    `Somebody else asks ${SECOND_USER} times a minute with the same key (share used by both, our 429s, theirs):`,
    await measureGrid(SECOND_USER, (cell) => `${percent(cell.share)}, ${cell.ours429}, ${cell.theirs429}`),
  ].join('\n\n');
}

async function measureGrid(secondUserPerMinute: number, show: (result: CellResult) => string) {
  const rows: string[][] = [];
  for (const counting of COUNTINGS) {
    for (const latencyMs of LATENCIES_MS) {
      const row = [counting, seconds(latencyMs)];
      for (const workers of WORKERS) {
        const cell = { counting, latencyMs, workers, lane: 'live', secondUserPerMinute } as const;
        row.push(show(await measureCell(cell)));
      }
      rows.push(row);
    }
  }
  return table(['counting', 'latency', ...WORKERS.map((count) => `${count} workers`)], rows);
}

/** Measures one cell of the grid in virtual time, with as many calls as the rate limiter allows. */
export async function measureCell(cell: Cell): Promise<CellResult> {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const random = seededRandom(7);
  const service = createObservedService({ clock, random, ...cell });
  const items = createRemoteItems<RateLimiterState>({ clock, random });
  const us = service.user();
  const untilMs = START_MS + MINUTES * 60_000;
  const crew = Array.from({ length: cell.workers }, (_, index) => {
    const offsetMs = cell.workers === 1 ? 0 : (SKEW_MS * index) / (cell.workers - 1);
    const own = skewed(clock, Math.round(offsetMs));
    const worker = createGovernedWorker({
      name: `worker-${index}`,
      items,
      send: us.send,
      clock: own,
      random,
    });
    return workUntil({ worker, clock: own, untilMs: untilMs + offsetMs, lane: cell.lane, service, index });
  });
  const them = service.user();
  const other = askRandomly({ ...cell, send: them.send, clock, random, untilMs, service });
  await Promise.all([...crew, other]);
  const { writes, conflicts } = items.counts();
  return {
    share: shareOf(service.admitted, START_MS + LEARNING_MS),
    ours429: us.refused(),
    theirs429: them.refused(),
    writesPerCall: (writes + conflicts) / service.admitted.length,
  };
}

interface Shift {
  readonly worker: ReturnType<typeof createGovernedWorker>;
  readonly clock: Clock;
  readonly untilMs: number;
  readonly lane: Lane;
  readonly service: ObservedService;
  readonly index: number;
}

async function workUntil({ worker, clock, untilMs, lane, service, index }: Shift): Promise<void> {
  for (let call = 0; clock.now() < untilMs; call += 1) {
    const question = companyQuestion(service, call);
    const waitedMs = await worker.ask({ id: `${index}-${call}`, lane, question, notAfterMs: untilMs });
    if (waitedMs === undefined) return;
  }
}

export function companyQuestion({ world }: ObservedService, nth: number): Question {
  const company = world.companies[nth % world.companies.length];
  return { operation: 'companyProfile', by: { domain: company?.domains[0] ?? '' }, options: [] };
}

interface Other extends Pick<Shift, 'clock' | 'untilMs' | 'service'> {
  readonly secondUserPerMinute: number;
  readonly send: ReturnType<ObservedService['user']>['send'];
  readonly random: () => number;
}

/** The second user, who asks at random times and ignores the headers. */
async function askRandomly(other: Other): Promise<void> {
  const { clock, random, send, untilMs, secondUserPerMinute } = other;
  if (secondUserPerMinute === 0) return;
  const headers = { 'x-api-key': 'sandbox-key' };
  const url = 'https://data.example/api/v1/public/auth';
  for (;;) {
    await clock.sleep((-Math.log(1 - random()) * 60_000) / secondUserPerMinute);
    if (clock.now() > untilMs) return;
    void send({ method: 'GET', url, headers, timeoutMs: 30_000 });
  }
}

/** Measures between two moments with a whole number of windows between them, so that no burst counts in part. */
export function shareOf(admitted: readonly number[], fromMs: number): number {
  const after = admitted.filter((atMs) => atMs >= fromMs).sort((a, b) => a - b);
  const windows = Math.floor((after.length - 1) / LIMIT);
  const [first = 0, last = 0] = [after[0], after[windows * LIMIT]];
  return (windows * 60_000) / (last - first);
}
