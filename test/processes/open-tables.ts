import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { systemClock } from '#shared/kernel/adapters';
import { createTables } from '../../infra/local/tables.ts';

export interface OpenTables {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** The product's tables behind HTTP: embedded, or where `DYNAMODB_ENDPOINT` leads. */
export async function openTables(): Promise<OpenTables> {
  const { DYNAMODB_ENDPOINT } = process.env;
  const embedded = DYNAMODB_ENDPOINT ? undefined : await startEmbedded();
  const endpoint = embedded?.endpoint ?? DYNAMODB_ENDPOINT ?? '';
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
  await createTables(client, systemClock);
  client.destroy();
  return { endpoint, close: async () => embedded?.close() };
}

async function startEmbedded(): Promise<OpenTables> {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
