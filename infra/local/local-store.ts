import { chmodSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#shared/kernel';
import { systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import type { RetentionPolicy } from '#shared/store';
import { openSqliteStore, type SqliteStore } from '#shared/store/adapters';
import { openSqliteQueues, type SqliteQueues } from '#shared/work-queue/adapters';
import { makeFolder } from './make-folder.ts';

/** Opens the store and the queues, one file, in a folder of its own. The file is for this user only; SQLite gives its other files the same mode. */
export function openLocalStore(
  folder: string,
  { policy, clock }: { readonly policy: RetentionPolicy; readonly clock: Clock },
): { readonly store: SqliteStore; readonly queues: SqliteQueues } {
  makeFolder(folder);
  const path = storeFileIn(folder);
  closeSync(openSync(path, 'a', 0o600));
  // A copy that a person put back has the mode of its copying.
  chmodSync(path, 0o600);
  const store = openSqliteStore({ path, policy, newId, clock, random });
  const { database, patiently } = store;
  return { store, queues: openSqliteQueues({ database, patiently, clock, newId }) };
}

export function storeFileIn(folder: string): string {
  return join(folder, 'store.db');
}
