import type { Clock } from '#shared/kernel';
import { createHandler } from '../../../functions/enrich-records/handler.ts';
import { openMemoryStore } from '../../harness/memory-items.ts';
import { contact } from '../../harness/people.ts';
import { watchedStore } from '../../harness/watched-store.ts';
import { createWorld, type World } from '../../harness/world.ts';

/** Equal for all requests of a service, so that parallel requests stay parallel. */
const [STORE_MS, HUBSPOT_MS] = [5, 100];

export interface StoreRequests {
  /** The longest chain of requests, each of which starts after the one before it has ended. */
  readonly inSequence: number;
  readonly total: number;
}

/**
 * Counts the worker's requests to the store for new contacts in one batch, in virtual time. The worker has enriched
 * another contact before.
 */
export async function countStoreRequests(records: number): Promise<StoreRequests> {
  const watch = createWatch();
  const world = await createWorld({
    policy: { budgets: { perDay: 100_000 } },
    // Fast enough that the rate never postpones a record, which would make another batch.
    dataService: { rateLimitPerMinute: 10_000, latencyMs: 10 },
    hubSpot: { latencyMs: HUBSPOT_MS },
    store: watch.store,
  });
  watch.useClock(world.clock);
  const worker = workerOf(world);
  const work = async () => {
    await world.portal.sandbox.deliverWebhooks();
    watch.begin();
    await worker();
    return watch.counted();
  };
  await contact(world, records);
  await work();
  for (let place = 0; place < records; place += 1) await contact(world, place);
  return work();
}

/** A worker that has started. Each call works on all messages at once, whatever the event source's batch size. */
export function workerOf(world: World): () => Promise<void> {
  const handle = createHandler({
    ...world.services,
    policy: world.policy,
    clock: world.clock,
    installedAtMs: world.clock.now(),
    ownAppId: undefined,
    newId: world.newId,
    logger: world.logger,
    observer: { ended: () => undefined, repeated: () => undefined },
  });
  return async () => {
    const Records = world.queues.live.receive(1_000);
    await handle({ Records }, { getRemainingTimeInMillis: () => 300_000 });
    world.queues.live.remove(Records.map(({ messageId }) => messageId));
  };
}

function createWatch() {
  let clock: Pick<Clock, 'sleep'> | undefined;
  let counts: StoreRequests = { inSequence: 0, total: 0 };
  const store = watchedStore(openMemoryStore(), async (_, send) => {
    const place = counts.inSequence + 1;
    counts = { ...counts, total: counts.total + 1 };
    await clock?.sleep(STORE_MS);
    try {
      return await send();
    } finally {
      counts = { ...counts, inSequence: Math.max(counts.inSequence, place) };
    }
  });
  return {
    store,
    useClock: (used: Pick<Clock, 'sleep'>) => {
      clock = used;
    },
    begin: () => {
      counts = { inSequence: 0, total: 0 };
    },
    counted: () => counts,
  };
}
