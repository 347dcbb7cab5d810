import { randomUUID } from 'node:crypto';
import { createDynamoLedgerStore } from '#inside/credit-ledger/store.dynamo.ts';
import { createMemoryLedgerStore } from '#inside/credit-ledger/store.memory.ts';
import type { LedgerStore } from '#inside/credit-ledger/store.ts';
import { createDynamoItems } from '#inside/versioned-items/store.dynamo.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import type { IndexedItems, IndexPosition } from '#inside/versioned-items/store.ts';
import { TABLES } from '../../../infra/local/tables.ts';
import { openEndpoint, startEmbedded, type TableServer } from './stand-in.ts';

/** What the suites store: anything, with a place in the index or without one. */
export interface Thing {
  readonly name: string;
  readonly place?: IndexPosition | undefined;
  readonly note?: string | undefined;
  readonly services?: readonly { readonly size: number; readonly unit?: string | undefined }[];
}

export interface Stores {
  readonly items: IndexedItems<Thing>;
  readonly ledger: LedgerStore;
}

export interface OpenBackend {
  /** Each call is another worker's view of the same stored state. */
  connect(): Stores;
  close(): Promise<void>;
}

export interface Backend {
  readonly name: string;
  open(): Promise<OpenBackend>;
}

const { DYNAMODB_ENDPOINT } = process.env;

/** Where DynamoDB answers: embedded, and at the endpoint in the environment if there is one. */
export const tableServers: readonly { name: string; open: () => Promise<TableServer> }[] = [
  { name: 'embedded DynamoDB', open: startEmbedded },
  ...(DYNAMODB_ENDPOINT
    ? [{ name: 'DynamoDB at the endpoint', open: () => openEndpoint(DYNAMODB_ENDPOINT) }]
    : []),
];

export const backends: readonly Backend[] = [
  { name: 'memory', open: async () => openMemory() },
  ...tableServers.map(({ name, open }) => ({ name, open: () => openTables(open) })),
];

function openMemory(): OpenBackend {
  const stores: Stores = {
    items: createMemoryItems<Thing>({ indexPosition: ({ place }) => place }),
    ledger: createMemoryLedgerStore(),
  };
  return { connect: () => stores, close: async () => {} };
}

async function openTables(open: () => Promise<TableServer>): Promise<OpenBackend> {
  const server = await open();
  return { connect: () => storesOf(server), close: () => server.close() };
}

export function storesOf(server: TableServer, client = server.connect()): Stores {
  return {
    items: createDynamoItems({
      client,
      tableName: TABLES.records,
      newId: randomUUID,
      parse: parseThing,
      indexPosition: ({ place }) => place,
    }),
    ledger: createDynamoLedgerStore({ client, tableName: TABLES.ledger }),
  };
}

function parseThing(stored: unknown): Thing {
  if (typeof stored !== 'object' || stored === null || !('name' in stored))
    throw new Error('This is no thing.');
  return stored as Thing;
}
