import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { startFauxqs } from 'fauxqs';
import { LANES, type Lane } from '#shared/crm';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { createTables } from './tables.ts';

export interface QueuedMessage {
  readonly queue: Lane;
  readonly body: string;
}

export interface EmbeddedAws {
  readonly dynamo: DynamoDBDocumentClient;
  readonly sqs: SQSClient;
  readonly queueUrls: Readonly<Record<Lane, string>>;
  /** Messages that no worker has finished. The embedded queues lose them when they stop. */
  unfinished(): readonly QueuedMessage[];
  /** Queues the unfinished messages of an earlier process again. */
  restore(messages: readonly QueuedMessage[]): Promise<void>;
  /** Messages that failed too often. */
  deadLetters(): number;
  close(): Promise<void>;
}

/**
 * Starts DynamoDB and SQS in this process, behind the same clients as on AWS. Tables are stored in `folder`, or in
 * memory.
 */
export async function startEmbeddedAws({ folder }: { folder?: string | undefined }): Promise<EmbeddedAws> {
  const server = dynalite({
    ...(folder && { path: folder }),
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const client = new DynamoDBClient({ ...access, endpoint: `http://127.0.0.1:${port}` });
  const stop = async () => {
    client.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await createTables(client).catch(async (error: unknown) => {
    // If the server stayed open, the process could not end.
    await stop();
    throw error;
  });
  const queues = await startFauxqs({ port: 0, logger: false, host: '127.0.0.1' });
  const sqs = new SQSClient({ ...access, endpoint: `http://127.0.0.1:${queues.port}` });
  const queueUrls = {
    urgent: createQueue(queues, 'urgent'),
    live: createQueue(queues, 'live'),
    bulk: createQueue(queues, 'bulk'),
  };
  return {
    dynamo: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
    sqs,
    queueUrls,
    unfinished: () => LANES.flatMap((queue) => messagesIn(queues, queue)),
    restore: async (messages) => {
      for (const { queue, body } of messages)
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrls[queue], MessageBody: body }));
    },
    deadLetters: () => LANES.flatMap((queue) => messagesIn(queues, queue, '-dead')).length,
    close: async () => {
      sqs.destroy();
      await queues.stop();
      await stop();
    },
  };
}

type Queues = Awaited<ReturnType<typeof startFauxqs>>;

function createQueue(queues: Queues, name: string): string {
  const dead = queues.createQueue(`${name}-dead`);
  const { queueUrl } = queues.createQueue(name, {
    attributes: {
      VisibilityTimeout: String(VISIBILITY_TIMEOUT_S),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: dead.queueArn,
        maxReceiveCount: MAX_RECEIVES,
      }),
    },
  });
  return queueUrl;
}

function messagesIn(queues: Queues, queue: Lane, suffix = ''): QueuedMessage[] {
  const found = queues.inspectQueue(`${queue}${suffix}`)?.messages;
  if (!found) return [];
  const inFlight = found.inflight.map(({ message }) => message);
  return [...found.ready, ...found.delayed, ...inFlight].map(({ body }) => ({ queue, body }));
}
