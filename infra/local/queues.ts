import { GetQueueAttributesCommand, ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { LANES, type Lane } from '#shared/crm';

export const QUEUE_NAMES = LANES;
export type QueueName = Lane;

export interface QueueUrls {
  readonly url: string;
  /** URL of the dead-letter queue. */
  readonly deadUrl: string;
}

/** The work queues, one for each lane, with their dead-letter queues. */
export interface LocalQueues {
  readonly sqs: SQSClient;
  readonly urls: Readonly<Record<QueueName, QueueUrls>>;
}

/** Finds the embedded queues in the list of all queues, because a request for one name would need a region. */
export async function embeddedQueues(sqs: SQSClient): Promise<LocalQueues> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const urlOf = (name: string) => {
    const url = QueueUrls.find((each) => each.endsWith(`/${name}`));
    if (!url) throw new Error(`The embedded queue ${name} has an address.`);
    return url;
  };
  const pair = (name: QueueName): QueueUrls => ({ url: urlOf(name), deadUrl: urlOf(`${name}-dead`) });
  return { sqs, urls: { urgent: pair('urgent'), live: pair('live'), bulk: pair('bulk') } };
}

/** Counts of a queue, approximate as in SQS. */
export interface QueueCounts {
  readonly queue: QueueName;
  readonly waiting: number;
  /** Messages that a worker has now. */
  readonly inHand: number;
  readonly delayed: number;
  /** Messages that failed too often. */
  readonly deadLetters: number;
}

export function countQueues({ sqs, urls }: LocalQueues): Promise<QueueCounts[]> {
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
