import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { LANES, type Lane } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import type { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { listenGuarded } from './guarded-server.ts';
import { createTables } from './tables.ts';

export interface QueuedMessage {
  readonly queue: Lane;
  readonly body: string;
}

/** Where the embedded services answer, and the secret that they ask for. */
export interface AwsAccess {
  readonly endpoint: string;
  readonly secret: string;
}

export interface EmbeddedAws {
  readonly access: AwsAccess;
  readonly dynamo: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  readonly queueUrls: Readonly<Record<Lane, string>>;
  /** Messages that no worker has finished. The embedded queues lose them when they stop. */
  unfinished(): readonly QueuedMessage[];
  /** Queues the unfinished messages of an earlier process again. */
  restore(messages: readonly QueuedMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** Clients of embedded services, of this process or of another one. */
export function awsClients({ endpoint, secret }: AwsAccess) {
  const credentials = { accessKeyId: secret, secretAccessKey: 'local' };
  const access = { endpoint, region: 'eu-central-1', credentials };
  const client = new DynamoDBClient(access);
  const sqs = new SQSClient(access);
  return {
    client,
    dynamo: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    sqs,
    destroy: () => {
      client.destroy();
      sqs.destroy();
    },
  };
}

/**
 * Starts DynamoDB and SQS in this process, behind the same clients as on AWS. Only who knows the secret of this start
 * reaches them. Tables are stored in `folder`, or in memory.
 */
export async function startEmbeddedAws({
  folder,
  clock,
}: {
  readonly folder?: string | undefined;
  readonly clock: Clock;
}): Promise<EmbeddedAws> {
  const server = dynalite({
    ...(folder && { path: folder }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  const [serveTables] = server.listeners('request') as RequestListener[];
  const sqsStore = await newSqsStore();
  // Queue URLs then have the address of the request, not `sqs.<region>.localhost`.
  sqsStore.host = '';
  const stores = { sqsStore } as NonNullable<BuildAppOptions['stores']>;
  const queues = buildApp({ logger: false, stores });
  await queues.ready();
  const secret = randomBytes(32).toString('hex');
  const endpoint = await listenGuarded(server, {
    secret,
    serve: (request, response) => {
      const isForQueues = String(request.headers['x-amz-target']).startsWith('AmazonSQS.');
      if (isForQueues) queues.routing(request, response);
      else serveTables?.(request, response);
    },
  });
  const access = { endpoint, secret };
  const { client, dynamo, sqs, destroy } = awsClients(access);
  const close = async () => {
    destroy();
    await queues.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    await createTables(client, clock);
    const queueUrls = {
      urgent: await createQueue(sqs, 'urgent'),
      live: await createQueue(sqs, 'live'),
      bulk: await createQueue(sqs, 'bulk'),
    };
    return {
      access,
      dynamo,
      sqs,
      queueUrls,
      unfinished: () => LANES.flatMap((queue) => messagesIn(sqsStore, queue)),
      restore: async (messages) => {
        for (const { queue, body } of messages)
          await sqs.send(new SendMessageCommand({ QueueUrl: queueUrls[queue], MessageBody: body }));
      },
      close,
    };
  } catch (error) {
    // If the server stayed open, the process could not end.
    await close();
    throw error;
  }
}

/** The package does not export its store, and its own start would listen on all interfaces. */
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

function messagesIn(store: SqsStore, queue: Lane): QueuedMessage[] {
  const found = store.inspectQueue(queue)?.messages;
  if (!found) return [];
  const inFlight = found.inflight.map(({ message }) => message);
  return [...found.ready, ...found.delayed, ...inFlight].map(({ body }) => ({ queue, body }));
}
