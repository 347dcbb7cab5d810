import type { Tell } from '#inside/alerts/alerts.ts';
import { meterLogger } from '#inside/metrics/log-metrics.ts';
import { openApp } from '#shared/app';
import { type LedgerEntry, readLog } from '#shared/credit-ledger';
import { type Policy, type PolicyInput, parsePolicy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import {
  type Clock,
  clockOffsetMs,
  type Digest,
  type Logger,
  type NewId,
  type Random,
  type ReferenceClock,
  SECOND_MS,
  seededRandom,
} from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { RECORD_PLACES, type RecordItems, type RecordState, recordKind } from '#shared/records';
import { openItems, type Store } from '#shared/store';
import { VENDORS } from '#shared/vendor';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { subscriptionsOf } from '../../infra/local/vendors.ts';
import { createStandInSend } from '../../infra/local/virtual/stand-in-send.ts';
import {
  createDataServiceSandbox,
  type Settings as ServiceSettings,
} from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { VIEWER } from '../../infra/sandbox/hubspot/state.ts';
import type { Script } from '../../infra/sandbox/hubspot/verbs.ts';
import { DATA_SERVICE_URL, HUBSPOT_URL } from './addresses.ts';
import { createFuse, type Fuse } from './fuse.ts';
import { APP_ID, createPortal, type RecordName, TOKEN, WEBHOOK_URL } from './hubspot-portal.ts';
import { createManualClock } from './manual-clock.ts';
import { openMemoryStore } from './memory-items.ts';
import { createMemoryQueue, type MemoryQueue } from './memory-queue.ts';
import { preparedPortal } from './prepared-portal.ts';
import { createProcesses } from './processes.ts';
import { createServer } from './server.ts';
import { lawfulStore } from './store-laws.ts';
import { createStoreTrouble } from './store-trouble.ts';
import type { Watch } from './watch.ts';
import { createWire } from './wire.ts';
import type { Circumstances } from './workers.ts';

export interface WorldOptions {
  /** Seed of all random values: ids, jitter, the portal's behaviour. */
  readonly seed?: number;
  readonly policy?: Omit<PolicyInput, 'budgets'> & { readonly budgets?: PolicyInput['budgets'] };
  readonly dataService?: Partial<ServiceSettings>;
  readonly hubSpot?: Partial<SandboxSettings>;
  /** Whether the receiver recognises our own writes by the app's id. */
  readonly knowsOwnApp?: boolean;
  /** Whether the portal is already pinned, as after `setup`. */
  readonly pinned?: boolean;
  /** Age of the portal at the installation. */
  readonly agedMs?: number;
  /** Retention of the queues; unlimited if absent. */
  readonly retentionMs?: number;
  /** Metrics as CloudWatch would see them; no metrics if absent. */
  readonly watch?: Watch;
  /** Sends alerts to people; no alerts if absent. */
  readonly tell?: Tell;
  /** A new one in memory if absent. */
  readonly store?: Store;
  /** The app's scripts, for a browser. */
  readonly app?: Script | undefined;
  /** Wraps all requests to both services. */
  readonly through?: (send: Send) => Send;
}

/** The stand-in's user may do everything. */
const USERS = [String(VIEWER.userId)];
const SUPPLIED = {
  budgets: { perDay: 1_000 },
  people: { creditsPerDay: 1_000, spend: USERS, decide: USERS, approve: USERS, resume: USERS },
};

const START_MS = Date.UTC(2026, 10, 21, 12);
/** The vendor's own average. */
export const SERVICE_LATENCY_MS = 3_000;

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * Creates the whole system on one virtual clock: the product's own app over SQLite in memory, the real handlers, the
 * stand-ins without sockets, and queues that behave like SQS. The same seed gives the same course.
 */
export async function createWorld(options: WorldOptions = {}) {
  const { seed = 1, watch } = options;
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const policy = parsePolicy({ ...SUPPLIED, ...options.policy });
  const violations: string[] = [];
  const logs: { readonly event: string; readonly fields: unknown }[] = [];
  const logger = meteredLogger(logs, watch);
  const storeTrouble = createStoreTrouble({ random: seededRandom(seed + 2), now: clock.now });
  const onViolation = (what: string) => void violations.push(what);
  const store = storeTrouble.lagging(
    lawfulStore(options.store ?? openMemoryStore(), { policy, onViolation }),
  );
  const queue = () => createQueue(clock, options.retentionMs);
  const queues = { urgent: queue(), live: queue(), bulk: queue() };
  const saved = await preparedPortal(START_MS);
  const receive = async (request: Request) => {
    const status = watch?.turnedAway?.();
    const isShown = request.url.startsWith(`${WEBHOOK_URL}/`);
    if (isShown) return createServer({ services: onlooker, policy, queues, clock, logger })(request);
    const response = status ? new Response('', { status }) : await processes.receive(request);
    watch?.answered(response.status);
    return response;
  };
  const vendors = createVendors({ ...options, policyInForce: policy, clock, seed, saved, receive });
  const changes = createChanges(policy);
  const common = {
    policy,
    digest: DIGEST,
    hubSpot: { baseUrl: HUBSPOT_URL, accessToken: TOKEN },
    random: seededRandom(seed),
    newId: idsOf(seededRandom(seed + 8)),
    logger,
  };
  const open = (of: Store, { fuse, clock: own }: Circumstances) =>
    openApp({
      ...common,
      store: fuse.store(of),
      dataService: { baseUrl: DATA_SERVICE_URL, apiKey: changes.apiKey() },
      otherVendors: OTHER_VENDORS,
      send: (request) =>
        fuse.run(
          () => vendors.wire.send(request),
          request.url.startsWith(HUBSPOT_URL) ? 'hubspot' : 'data-service',
        ),
      clock: own,
      referenceClock: storeClockFor(own, clock),
      metrics: of === store ? undefined : watch?.metrics,
    });
  const failingStore = storeTrouble.failing(store);
  const services = (own: Circumstances) => open(failingStore, own);
  const processes = createProcesses({
    services,
    policy,
    queues,
    clock,
    logger,
    watch,
    random: seededRandom(seed + 5),
    installedAtMs: clock.now() + (options.agedMs ?? 0),
    knowsOwnApp: options.knowsOwnApp ?? true,
    tell: options.tell,
    onCrash: (error) => violations.push(`a worker threw ${error}`),
  });
  const servicesOfPerson = (fuse: Fuse) => open(store, { fuse, clock });
  const onlooker = servicesOfPerson(createFuse());
  const newId = idsOf(seededRandom(seed + 7));
  if (options.pinned ?? true) await onlooker.portal.learn();
  return {
    ...vendors,
    clock,
    policy,
    logger,
    store,
    /** Items of a kind, for a test that reads or changes them by hand. */
    items: <V>(kind: Parameters<typeof openItems<V>>[1]) => openItems({ store }, kind),
    storeTrouble,
    queues,
    logs,
    violations,
    processes,
    ...changes,
    /** API Gateway and the function behind it. */
    receive,
    /** Services for a test that reads the books; services and ids for a command that may be cut off. */
    services: onlooker,
    servicesOfPerson,
    newId,
    /** What a person's command works with, in a process of its own. */
    operator: (fuse = createFuse()) => ({
      ...servicesOfPerson(fuse),
      ...{ policy, clock, newId, logger, installedAtMs: 0, ownAppId: String(APP_ID) },
    }),
    state: async (record: RecordName) => (await onlooker.records.read(recordKind.key(record)))?.value,
    states: () => allStates(onlooker.records),
    ledger: (): Promise<LedgerEntry[]> => Array.fromAsync(readLog(onlooker.ledgerStore)),
  };
}

/** Access to the vendors beside the data service. */
const OTHER_VENDORS = Object.fromEntries(
  VENDORS.map(({ name }) => [name, { baseUrl: `https://${name}.example`, apiKey: 'a key' }]),
);

/** Ids of 16 hexadecimal digits. */
function idsOf(random: Random): NewId {
  const half = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return () => `${half()}${half()}`;
}

/** Changes that a deployment makes. */
function createChanges(policy: Policy) {
  let apiKey = 'sandbox-key';
  return {
    apiKey: () => apiKey,
    /** From now on, the workers use another key for the data service. */
    changeKey: (key: string) => {
      apiKey = key;
    },
    changeBudgets: (changed: Partial<Policy['budgets']>) => void Object.assign(policy.budgets, changed),
    /** Deploys another policy. What the input leaves out has its default. */
    changePolicy: (input: WorldOptions['policy']) =>
      void Object.assign(policy, parsePolicy({ ...SUPPLIED, ...input })),
  };
}

/** The store reports its time in seconds with each answer. */
function storeClockFor(own: Clock, store: Clock): ReferenceClock {
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

async function allStates({ list }: Pick<RecordItems, 'list'>): Promise<readonly RecordState[]> {
  const partitions = RECORD_PLACES.map((place) => recordKind.partition(place));
  return (await Promise.all(partitions.map((partition) => list({ partition })))).flat();
}

/** One for all worlds of a process, because sweeps verify the same entries repeatedly. */
const DIGEST = remembering(createDigest('an installation secret of a test'));

const MOST_REMEMBERED = 2_000;

/** Caches digests, so that each text is digested once. The cache is bounded. */
function remembering({ keyed, sha256 }: Digest): Digest {
  return { keyed: remembered(keyed), sha256: remembered(sha256) };
}

function remembered(digestOf: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text) ?? digestOf(text);
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(text, found);
    return found;
  };
}

function meteredLogger(logs: { event: string; fields: unknown }[], watch: Watch | undefined): Logger {
  const collecting = collectingLogger(logs);
  return watch ? meterLogger(collecting, watch.metrics) : collecting;
}

function collectingLogger(logs: { event: string; fields: unknown }[]): Logger {
  const log = (event: string, fields?: unknown) => void logs.push({ event, fields });
  return { info: log, warn: log, error: log };
}
