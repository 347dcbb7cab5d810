import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import type { RetentionPolicy, Store } from '#shared/store';
import { createDynamoStore, openSqliteStore } from '#shared/store/adapters';
import { documentsOf, engineClient, startDynamoEngine, TABLES } from '../../harness/dynamo-engine.ts';

/** Where all processes find the same items: a file of SQLite, or an address that speaks DynamoDB's protocol. */
export type StoreAddress = { readonly file: string } | { readonly endpoint: string };

export interface OpenedStore {
  readonly address: StoreAddress;
  close(): Promise<void>;
}

export async function openFile(): Promise<OpenedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'crew-'));
  const file = join(folder, 'store.db');
  closeSync(openSync(file, 'a'));
  return { address: { file }, close: async () => rmSync(folder, { recursive: true }) };
}

/** Only where `hasDynamoEngine`. */
export async function openEngine(): Promise<OpenedStore> {
  const { endpoint, close } = await startDynamoEngine();
  return { address: { endpoint }, close };
}

/** A connection of one process. */
export function connectStore(address: StoreAddress, policy: RetentionPolicy): Store {
  const common = { policy, newId, clock, random };
  if ('file' in address) return openSqliteStore({ path: address.file, ...common });
  const client = documentsOf(engineClient(address.endpoint));
  return createDynamoStore({ client, tables: TABLES, storeClock: { offsetMs: () => 0 }, ...common });
}
