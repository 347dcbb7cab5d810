import { ListQueuesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export const QUEUE_NAMES = ['live', 'bulk'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface QueueUrls {
  readonly url: string;
  /** Of its dead-letter queue. */
  readonly deadUrl: string;
}

/** The two work queues and what was given up on. */
export interface Queues {
  readonly sqs: SQSClient;
  readonly urls: Readonly<Record<QueueName, QueueUrls>>;
}

/** The embedded queues, which are known by their names. They are asked for by list: by name, a region is needed. */
export async function embeddedQueues(sqs: SQSClient): Promise<Queues> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const urlOf = (name: string) => {
    const url = QueueUrls.find((each) => each.endsWith(`/${name}`));
    if (!url) throw new Error(`The embedded queue ${name} has an address.`);
    return url;
  };
  const pair = (name: QueueName): QueueUrls => ({ url: urlOf(name), deadUrl: urlOf(`${name}-dead`) });
  return { sqs, urls: { live: pair('live'), bulk: pair('bulk') } };
}
