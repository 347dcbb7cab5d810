import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { systemClock as clock, systemRandom as random } from '#shared/kernel/adapters';
import { kind, type Owners, type Place, type Scope, type Store, TABLE_NAMES } from '#shared/store';
import { createDynamoStore, openSqliteStore } from '#shared/store/adapters';
import {
  type DynamoEndpoint,
  hasDynamoEngine,
  openTables,
  startDynamoEngine,
  type TablesByName,
} from '../../harness/dynamo-engine.ts';

/** What the suites store: anything, with a place in the index or without one. */
const thingSchema = z.object({
  name: z.string(),
  note: z.string().optional(),
  sizes: z.array(z.object({ size: z.number(), unit: z.string().optional() })).optional(),
  place: z.object({ partition: z.string(), order: z.number() }).optional(),
  expiresAtMs: z.number().optional(),
});
export type Thing = z.infer<typeof thingSchema>;

function thingKind(table: 'proof' | 'state', scope: Scope = 'portal') {
  return kind({
    name: `thing of a ${scope} in ${table}`,
    prefix: 'thing',
    scope,
    table,
    schema: thingSchema,
    key: (id: string) => id,
    index: ({ place }) => place,
    expiry: { kept: 'as the test says', at: ({ expiresAtMs }) => expiresAtMs },
    holdsPeople: false,
    bound: {},
  });
}

export const things = thingKind('state');
export const otherThings = thingKind('proof');
export const thingsOfBuyer = thingKind('state', 'buyer');

export function thing(key: string, of = things): Place<Thing> {
  return { kind: of as Place<Thing>['kind'], key };
}

const POLICY = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

export interface OpenEngine {
  /** Each call is another worker's connection to the same items. */
  connect(): Store;
  close(): Promise<void>;
}

/** An engine whose connections can show the items of different owners. */
export interface SharedEngine extends OpenEngine {
  connect(owners?: Owners): Store;
}

export interface DynamoEngine extends SharedEngine {
  /** A connection whose client a test may put middleware into. */
  connectThrough(prepare: (client: DynamoDBDocumentClient) => void, owners?: Owners): Store;
}

export interface Engine<E extends OpenEngine = OpenEngine> {
  readonly name: string;
  open(): Promise<E>;
}

const newId = randomUUID;
const common = { policy: POLICY, newId, clock, random };

export async function openSqliteFile() {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const path = join(folder, 'store.db');
  const opened: ReturnType<typeof openSqliteStore>[] = [];
  return {
    path,
    connect: (owners?: Owners) => {
      const store = openSqliteStore({ path, ...(owners && { owners }), ...common });
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

/** Names are of this run alone. */
function tablesOfThisRun(): TablesByName {
  const prefix = `contract-${randomUUID()}`;
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, `${prefix}-${name}`])) as TablesByName;
}

function storesOver({ tables, connect, close }: DynamoEndpoint): DynamoEngine {
  const connectThrough = (prepare: (client: DynamoDBDocumentClient) => void, owners?: Owners) => {
    const client = connect();
    prepare(client);
    const storeClock = { offsetMs: () => 0 };
    return createDynamoStore({ client, tables, storeClock, ...(owners && { owners }), ...common });
  };
  return { connectThrough, connect: (owners) => connectThrough(() => undefined, owners), close };
}

/** Wherever the address leads: DynamoDB Local, another stand-in, AWS itself. */
async function openEndpoint(endpoint: string): Promise<DynamoEngine> {
  const opened = await openTables(endpoint, tablesOfThisRun());
  const close = async () => {
    const client = opened.connect();
    for (const TableName of Object.values(opened.tables))
      await client.send(new DeleteTableCommand({ TableName }));
    await opened.close();
  };
  return storesOver({ ...opened, close });
}

const { DYNAMODB_ENDPOINT } = process.env;

/** Real engines that speak DynamoDB's protocol. */
export const dynamoEngines: readonly Engine<DynamoEngine>[] = [
  ...(hasDynamoEngine ? [{ name: 'Dynoxide', open: async () => storesOver(await startDynamoEngine()) }] : []),
  ...(DYNAMODB_ENDPOINT
    ? [{ name: 'DynamoDB at the endpoint', open: () => openEndpoint(DYNAMODB_ENDPOINT) }]
    : []),
];

export const sharedEngines: readonly Engine<SharedEngine>[] = [
  { name: 'a SQLite file', open: openSqliteFile },
  ...dynamoEngines,
];

export const engines: readonly Engine[] = [{ name: 'SQLite in memory', open: openMemory }, ...sharedEngines];
