import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Lane } from '#shared/crm';
import { inChunks, UpstreamError } from '#shared/kernel';
import { encodeMessage } from './message.ts';
import type { ServedQueue } from './queue.ts';

/** SQS takes at most ten messages in one request. */
const BATCH = 10;

const LEVELS = {
  waiting: 'ApproximateNumberOfMessages',
  inHand: 'ApproximateNumberOfMessagesNotVisible',
  delayed: 'ApproximateNumberOfMessagesDelayed',
} as const;

export function createSqsQueue({ client, queueUrl }: { client: SQSClient; queueUrl: string }): ServedQueue {
  const QueueUrl = queueUrl;
  const count = async <N extends keyof typeof LEVELS>(...names: readonly N[]) => {
    const AttributeNames = names.map((name) => LEVELS[name]);
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames }),
    );
    return Object.fromEntries(names.map((name) => [name, Number(Attributes[LEVELS[name]] ?? 0)])) as Record<
      N,
      number
    >;
  };
  /** @returns what SQS refused, with its reason. */
  const sendBatch = async (bodies: readonly string[]) => {
    const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    return Failed.map(({ Id, Code }) => ({ body: bodies[Number(Id)] ?? '', code: Code ?? 'no code given' }));
  };
  return {
    send: async (messages) => {
      const batches = [...inChunks(messages.map(encodeMessage), BATCH)];
      const sent = await Promise.allSettled(batches.map(sendBatch));
      // Throws only after all requests have ended, because Lambda freezes a function that returns while requests are in
      // progress.
      const failed = sent.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      const refused = sent.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      if (refused.length === 0) return;
      throw new UpstreamError({
        code: 'QUEUE_REFUSED',
        message: `SQS refused ${refused.length} of ${messages.length} messages: ${refused[0]?.code}.`,
        retryable: true,
      });
    },
    sendBodies: async (bodies) => {
      const refused = new Set<string>();
      for (const some of inChunks(bodies, BATCH))
        for (const { body } of await sendBatch(some)) refused.add(body);
      return refused;
    },
    receive: async ({ most, hiddenMs, waitMs = 0, signal }) => {
      const request = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: most,
        WaitTimeSeconds: Math.ceil(waitMs / 1_000),
        MessageSystemAttributeNames: ['SentTimestamp'],
        ...(hiddenMs !== undefined && { VisibilityTimeout: Math.ceil(hiddenMs / 1_000) }),
      });
      const { Messages = [] } = await client.send(request, signal ? { abortSignal: signal } : {});
      return Messages.map(({ MessageId = '', ReceiptHandle = '', Body = '', Attributes }) => ({
        messageId: MessageId,
        receipt: ReceiptHandle,
        body: Body,
        attributes: { SentTimestamp: Attributes?.SentTimestamp ?? '' },
      }));
    },
    remove: async (messages) => {
      for (const some of inChunks(messages, BATCH)) {
        const Entries = some.map(({ receipt: ReceiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle,
        }));
        await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }
    },
    levels: () => count('waiting', 'inHand', 'delayed'),
    waiting: async () => (await count('waiting')).waiting,
  };
}

export function createSqsQueues(
  client: SQSClient,
  urls: Readonly<Record<Lane, string>>,
): Readonly<Record<Lane, ServedQueue>> {
  const queue = (lane: Lane) => createSqsQueue({ client, queueUrl: urls[lane] });
  return { urgent: queue('urgent'), live: queue('live'), bulk: queue('bulk') };
}
