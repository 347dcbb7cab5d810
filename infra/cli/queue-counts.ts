import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { QUEUE_NAMES, type QueueName, type Queues } from './queues.ts';

/** Approximate, as SQS counts. */
export interface QueueCounts {
  readonly queue: QueueName;
  readonly waiting: number;
  /** With a worker at this moment. */
  readonly inHand: number;
  readonly delayed: number;
  /** Given up on after five attempts. */
  readonly deadLetters: number;
}

export function countQueues({ sqs, urls }: Queues): Promise<QueueCounts[]> {
  return Promise.all(
    QUEUE_NAMES.map(async (queue) => {
      const { url, deadUrl } = urls[queue];
      const [live, dead] = await Promise.all([countMessages(sqs, url), countMessages(sqs, deadUrl)]);
      return { queue, ...live, deadLetters: dead.waiting + dead.inHand + dead.delayed };
    }),
  );
}

async function countMessages(sqs: SQSClient, QueueUrl: string) {
  const names = {
    waiting: 'ApproximateNumberOfMessages',
    inHand: 'ApproximateNumberOfMessagesNotVisible',
    delayed: 'ApproximateNumberOfMessagesDelayed',
  } as const;
  const wanted = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: Object.values(names) });
  const { Attributes = {} } = await sqs.send(wanted);
  const count = (name: keyof typeof names) => Number(Attributes[names[name]] ?? 0);
  return { waiting: count('waiting'), inHand: count('inHand'), delayed: count('delayed') };
}
