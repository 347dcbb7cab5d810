import { type Clock, SECOND_MS } from '#shared/kernel';
import type { ReceivedMessage, ServedQueue } from '#shared/work-queue';
import type { createHandler } from '../../functions/enrich-records/handler.ts';
import { errorText } from './failure.ts';

export interface EventSource {
  readonly queue: ServedQueue;
  readonly handler: ReturnType<typeof createHandler>;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Maximum number of messages in the next batch. */
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
