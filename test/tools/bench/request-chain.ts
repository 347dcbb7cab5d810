import { AsyncLocalStorage } from 'node:async_hooks';
import type { Send } from '#shared/http';
import type { Clock } from '#shared/kernel';
import type { AskGateway } from '#shared/questions';
import type { Place } from '#shared/store';
import { createHandler } from '../../../functions/enrich-records/handler.ts';
import { HUBSPOT_URL } from '../../harness/addresses.ts';
import { openMemoryStore } from '../../harness/memory-items.ts';
import { contact } from '../../harness/people.ts';
import { type StoreRequest, watchedStore } from '../../harness/watched-store.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { type Row, table } from './table.ts';

export interface RequestCount {
  /** The longest chain of requests, each of which starts after the one before it has ended. */
  readonly inSequence: number;
  readonly total: number;
}

/** Requests of a part of the path to each service. */
export type PathRequests = Readonly<Record<CountedService, RequestCount>>;

/** `dynamoOfAsking` are the requests to DynamoDB of the ask gateway, `dynamo` all others. */
const SERVICES = ['hubSpot', 'dynamo', 'dynamoOfAsking', 'vendor'] as const;
type CountedService = (typeof SERVICES)[number];

export interface RequestChain {
  readonly enriched: number;
  /** From HubSpot's delivery to the receiver's answer. */
  readonly receiver: PathRequests;
  /** The worker's part, until HubSpot has answered the write. */
  readonly toWrite: PathRequests;
  /** The worker's part, until it has ended. */
  readonly worker: PathRequests;
  /** Each request of the worker in the order of starts, with its place in its chain. */
  readonly requests: readonly string[];
}

/** Measures in virtual time, over the two stand-ins and a store in memory. Counts are the same each time. */
export async function countRequestChain({
  records,
  isWarm = false,
  isAskingApart = true,
}: {
  readonly records: number;
  /** Whether the worker has enriched another contact before. */
  readonly isWarm?: boolean;
  /** `false` counts the requests of the ask gateway as `dynamo`, in one chain with all others. */
  readonly isAskingApart?: boolean;
}): Promise<RequestChain> {
  const watch = createWatch();
  const world = await createWorld({
    policy: { budgets: { perDay: 100_000 } },
    // Fast enough that the rate never postpones a record, which would make another batch.
    dataService: { rateLimitPerMinute: 10_000, latencyMs: 10 },
    store: watch.store,
    through: watch.through,
  });
  watch.useClock(world.clock);
  const worker = workerOf(world, isAskingApart);
  if (isWarm) {
    await contact(world, records);
    await world.portal.sandbox.deliverWebhooks();
    await worker();
  }
  for (let place = 0; place < records; place += 1) await contact(world, place);
  watch.begin();
  await world.portal.sandbox.deliverWebhooks();
  const receiver = watch.counted();
  watch.begin();
  await worker();
  const chain = {
    receiver,
    toWrite: watch.untilWritten(),
    worker: watch.counted(),
    requests: watch.requests(),
  };
  const states = await world.states();
  const enriched = states.filter(({ outcomes }) => outcomes.enriched > 0).length - (isWarm ? 1 : 0);
  return { ...chain, enriched };
}

/** One worker that receives all messages at once, independent of the event source's batch size. */
function workerOf(world: World, isAskingApart: boolean) {
  let made = 0;
  const handle = createHandler({
    ...world.services,
    gateway: isAskingApart ? markAsking(world.services.gateway) : world.services.gateway,
    policy: world.policy,
    clock: world.clock,
    installedAtMs: world.clock.now(),
    ownAppId: '7001',
    newId: () => `id-${++made}`,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    observer: { ended: () => undefined, repeated: () => undefined },
  });
  return async () => {
    const Records = world.queues.live.receive(1_000);
    await handle({ Records }, { getRemainingTimeInMillis: () => 300_000 });
    world.queues.live.remove(Records.map(({ messageId }) => messageId));
  };
}

const asking = new AsyncLocalStorage<true>();

function markAsking({ ask, look, chargeOf, ...others }: AskGateway): AskGateway {
  return {
    ...others,
    look: (question) => asking.run(true, () => look(question)),
    ask: (request) => asking.run(true, () => ask(request)),
    chargeOf: (attempt) => asking.run(true, () => chargeOf(attempt)),
  };
}

interface SeenRequest {
  readonly service: CountedService;
  readonly label: string;
  readonly place: number;
}

/** Gives all requests of a service the same duration, so that parallel requests stay parallel. */
const LATENCY_MS: Readonly<Record<CountedService, number>> = {
  hubSpot: 100,
  dynamo: 5,
  dynamoOfAsking: 5,
  vendor: 0,
};

const NO_ROWS: Readonly<Record<CountedService, number>> = {
  hubSpot: 0,
  dynamo: 0,
  dynamoOfAsking: 0,
  vendor: 0,
};

function createWatch() {
  let clock: Pick<Clock, 'sleep'> | undefined;
  let seen: SeenRequest[] = [];
  let ended = NO_ROWS;
  let written: PathRequests | undefined;
  const counted = (): PathRequests => {
    const countOf = (service: CountedService) => ({
      inSequence: ended[service],
      total: seen.filter((one) => one.service === service).length,
    });
    return {
      hubSpot: countOf('hubSpot'),
      dynamo: countOf('dynamo'),
      dynamoOfAsking: countOf('dynamoOfAsking'),
      vendor: countOf('vendor'),
    };
  };
  const watched = async <R>(service: CountedService, label: string, send: () => Promise<R>): Promise<R> => {
    const place = ended[service] + 1;
    seen.push({ service, label, place });
    await clock?.sleep(LATENCY_MS[service]);
    try {
      return await send();
    } finally {
      ended = { ...ended, [service]: Math.max(ended[service], place) };
    }
  };
  const store = watchedStore(openMemoryStore(), (request, send) =>
    watched(asking.getStore() ? 'dynamoOfAsking' : 'dynamo', labelOf(request), send),
  );
  return {
    store,
    through:
      (send: Send): Send =>
      async (request) => {
        const isHubSpot = request.url.startsWith(HUBSPOT_URL);
        const { pathname } = new URL(request.url);
        const label = `${request.method} ${pathname}`;
        const answer = await watched(isHubSpot ? 'hubSpot' : 'vendor', label, () => send(request));
        if (isHubSpot && pathname.endsWith('/batch/update')) written = counted();
        return answer;
      },
    useClock: (used: Pick<Clock, 'sleep'>) => {
      clock = used;
    },
    begin: () => {
      seen = [];
      ended = NO_ROWS;
      written = undefined;
    },
    counted,
    untilWritten: () => written ?? counted(),
    requests: () => seen.map(({ service, label, place }) => `${service} ${place}: ${label}`),
  };
}

function labelOf(request: StoreRequest): string {
  if (request.kind === 'getMany') return `getMany ${request.places.map(placeName).join(', ')}`;
  if (request.kind === 'transact')
    return `transact ${request.writes.map(({ place }) => placeName(place)).join(', ')}`;
  return `${request.kind} ${request.of.table} ${request.range.partition}`;
}

function placeName({ kind, key }: Place<unknown>): string {
  return `${kind.table} ${key}`;
}

/** Measures requests in sequence, and in total, from a delivered webhook to the written record. */
export async function measureRequestChain(): Promise<string> {
  const rows: Row[] = [];
  for (const { records, isWarm } of [
    { records: 1, isWarm: false },
    { records: 1, isWarm: true },
    { records: 100, isWarm: true },
  ]) {
    const chain = await countRequestChain({ records, isWarm });
    for (const part of ['receiver', 'toWrite', 'worker'] as const)
      rows.push([
        `${records}, ${isWarm ? 'warm' : 'cold'}`,
        part,
        ...SERVICES.flatMap((service) => {
          const { inSequence, total } = chain[part][service];
          return [inSequence, (total / chain.enriched).toFixed(2)];
        }),
      ]);
  }
  const header = [
    'records, worker',
    'part',
    ...SERVICES.flatMap((service) => [`${service} in sequence`, 'a record']),
  ];
  return table(header, rows);
}
