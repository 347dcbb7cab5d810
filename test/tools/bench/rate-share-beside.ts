import { type RateLimiterState, rateLimiterStateSchema } from '#inside/rate-limiter/schemas.ts';
import { MINUTE_MS } from '#shared/kernel';
import { systemClock as clock, systemRandom as random } from '#shared/kernel/adapters';
import type { Question } from '#shared/questions';
import { openVendor } from '#shared/vendor/adapters';
import { plainItems } from '../../harness/memory-items.ts';
import { type CountedDynamo, startCountedDynamo } from './counted-dynamo.ts';
import { createGovernedWorker } from './limited-worker.ts';
import {
  createObservedService,
  LIMIT,
  type ObservedService,
  SERVICE_URL,
  type User,
} from './observed-service.ts';
import {
  backoffLimiter,
  bottleneckLimiter,
  type Call,
  flexibleLimiter,
  type LimiterMaker,
} from './other-limiters.ts';
import { percent, type Row, table } from './table.ts';

const WORKERS = 8;
const LATENCY_MS = 3_000;
/** Three minutes: the first window, and two more, which a sliding count needs. */
const DURATION_MS = MINUTE_MS + 2 * (MINUTE_MS + LATENCY_MS) + 12_000;
const TIMEOUT_MS = 30_000;

/** Runs all side by side in real time, each with its own service, for a little more than three minutes. */
export async function measureRateShareBeside(): Promise<string> {
  const dynamo = await startCountedDynamo();
  try {
    const rows = await Promise.all([
      measureOurs(dynamo),
      measureOther('rate-limiter-flexible, DynamoDB', flexibleLimiter(dynamo)),
      measureOther('bottleneck', bottleneckLimiter),
      measureOther('retry on 429 with backoff', backoffLimiter),
    ]);
    const title = `${WORKERS} workers, sliding, ${LATENCY_MS / 1_000} s, real time, two windows after the first:`;
    return [title, table(['', 'share of the rate', '429s'], rows)].join('\n\n');
  } finally {
    await dynamo.close();
  }
}

async function measureOurs(dynamo: CountedDynamo): Promise<Row> {
  const parse = (stored: unknown): RateLimiterState => rateLimiterStateSchema.parse(stored);
  return measureCrew('ours', ({ service, user, untilMs }) => {
    const items = plainItems(dynamo.store, { parse });
    return Array.from({ length: WORKERS }, async (_, index) => {
      const worker = createGovernedWorker({ name: `worker-${index}`, items, send: user.send, clock, random });
      for (let call = 0; clock.now() < untilMs; call += 1) {
        const question = companyQuestion(service, call);
        const waited = await worker.ask({
          id: `${index}-${call}`,
          lane: 'live',
          question,
          notAfterMs: untilMs,
        });
        if (waited === undefined) return;
      }
    });
  });
}

async function measureOther(name: string, make: LimiterMaker): Promise<Row> {
  const limiters = await Promise.all(Array.from({ length: WORKERS }, () => make(WORKERS)));
  return measureCrew(name, ({ service, user, untilMs }) =>
    limiters.map(async (limited) => {
      for (let call = 0; clock.now() < untilMs; call += 1) await limited(plainCall({ service, user, call }));
    }),
  );
}

interface Crew {
  readonly service: ObservedService;
  readonly user: User;
  readonly untilMs: number;
}

async function measureCrew(name: string, start: (crew: Crew) => readonly Promise<void>[]): Promise<Row> {
  const service = createObservedService({ clock, random, latencyMs: LATENCY_MS });
  const startMs = clock.now();
  const [user, untilMs] = [service.user(), startMs + DURATION_MS];
  const over = clock.sleep(DURATION_MS);
  // Does not wait for workers that still wait at the end.
  await Promise.race([Promise.all(start({ service, user, untilMs })), over]);
  await over;
  const admitted = service.admitted.filter((atMs) => atMs < untilMs);
  return [name, percent(shareOf(admitted, startMs + MINUTE_MS)), user.refused()];
}

function plainCall({ service, user, call }: { service: ObservedService; user: User; call: number }): Call {
  const vendor = openVendor({
    baseUrl: SERVICE_URL,
    apiKey: 'sandbox-key',
    send: user.send,
    clock,
    random: () => 0,
    timeoutMs: TIMEOUT_MS,
  });
  return async () => {
    const result = await vendor.ask(companyQuestion(service, call), { timeoutMs: TIMEOUT_MS });
    const limited = result.kind === 'declined' && result.why === 'rate-limited';
    const report = 'report' in result ? result.report : undefined;
    return { limited, resetInMs: Math.max(100, report?.resetInMs ?? MINUTE_MS) };
  };
}

function companyQuestion({ world }: ObservedService, nth: number): Question {
  const company = world.companies[nth % world.companies.length];
  return { operation: 'companyProfile', by: { domain: company?.domains[0] ?? '' }, options: [] };
}

/** Measures between two moments with a whole number of windows between them, so that no burst counts in part. */
function shareOf(admitted: readonly number[], fromMs: number): number {
  const after = admitted.filter((atMs) => atMs >= fromMs).sort((a, b) => a - b);
  const windows = Math.floor((after.length - 1) / LIMIT);
  const [first = 0, last = 0] = [after[0], after[windows * LIMIT]];
  return (windows * MINUTE_MS) / (last - first);
}
