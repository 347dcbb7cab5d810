import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { systemClock as clock, systemRandom as random } from '#shared/kernel/adapters';
import type { Place, Store } from '#shared/versioned-items';
import { kind, TABLE_NAMES } from '#shared/versioned-items';
import { createDynamoStore, openSqliteStore } from '#shared/versioned-items/adapters';

/** What the suites store: anything, with a place in the index or without one. */
const thingSchema = z.object({
  name: z.string(),
  note: z.string().optional(),
  sizes: z.array(z.object({ size: z.number(), unit: z.string().optional() })).optional(),
  place: z.object({ partition: z.string(), order: z.number() }).optional(),
  expiresAtMs: z.number().optional(),
});
export type Thing = z.infer<typeof thingSchema>;

function thingKind(table: 'records' | 'questions') {
  return kind({
    ...{ name: `thing in ${table}`, table, schema: thingSchema, key: (id: string) => id },
    index: ({ place }) => place,
    expiry: { kept: 'as the test says', at: ({ expiresAtMs }) => expiresAtMs },
    ...{ holdsPeople: false, bound: {} },
  });
}

export const things = thingKind('records');
export const otherThings = thingKind('questions');

export function thing(key: string, of = things): Place<Thing> {
  return { kind: of as Place<Thing>['kind'], key };
}

const POLICY = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

export interface OpenEngine {
  /** Each call is another worker's connection to the same items. */
  connect(): Store;
  close(): Promise<void>;
}

export interface DynamoEngine extends OpenEngine {
  /** A connection whose client a test may put middleware into. */
  connectThrough(prepare: (client: DynamoDBDocumentClient) => void): Store;
}

export interface Engine<E extends OpenEngine = OpenEngine> {
  readonly name: string;
  open(): Promise<E>;
}

export const newId = randomUUID;
const common = { policy: POLICY, newId, clock, random };

export async function openSqliteFile() {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const path = join(folder, 'store.db');
  const opened: ReturnType<typeof openSqliteStore>[] = [];
  return {
    path,
    connect: () => {
      const store = openSqliteStore({ path, ...common });
      opened.push(store);
      return store;
    },
    close: async () => {
      for (const store of opened) store.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function openMemory(): Promise<OpenEngine> {
  const store = openSqliteStore({ path: ':memory:', ...common });
  return { connect: () => store, close: async () => store.close() };
}

/** A program of another's that speaks DynamoDB's protocol over SQLite. It is there on Linux with Intel's processors alone. */
const DYNOXIDE = '@dynoxide/linux-x64';

function dynoxidePath(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve(`${DYNOXIDE}/package.json`))), 'dynoxide');
  } catch {
    console.log(`${DYNOXIDE} is not installed here: the store's contract runs without it.`);
    return undefined;
  }
}

async function openDynoxide(program: string): Promise<DynamoEngine> {
  const port = await freePort();
  const server = spawn(program, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
  await Promise.race([once(server.stderr, 'data'), once(server.stdout, 'data')]);
  const engine = await openEndpoint(`http://127.0.0.1:${port}`);
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

/** Wherever the address leads: DynamoDB Local, another stand-in, AWS itself. Names are of this run alone. */
async function openEndpoint(endpoint: string): Promise<DynamoEngine> {
  const { AWS_ACCESS_KEY_ID, AWS_REGION = 'eu-central-1' } = process.env;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const prefix = `contract-${randomUUID()}`;
  const tables = Object.fromEntries(TABLE_NAMES.map((name) => [name, `${prefix}-${name}`])) as Parameters<
    typeof createDynamoStore
  >[0]['tables'];
  const clients: DynamoDBClient[] = [];
  const openClient = () => {
    const client = new DynamoDBClient({
      endpoint,
      region: AWS_REGION,
      ...(!AWS_ACCESS_KEY_ID && { credentials }),
    });
    clients.push(client);
    return client;
  };
  const own = openClient();
  for (const TableName of Object.values(tables)) {
    await own.send(tableOf(TableName));
    await waitUntilTableExists({ client: own, maxWaitTime: 60, minDelay: 1 }, { TableName });
  }
  const connectThrough = (prepare: (client: DynamoDBDocumentClient) => void) => {
    const client = DynamoDBDocumentClient.from(openClient(), {
      marshallOptions: { removeUndefinedValues: true },
    });
    prepare(client);
    return createDynamoStore({ client, tables, storeClock: { offsetMs: () => 0 }, ...common });
  };
  return {
    connectThrough,
    connect: () => connectThrough(() => undefined),
    close: async () => {
      for (const TableName of Object.values(tables)) await own.send(new DeleteTableCommand({ TableName }));
      for (const client of clients) client.destroy();
    },
  };
}

function tableOf(TableName: string): CreateTableCommand {
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  return new CreateTableCommand({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [text('pk'), text('part'), { AttributeName: 'ord', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
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
  });
}

const { DYNAMODB_ENDPOINT } = process.env;
const dynoxide = dynoxidePath();

/** Real engines that speak DynamoDB's protocol. */
export const dynamoEngines: readonly Engine<DynamoEngine>[] = [
  ...(dynoxide ? [{ name: 'Dynoxide', open: () => openDynoxide(dynoxide) }] : []),
  ...(DYNAMODB_ENDPOINT
    ? [{ name: 'DynamoDB at the endpoint', open: () => openEndpoint(DYNAMODB_ENDPOINT) }]
    : []),
];

export const engines: readonly Engine[] = [
  { name: 'SQLite in memory', open: openMemory },
  { name: 'a SQLite file', open: openSqliteFile },
  ...dynamoEngines,
];
