import { GetQueueAttributesCommand, ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { LANES, type Lane } from '#shared/crm';

export const QUEUE_NAMES = LANES;
export type QueueName = Lane;

export interface QueueUrls {
  readonly url: string;
  /** Of its dead-letter queue. */
  readonly deadUrl: string;
}

/** The work queues, one a lane, and what was given up on. */
export interface LocalQueues {
  readonly sqs: SQSClient;
  readonly urls: Readonly<Record<QueueName, QueueUrls>>;
}

/** The embedded queues, which are known by their names. They are asked for by list: by name, a region is needed. */
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

/** Approximate, as SQS counts. */
export interface QueueCounts {
  readonly queue: QueueName;
  readonly waiting: number;
  /** With a worker at this moment. */
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
