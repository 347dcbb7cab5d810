import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inChunks } from '#shared/kernel';
import type { createHandler } from '../../functions/enrich-records/handler.ts';
import { errorText } from './failure.ts';

export interface EventSource {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly handler: ReturnType<typeof createHandler>;
  readonly timeoutMs: number;
  /** Maximum number of messages in the next batch. */
  readonly batchSize: () => Promise<number>;
  readonly signal: AbortSignal;
}

/** Maximum of SQS for one receive or delete. */
const MOST_AT_ONCE = 10;

/**
 * Works like Lambda's SQS event source. It receives a batch, runs the handler, and deletes all messages except failed
 * ones. When the signal is aborted, it ends after the current batch.
 */
export async function runEventSource(source: EventSource): Promise<void> {
  const { sqs, queueUrl, signal } = source;
  while (!signal.aborted) {
    const messages = await receive(source);
    if (messages.length === 0) continue;
    const failed = await handle(source, messages);
    const done = messages.filter(({ MessageId }) => MessageId && !failed.has(MessageId));
    if (done.length === 0) continue;
    for (const some of inChunks(done, MOST_AT_ONCE)) {
      const Entries = some.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }
}

/** Waits for a first message. Then it receives more without waiting, up to the batch size. */
async function receive(source: EventSource): Promise<Message[]> {
  const batchSize = await source.batchSize();
  const messages = await receiveSome(source, { most: Math.min(batchSize, MOST_AT_ONCE), waitS: 1 });
  while (messages.length > 0 && messages.length < batchSize) {
    const most = Math.min(batchSize - messages.length, MOST_AT_ONCE);
    const more = await receiveSome(source, { most, waitS: 0 });
    if (more.length === 0) break;
    messages.push(...more);
  }
  return messages;
}

async function receiveSome(
  { sqs, queueUrl, signal }: EventSource,
  { most, waitS }: { readonly most: number; readonly waitS: number },
): Promise<Message[]> {
  const request = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: most,
    WaitTimeSeconds: waitS,
    MessageSystemAttributeNames: ['SentTimestamp'],
  });
  try {
    return (await sqs.send(request, { abortSignal: signal })).Messages ?? [];
  } catch (error) {
    if (signal.aborted) return [];
    console.error(`The queue could not be read; the next try is in 1 second: ${errorText(error)}`);
    await sleep(1_000);
    return [];
  }
}

/** Runs the handler. If the handler throws, the whole batch fails, as on Lambda. */
async function handle(
  { handler, timeoutMs }: EventSource,
  messages: readonly Message[],
): Promise<ReadonlySet<string>> {
  const Records = messages.map(({ MessageId = '', Body = '', Attributes }) => ({
    messageId: MessageId,
    body: Body,
    attributes: { SentTimestamp: Attributes?.SentTimestamp ?? '' },
  }));
  const endsAt = performance.now() + timeoutMs;
  try {
    const response = await handler(
      { Records },
      { getRemainingTimeInMillis: () => endsAt - performance.now() },
    );
    return new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  } catch (error) {
    console.error(`The worker failed and its messages will be delivered again: ${errorText(error)}`);
    return new Set(Records.map(({ messageId }) => messageId));
  }
}
