import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_DEFINITIONS, TABLE_NAMES, type TableName } from '#shared/store';

export type TablesByName = Readonly<Record<TableName, string>>;

/** Names of the tables in an engine of a test's own. */
export const TABLES = Object.fromEntries(TABLE_NAMES.map((name) => [name, name])) as TablesByName;

/** The names as variables of a function. */
export const TABLE_VARIABLES = {
  LEDGER_TABLE: TABLES.ledger,
  PROOF_TABLE: TABLES.proof,
  STATE_TABLE: TABLES.state,
} as const;

export interface DynamoEndpoint {
  readonly endpoint: string;
  readonly tables: TablesByName;
  /** Each is a connection of its own. */
  connect(): DynamoDBDocumentClient;
  close(): Promise<void>;
}

/** A program of another's that speaks DynamoDB's protocol over SQLite. It is there on Linux with Intel's processors alone. */
const DYNOXIDE = '@dynoxide/linux-x64';
const program = programPath();

/** Tests that need DynamoDB's protocol are skipped without it. */
export const hasDynamoEngine = program !== undefined;

function programPath(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(`${DYNOXIDE}/package.json`))), 'dynoxide');
  } catch {
    console.log(`${DYNOXIDE} is not installed here: tests that need DynamoDB's protocol are skipped.`);
    return undefined;
  }
}

/** Starts DynamoDB's protocol on a local port, with the product's tables. Only where `hasDynamoEngine`. */
export async function startDynamoEngine(tables: TablesByName = TABLES): Promise<DynamoEndpoint> {
  if (program === undefined) throw new Error(`${DYNOXIDE} is not installed here.`);
  const port = await freePort();
  const server = spawn(program, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
  await Promise.race([once(server.stderr, 'data'), once(server.stdout, 'data')]);
  const engine = await openTables(`http://127.0.0.1:${port}`, tables);
  return {
    ...engine,
    close: async () => {
      await engine.close();
      server.kill();
      await once(server, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Creates the product's tables wherever the address leads: DynamoDB Local, another stand-in, AWS itself. */
export async function openTables(endpoint: string, tables: TablesByName): Promise<DynamoEndpoint> {
  const clients: DynamoDBClient[] = [];
  const open = () => {
    const client = engineClient(endpoint);
    clients.push(client);
    return client;
  };
  const own = open();
  for (const name of TABLE_NAMES) {
    const TableName = tables[name];
    await own.send(tableOf(TableName, TABLE_DEFINITIONS[name].isIndexed));
    await waitUntilTableExists({ client: own, maxWaitTime: 60, minDelay: 1 }, { TableName });
  }
  return {
    endpoint,
    tables,
    connect: () => documentsOf(open()),
    close: async () => {
      for (const client of clients) client.destroy();
    },
  };
}

export function engineClient(endpoint: string): DynamoDBClient {
  const { AWS_ACCESS_KEY_ID, AWS_REGION = 'eu-central-1' } = process.env;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return new DynamoDBClient({ endpoint, region: AWS_REGION, ...(!AWS_ACCESS_KEY_ID && { credentials }) });
}

export function documentsOf(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** As `infra/aws/data-stack.ts` makes it. */
function tableOf(TableName: string, isIndexed = false): CreateTableCommand {
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      text('pk'),
      ...(isIndexed ? [text('part'), { AttributeName: 'ord', AttributeType: 'N' as const }] : []),
    ],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ...(isIndexed && {
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-place',
          KeySchema: [
            { AttributeName: 'part', KeyType: 'HASH' },
            { AttributeName: 'ord', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  });
}
