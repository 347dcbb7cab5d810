import { GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Lane } from '#shared/crm';
import { UpstreamError } from '#shared/kernel';
import { encodeMessage, type WorkMessage } from './message.ts';
import type { CountedQueue } from './queue.ts';

/** SQS takes at most ten messages in one request. */
const BATCH = 10;

export function createSqsQueue({ client, queueUrl }: { client: SQSClient; queueUrl: string }): CountedQueue {
  return {
    send: async (messages) => {
      const batches = Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
        messages.slice(index * BATCH, (index + 1) * BATCH),
      );
      const sent = await Promise.allSettled(batches.map((batch) => sendBatch(client, { queueUrl, batch })));
      // Throws only after all requests have ended, because Lambda freezes a function that returns while requests are in
      // progress.
      const refused = sent.find((result) => result.status === 'rejected');
      if (refused) throw refused.reason;
    },
    waiting: async () => {
      const AttributeNames = ['ApproximateNumberOfMessages' as const];
      const answer = await client.send(new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames }));
      return Number(answer.Attributes?.['ApproximateNumberOfMessages'] ?? 0);
    },
  };
}

export function createSqsQueues(
  client: SQSClient,
  urls: Readonly<Record<Lane, string>>,
): Readonly<Record<Lane, CountedQueue>> {
  const queue = (lane: Lane) => createSqsQueue({ client, queueUrl: urls[lane] });
  return { urgent: queue('urgent'), live: queue('live'), bulk: queue('bulk') };
}

async function sendBatch(
  client: SQSClient,
  { queueUrl, batch }: { queueUrl: string; batch: readonly WorkMessage[] },
) {
  const Entries = batch.map((message, index) => ({ Id: String(index), MessageBody: encodeMessage(message) }));
  const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  if (Failed.length === 0) return;
  throw new UpstreamError({
    code: 'QUEUE_REFUSED',
    message: `SQS refused ${Failed.length} of ${batch.length} messages: ${Failed[0]?.Code ?? 'no code given'}.`,
    retryable: true,
  });
}
