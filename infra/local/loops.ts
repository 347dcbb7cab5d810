import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { SqliteStore } from '#shared/store/adapters';
import type { ReceivedMessage, ServedQueue } from '#shared/work-queue';
import type { createHandler } from '../../functions/enrich-records/handler.ts';
import { errorText } from './failure.ts';
import type { System } from './system.ts';

interface EventSource {
  readonly queue: ServedQueue;
  readonly handler: ReturnType<typeof createHandler>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly batchSize: () => Promise<number>;
  readonly signal: AbortSignal;
}

/**
 * Works like Lambda's SQS event source. It receives a batch, runs the handler, and deletes all messages except failed
 * ones. When the signal is aborted, it ends after the current batch.
 */
export async function runEventSource(source: EventSource): Promise<void> {
  while (!source.signal.aborted) {
    const messages = await receive(source);
    if (messages.length === 0) continue;
    const failed = await handle(source, messages);
    await source.queue.remove(messages.filter(({ messageId }) => !failed.has(messageId)));
  }
}

async function receive({
  queue,
  clock,
  batchSize,
  signal,
}: EventSource): Promise<readonly ReceivedMessage[]> {
  try {
    return await queue.receive({ most: await batchSize(), waitMs: SECOND_MS, signal });
  } catch (error) {
    if (signal.aborted) return [];
    console.error(`The queue could not be read; the next try is in 1 second: ${errorText(error)}`);
    await clock.sleep(SECOND_MS);
    return [];
  }
}

/** Runs the handler. If the handler throws, the whole batch fails, as on Lambda. */
async function handle(
  { handler, timeoutMs, clock }: EventSource,
  messages: readonly ReceivedMessage[],
): Promise<ReadonlySet<string>> {
  const endsAt = clock.monotonic() + timeoutMs;
  try {
    const response = await handler(
      { Records: [...messages] },
      { getRemainingTimeInMillis: () => endsAt - clock.monotonic() },
    );
    return new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch (error) {
    console.error(`The worker failed and its messages will be delivered again: ${errorText(error)}`);
    return new Set(messages.map(({ messageId }) => messageId));
  }
}

/** Shorter than on AWS, because a person is watching. */
const RECONCILE_EVERY_MS = 15 * SECOND_MS;
const REFRESH_EVERY_MS = MINUTE_MS;

interface Schedule {
  readonly name: string;
  readonly everyMs: number;
  readonly atOnce?: boolean;
  readonly run: () => Promise<unknown>;
}

export function systemSchedules({ reconcile, refreshStale }: System): Schedule[] {
  return [
    { name: 'reconcile', everyMs: RECONCILE_EVERY_MS, atOnce: true, run: reconcile },
    { name: 'refresh-stale', everyMs: REFRESH_EVERY_MS, run: refreshStale },
  ];
}

/**
 * Does what DynamoDB does by itself: removes expired items, and deleted bodies from all files. A scrub without a change
 * since the last one reads only the header of an empty log.
 */
export function storeSchedules(
  store: Pick<SqliteStore, 'expire' | 'scrub'>,
  clock: Pick<Clock, 'now'>,
): Schedule[] {
  const expire = async () => {
    await store.expire(clock.now());
    await store.scrub();
  };
  return [
    { name: 'expire', everyMs: HOUR_MS, atOnce: true, run: expire },
    { name: 'scrub', everyMs: MINUTE_MS, run: () => store.scrub() },
  ];
}

/** Tells of failures of the store's file, at most once a minute: a worker writes them only into its log. */
export function createStoreWatch({ monotonic }: Pick<Clock, 'monotonic'>): (error: unknown) => void {
  let quietUntilMs = 0;
  return (error) => {
    if (monotonic() < quietUntilMs) return;
    quietUntilMs = monotonic() + MINUTE_MS;
    console.error(`The store failed: ${errorText(error)}`);
  };
}

interface Until {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export async function runSchedules(schedules: readonly Schedule[], until: Until): Promise<void> {
  await Promise.all(schedules.map((schedule) => every(schedule, until)));
}

async function every({ name, everyMs, atOnce, run }: Schedule, until: Until): Promise<void> {
  let waitMs = atOnce ? 0 : everyMs;
  while (await slept(waitMs, until)) {
    waitMs = everyMs;
    try {
      await run();
    } catch (error) {
      console.error(`${name} failed and will run again: ${errorText(error)}`);
    }
  }
}

async function slept(ms: number, { clock, signal }: Until): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
