import { randomUUID } from 'node:crypto';
import { createDynamoLedgerStore } from '#inside/credit-ledger/store.dynamo.ts';
import { createMemoryLedgerStore } from '#inside/credit-ledger/store.memory.ts';
import { createMemoryItems } from '#inside/versioned-items/store.memory.ts';
import type { LedgerStore } from '#shared/credit-ledger';
import type { IndexedItems, IndexPosition } from '#shared/versioned-items';
import { TABLES } from '../../../infra/local/tables.ts';
import { createPlainItems } from '../../builders/plain-items.ts';
import { openEndpoint, startEmbedded, type TableServer } from './stand-in.ts';

/** What the suites store: anything, with a place in the index or without one. */
export interface Thing {
  readonly name: string;
  readonly place?: IndexPosition | undefined;
  readonly note?: string | undefined;
  readonly services?: readonly { readonly size: number; readonly unit?: string | undefined }[];
}

export interface Stores {
  readonly items: IndexedItems<Thing, string, string>;
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
    items: createPlainItems({
      client,
      tableName: TABLES.records,
      newId: randomUUID,
      parse: parseThing,
      fields: FIELDS,
      indexPosition: ({ place }) => place,
    }),
    ledger: createDynamoLedgerStore({ client, tableName: TABLES.ledger }),
  };
}

const FIELDS = ['name', 'place', 'note', 'services'] as const satisfies readonly (keyof Thing)[];

function parseThing(stored: unknown): Thing {
  if (typeof stored !== 'object' || stored === null || !('name' in stored))
    throw new Error('This is no thing.');
  const known = Object.entries(stored).filter(([name]) => FIELDS.some((field) => field === name));
  return Object.fromEntries(known) as unknown as Thing;
}
