import type { Tell } from '#inside/alerts/alerts.ts';
import type { LedgerEntry } from '#inside/credit-ledger/schemas.ts';
import { readLog } from '#inside/credit-ledger/store.ts';
import { type Policy, type PolicyInput, parsePolicy } from '#inside/field-policy/policy.ts';
import type { Send } from '#inside/http/http-request.ts';
import { type Clock, clockOffsetMs, SECOND_MS } from '#inside/kernel/clock.ts';
import type { NewId } from '#inside/kernel/ids.ts';
import type { Logger } from '#inside/kernel/logger.ts';
import { type Random, seededRandom } from '#inside/kernel/random.ts';
import { meterLogger } from '#inside/metrics/log-metrics.ts';
import { measure } from '#inside/metrics/metrics.ts';
import { RECORD_PLACES } from '#inside/records/record-state.ts';
import type { RecordState } from '#inside/records/schemas.ts';
import { recordKind } from '#inside/records/stored-kinds.ts';
import type { StoreClock } from '#inside/versioned-items/store-clock.ts';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#inside/work-queue/redelivery.ts';
import { subscriptionsOf } from '../../infra/local/vendors.ts';
import type { MemoryDynamo } from '../../infra/local/virtual/memory-dynamo.ts';
import { createMemoryQueue, type MemoryQueue } from '../../infra/local/virtual/memory-queue.ts';
import { createStandInSend } from '../../infra/local/virtual/stand-in-send.ts';
import {
  createDataServiceSandbox,
  type Settings as ServiceSettings,
} from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { Script } from '../../infra/sandbox/hubspot/extensions/script.ts';
import type { SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createFuse, type Fuse } from './fuse.ts';
import { createPortal, type RecordName, WEBHOOK_URL } from './hubspot-portal.ts';
import { createManualClock } from './manual-clock.ts';
import { preparedPortal } from './prepared-portal.ts';
import { createProcesses } from './processes.ts';
import { createServer } from './server.ts';
import { createServices, DATA_SERVICE_URL, HUBSPOT_URL } from './services.ts';
import { createStoreTrouble } from './store-trouble.ts';
import { createStores, failing, lagging } from './stores.ts';
import type { Watch } from './watch.ts';
import { createWire } from './wire.ts';
import type { Circumstances } from './workers.ts';

export interface WorldOptions {
  /** Of everything that is drawn: ids, jitter, the portal's whims. */
  readonly seed?: number;
  readonly policy?: Omit<PolicyInput, 'budgets'> & { readonly budgets?: PolicyInput['budgets'] };
  readonly dataService?: Partial<ServiceSettings>;
  readonly hubSpot?: Partial<SandboxSettings>;
  /** Whether the receiver can tell our own writes by the app's id. */
  readonly knowsOwnApp?: boolean;
  /** Whether the portal is pinned already, as `setup` leaves it. */
  readonly pinned?: boolean;
  /** How long the portal was there before the installation. */
  readonly agedMs?: number;
  /** How long the queues keep a message; for ever without it. */
  readonly retentionMs?: number;
  /** What CloudWatch would see of it; metrics are emitted only where somebody watches. */
  readonly watch?: Watch;
  /** Says what people are to know; nobody is told without it. */
  readonly tell?: Tell;
  /** Behind the adapters that are used on AWS; plain memory without it. */
  readonly dynamo?: MemoryDynamo;
  /** What the app shows, for a browser. */
  readonly app?: Script | undefined;
  /** Stands between the system and both services. */
  readonly through?: (send: Send) => Send;
}

const START_MS = Date.UTC(2026, 10, 21, 12);
/** The vendor's own average. */
export const SERVICE_LATENCY_MS = 3_000;

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * The whole system on one virtual clock: the real handlers and clients, the real stand-ins without sockets,
 * memory stores, and queues that behave like SQS. The same course for the same seed.
 */
export async function createWorld(options: WorldOptions = {}) {
  const { seed = 1, watch } = options;
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const policy = parsePolicy({ budgets: { perDay: 1_000 }, ...options.policy });
  const violations: string[] = [];
  const logs: { readonly event: string; readonly fields: unknown }[] = [];
  const logger = meteredLogger(logs, watch);
  const storeTrouble = createStoreTrouble({
    random: seededRandom(seed + 2),
    now: clock.now,
    // The SDK tells of each, whether it repeats the request or gives up.
    onThrottle: () => watch?.metrics.emit([measure('storeThrottled', 1)]),
  });
  const stores = lagging(
    createStores(policy, (what) => violations.push(what), options.dynamo),
    storeTrouble,
  );
  const queue = () => createQueue(clock, options.retentionMs);
  const queues = { urgent: queue(), live: queue(), bulk: queue() };
  const saved = await preparedPortal(START_MS);
  const receive = async (request: Request) => {
    const status = watch?.turnedAway?.();
    const isShown = request.url.startsWith(`${WEBHOOK_URL}/`);
    if (isShown) return createServer({ services: onlooker, queues, clock, logger })(request);
    const response = status ? new Response('', { status }) : await processes.receive(request);
    watch?.answered(response.status);
    return response;
  };
  const vendors = createVendors({ ...options, policyInForce: policy, clock, seed, saved, receive });
  const [random, { send }] = [seededRandom(seed), vendors.wire];
  const shared = { stores: failing(stores, storeTrouble), policy, send, random, metrics: watch?.metrics };
  const changes = createChanges(policy);
  const storeTime = (own: Clock) => ({ storeClock: storeClockFor(own, clock) });
  const services = (worker: string, own: Circumstances) =>
    createServices({ ...shared, ...own, ...changes.keys(), ...storeTime(own.clock), worker });
  const processes = createProcesses({
    ...{ services, policy, queues, clock, logger, watch },
    random: seededRandom(seed + 5),
    installedAtMs: clock.now() + (options.agedMs ?? 0),
    ...{ knowsOwnApp: options.knowsOwnApp ?? true, tell: options.tell },
    onCrash: (error) => violations.push(`a worker threw ${error}`),
  });
  const sight = { worker: 'onlooker', clock, ...storeTime(clock), stores, metrics: undefined };
  const servicesOfPerson = (fuse: Fuse) => createServices({ ...shared, ...sight, fuse });
  const onlooker = servicesOfPerson(createFuse());
  if (options.pinned ?? true) await onlooker.portal.learn();
  return {
    ...vendors,
    clock,
    policy,
    stores,
    storeTrouble,
    queues,
    logs,
    violations,
    processes,
    ...changes,
    /** The door: API Gateway and the function behind it. */
    receive,
    /** Services for a test that looks into the books; services and ids for a command that may be cut off. */
    ...{ services: onlooker, servicesOfPerson, newId: idsOf(seededRandom(seed + 7)) },
    state: async (record: RecordName) => (await stores.records.read(recordKind.key(record)))?.value,
    states: () => allStates(stores.records.list),
    ledger: (): Promise<LedgerEntry[]> => Array.fromAsync(readLog(stores.ledger, 'default')),
  };
}

/** Ids of 16 hexadecimal digits. */
function idsOf(random: Random): NewId {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return () => `${half()}${half()}`;
}

/** What a deployment changes. */
function createChanges({ budgets }: Policy) {
  let apiKey: string | undefined;
  return {
    keys: () => ({ apiKey }),
    /** The workers have another key for the data service from now on. */
    changeKey: (key: string) => {
      apiKey = key;
    },
    changeBudgets: (changed: Partial<Policy['budgets']>) => void Object.assign(budgets, changed),
  };
}

/** The store tells its time to the second, with each answer. */
function storeClockFor(own: Clock, store: Clock): StoreClock {
  const serverMs = () => Math.floor(store.now() / SECOND_MS) * SECOND_MS;
  return {
    offsetMs: () => clockOffsetMs({ serverMs: serverMs(), receivedAtMs: own.now(), tookMs: 0 }),
  };
}

function createQueue(clock: Clock, retentionMs: number | undefined): MemoryQueue {
  const visibilityMs = VISIBILITY_TIMEOUT_S * SECOND_MS;
  return createMemoryQueue({ clock, visibilityMs, maxReceiveCount: MAX_RECEIVES, retentionMs });
}

interface VendorsWish extends WorldOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly saved: unknown;
  readonly receive: (request: Request) => Promise<Response>;
  readonly policyInForce: Policy;
}

/** The two stand-ins, and the wire to them. */
function createVendors(wish: VendorsWish) {
  const { clock, seed, saved, receive } = wish;
  const settings = { latencyMs: SERVICE_LATENCY_MS, ...wish.dataService };
  const dataService = createDataServiceSandbox({ clock, settings });
  const portal = createPortal({
    clock,
    seed: seed + 1,
    settings: { subscriptions: subscriptionsOf(wish.policyInForce), ...wish.hubSpot },
    saved,
    receive,
    app: wish.app,
  });
  const hosts = {
    [new URL(DATA_SERVICE_URL).host]: dataService.handle,
    [new URL(HUBSPOT_URL).host]: portal.sandbox.handle,
  };
  return {
    dataService,
    portal,
    wire: createWire((wish.through ?? ((send) => send))(createStandInSend({ clock, hosts }))),
    changeService: async (change: Partial<ServiceSettings>) => {
      const init = { method: 'PUT', body: JSON.stringify(change) };
      const changed = await dataService.handle(new Request(`${DATA_SERVICE_URL}/_sandbox/settings`, init));
      if (!changed.ok) throw new Error(await changed.text());
    },
    charged: () => dataService.bill().creditsCharged,
  };
}

type List = (query: { partition: string; limit: number }) => Promise<readonly RecordState[]>;

async function allStates(list: List): Promise<readonly RecordState[]> {
  const found = await Promise.all(RECORD_PLACES.map((partition) => list({ partition, limit: 100_000 })));
  return found.flat();
}

function meteredLogger(logs: { event: string; fields: unknown }[], watch: Watch | undefined): Logger {
  const collecting = collectingLogger(logs);
  return watch ? meterLogger(collecting, watch.metrics) : collecting;
}

function collectingLogger(logs: { event: string; fields: unknown }[]): Logger {
  const log = (event: string, fields?: unknown) => void logs.push({ event, fields });
  return { info: log, warn: log, error: log };
}
