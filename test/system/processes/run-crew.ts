import { randomUUID } from 'node:crypto';
// biome-ignore lint/plugin: the leases of a killed process end in real time, without an event
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, openApp } from '#shared/app';
import { readLog } from '#shared/credit-ledger';
import { parsePolicy } from '#shared/field-policy';
import { seededRandom } from '#shared/kernel';
import { systemClock as clock, createDigest, systemIds as newId } from '#shared/kernel/adapters';
import { finishAbandoned, questionKey } from '#shared/questions';
import type { Settings } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { type CountedService, createCountedService, subjectOf } from './counted-service.ts';
import { startWorker, type Worker } from './crew.ts';
import type { WorkerSettings } from './messages.ts';
import { connectStore, type OpenedStore, type StoreAddress } from './open-tables.ts';
import { listQuestions } from './question-list.ts';

export const TIME_ZONE = 'UTC';
const WORKERS = 8;
const VICTIM = 3;
/** The victim is killed when the data service has done the work of this request of its, and has not answered yet. */
const LAST_REQUEST_OF_VICTIM = 3;
/** Short enough for a test; a request without an answer counts as doubtful five seconds after that. */
const REQUEST_TIMEOUT_MS = 3_000;

const RATE = 0.045;
/** Nine doubts in all: twenty open ones would stop the crew. */
export const FAULTS = [
  { kind: 'status', rate: RATE, times: 2 },
  { kind: 'status', status: 503, afterWork: true, rate: RATE, times: 1 },
  { kind: 'reset-before', rate: RATE, times: 1 },
  { kind: 'reset-after', rate: RATE, times: 2 },
  { kind: 'malformed', rate: RATE, times: 2 },
  { kind: 'hang', rate: RATE, times: 1 },
  // The first two that meet no other fault: under the seed alone it would depend on how many requests there are.
  { kind: 'slow', latencyMs: 400, rate: 1, times: 2 },
] as const satisfies Settings['faults'];
/** Under this seed all of them strike early and far enough apart: three doubts in a row stop the crew. */
const SEED = 528_700;

export type Finished = Awaited<ReturnType<typeof runCrew>>;

/** Lets the crew work, kills one in the middle, finishes what it left, and lets a new worker do its work again. */
export async function runCrew(count: number, store: OpenedStore) {
  const service = createCountedService({ latencyMs: 20, rateLimitPerMinute: 100_000, faults: FAULTS }, SEED);
  const questions = listQuestions(service.sandbox.world, { count, random: seededRandom(SEED) });
  const settings = crewSettings(store.address, Math.floor(questions.costCredits / 2));
  const onlooker = openBooks(settings);
  const shares = Array.from({ length: WORKERS }, (_, worker) =>
    questions.all.filter((_, index) => index % WORKERS === worker),
  );
  const workers = await startCrew(service, settings);
  await Promise.all(workers.map((worker, index) => worker.work(shares[index] ?? [])));
  await finishAll(onlooker.questions);
  const share = shares[VICTIM] ?? [];
  const substitute = await startWorker({ ...settings, dataServiceUrl: (await service.open()).url });
  await substitute.work(share);
  await finishAll(onlooker.questions);

  const log = await Array.fromAsync(readLog(onlooker.ledgerStore));
  const { posted = 0, pending = 0, doubtful = 0 } = log.at(-1)?.totals.lifetime ?? {};
  return {
    service,
    workers,
    victim: workers[VICTIM] ?? substitute,
    substitute,
    share: share.length,
    log,
    readLog: () => readLog(onlooker.ledgerStore),
    lifetime: { posted, pending, doubtful },
    open: log.at(-1)?.open ?? [],
    budgets: { perDay: settings.budgetPerDay },
    digest: onlooker.digest,
    bill: service.sandbox.bill(),
    faultsStruck: service.sandbox.state().faultProgress.struck,
    reasons: counted([...workers, substitute]),
    subjects: new Map(questions.distinct.map((one) => [questionKey(one, onlooker.digest), subjectOf(one)])),
    close: async () => {
      await service.close();
      await store.close();
    },
  };
}

function crewSettings(store: StoreAddress, budgetPerDay: number): WorkerSettings {
  return {
    store,
    dataServiceUrl: '',
    installationSecret: randomUUID(),
    budgetPerDay,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    concurrency: 2,
    patienceMs: 3_000,
  };
}

/** Each worker has a door of its own to the data service, so that one can be caught in the act. */
async function startCrew(service: CountedService, settings: WorkerSettings): Promise<Worker[]> {
  let victim: Worker | undefined;
  const starting = Array.from({ length: WORKERS }, async (_, index) => {
    const door = await service.open((requests) => {
      if (index === VICTIM && requests === LAST_REQUEST_OF_VICTIM) victim?.kill();
    });
    return startWorker({ ...settings, dataServiceUrl: door.url });
  });
  const workers = await Promise.all(starting);
  victim = workers[VICTIM];
  return workers;
}

/** As the sweep does, with no grace: until nothing but doubts is open. */
async function finishAll(questions: App['questions']): Promise<void> {
  for (;;) {
    await finishAbandoned(questions, { graceMs: 0 });
    const open = await questions.ledger.openReservations();
    if (open.every(({ state }) => state === 'doubtful')) return;
    await sleep(100);
  }
}

/** Reads the books and finishes what was abandoned; asks nothing. */
function openBooks(settings: WorkerSettings): App {
  const { installationSecret } = settings;
  const policy = parsePolicy({ budgets: { perDay: settings.budgetPerDay } });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  return openApp({
    store: connectStore(settings.store, policy),
    digest: createDigest(installationSecret),
    policy,
    dataService: { baseUrl: 'http://127.0.0.1:9', apiKey: 'none' },
    hubSpot: { accessToken: 'none' },
    send: () => Promise.reject(new Error('The onlooker asks nothing.')),
    clock,
    random: seededRandom(SEED),
    newId,
    logger: silent,
  });
}

function counted(workers: readonly Worker[]): ReadonlyMap<string, number> {
  const reasons = new Map<string, number>();
  for (const { reason } of workers.flatMap(({ ended }) => ended)) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return reasons;
}
