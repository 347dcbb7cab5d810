import { CreateQueueCommand, GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import type { Lane } from '#shared/crm';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import type { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';

export interface EmbeddedQueues {
  readonly endpoint: string;
  readonly sqs: SQSClient;
  readonly queueUrls: Readonly<Record<Lane, string>>;
  close(): Promise<void>;
}

/** Starts SQS in this process, on 127.0.0.1, behind the same client as on AWS. Any credentials are accepted. */
export async function startEmbeddedQueues(): Promise<EmbeddedQueues> {
  const sqsStore = await newSqsStore();
  // Queue URLs then have the address of the request, not `sqs.<region>.localhost`.
  sqsStore.host = '';
  const stores = { sqsStore } as NonNullable<BuildAppOptions['stores']>;
  const server = buildApp({ logger: false, stores });
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sqs = new SQSClient({ endpoint, region: 'eu-central-1', credentials });
  return {
    endpoint,
    sqs,
    queueUrls: {
      urgent: await createQueue(sqs, 'urgent'),
      live: await createQueue(sqs, 'live'),
      bulk: await createQueue(sqs, 'bulk'),
    },
    close: async () => {
      sqs.destroy();
      await server.close();
    },
  };
}

/** The package does not export its store. */
async function newSqsStore(): Promise<SqsStore> {
  const { href } = new URL('./sqs/sqsStore.js', import.meta.resolve('fauxqs'));
  return new (await import(href)).SqsStore();
}

async function createQueue(sqs: SQSClient, name: Lane): Promise<string> {
  const create = async (QueueName: string, Attributes: Record<string, string> = {}) => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
    return QueueUrl;
  };
  const dead = new GetQueueAttributesCommand({
    QueueUrl: await create(`${name}-dead`),
    AttributeNames: ['QueueArn'],
  });
  const { Attributes } = await sqs.send(dead);
  const redrive = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: MAX_RECEIVES };
  return create(name, {
    VisibilityTimeout: String(VISIBILITY_TIMEOUT_S),
    RedrivePolicy: JSON.stringify(redrive),
  });
}
