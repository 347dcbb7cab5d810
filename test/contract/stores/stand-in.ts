import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DeleteTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { systemClock } from '#shared/kernel/adapters';
import { createTables, TABLES } from '../../../infra/local/tables.ts';

/** A DynamoDB with the product's tables in it, under names of their own for this run. */
export interface TableServer {
  /** A client of its own, so that a test may put middleware into it. */
  connect(): DynamoDBDocumentClient;
  close(): Promise<void>;
}

/** In this process, in memory. */
export async function startEmbedded(): Promise<TableServer> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tables = await openEndpoint(`http://127.0.0.1:${port}`);
  return {
    ...tables,
    close: async () => {
      await tables.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Wherever the address leads: DynamoDB Local, another stand-in, AWS itself. */
export async function openEndpoint(endpoint: string): Promise<TableServer> {
  const prefix = `contract-${randomUUID()}-`;
  const clients: DynamoDBClient[] = [];
  const open = () => {
    const client = withPrefix(createClient(endpoint), prefix);
    clients.push(client);
    return client;
  };
  const own = open();
  const names = Object.values(TABLES);
  await createTables(own, systemClock);
  for (const TableName of names)
    await waitUntilTableExists({ client: own, maxWaitTime: 60, minDelay: 1 }, { TableName });
  return {
    connect: () => DynamoDBDocumentClient.from(open(), { marshallOptions: { removeUndefinedValues: true } }),
    close: async () => {
      for (const TableName of names) await own.send(new DeleteTableCommand({ TableName }));
      for (const client of clients) client.destroy();
    },
  };
}

function createClient(endpoint: string): DynamoDBClient {
  const { AWS_ACCESS_KEY_ID, AWS_REGION = 'eu-central-1' } = process.env;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new DynamoDBClient({ endpoint, region: AWS_REGION, ...(!AWS_ACCESS_KEY_ID && { credentials }) });
}

/** Every table name that goes through the client gets the prefix: runs that share an endpoint do not meet. */
function withPrefix(client: DynamoDBClient, prefix: string): DynamoDBClient {
  client.middlewareStack.add(
    (next) => (args) => {
      const { input } = args;
      if (!('TableName' in input)) return next(args);
      const named = { ...input, TableName: `${prefix}${input.TableName}` };
      return next({ ...args, input: named as typeof input });
    },
    { step: 'initialize', name: 'prefixTableName' },
  );
  return client;
}
