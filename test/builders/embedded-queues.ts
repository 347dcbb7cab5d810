import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { LANES, type Lane } from '#shared/crm';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import type { SqsStore } from '../../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { listenGuarded } from './guarded-server.ts';

export interface QueuedMessage {
  readonly queue: Lane;
  readonly body: string;
}

/** Where the embedded queues answer, and the secret that they ask for. */
export interface QueueAccess {
  readonly endpoint: string;
  readonly secret: string;
}

export interface EmbeddedQueues {
  readonly access: QueueAccess;
  readonly sqs: SQSClient;
  readonly queueUrls: Readonly<Record<Lane, string>>;
  /** Messages that no worker has finished. The embedded queues lose them when they stop. */
  unfinished(): readonly QueuedMessage[];
  /** Queues the unfinished messages of an earlier process again. */
  restore(messages: readonly QueuedMessage[]): Promise<void>;
  close(): Promise<void>;
}

/** A client of embedded queues, of this process or of another one. */
function queueClient({ endpoint, secret }: QueueAccess): SQSClient {
  const credentials = { accessKeyId: secret, secretAccessKey: 'local' };
  return new SQSClient({ endpoint, region: 'eu-central-1', credentials });
}

/**
 * Starts SQS in this process, behind the same client as on AWS. Only who knows the secret of this start reaches it.
 */
export async function startEmbeddedQueues(): Promise<EmbeddedQueues> {
  const server = createServer();
  const sqsStore = await newSqsStore();
  // Queue URLs then have the address of the request, not `sqs.<region>.localhost`.
  sqsStore.host = '';
  const stores = { sqsStore } as NonNullable<BuildAppOptions['stores']>;
  const queues = buildApp({ logger: false, stores });
  await queues.ready();
  const secret = randomBytes(32).toString('hex');
  const endpoint = await listenGuarded(server, {
    secret,
    serve: (request, response) => queues.routing(request, response),
  });
  const access = { endpoint, secret };
  const sqs = queueClient(access);
  const close = async () => {
    sqs.destroy();
    await queues.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    const queueUrls = {
      urgent: await createQueue(sqs, 'urgent'),
      live: await createQueue(sqs, 'live'),
      bulk: await createQueue(sqs, 'bulk'),
    };
    return {
      access,
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
