import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  openSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock, Logger } from '#shared/kernel';
import { createJsonLogger, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import type { ExpiryPolicy } from '#shared/store';
import { openSqliteStore, type SqliteStore } from '#shared/store/adapters';
import { openSqliteQueues, type SqliteQueues } from '#shared/work-queue/adapters';
import { makeFolder } from './data-folder.ts';

interface LocalStore {
  readonly store: SqliteStore;
  readonly queues: SqliteQueues;
  /** Whether this user may only read the file. */
  readonly isReadOnly: boolean;
  /** Empties the write-ahead log, because another process can still have the file open. */
  close(): Promise<void>;
}

interface LocalStoreOptions {
  readonly policy: ExpiryPolicy;
  readonly clock: Clock;
  /** Called with each failure of the file. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Opens the store and the queues, one file, in a folder of its own. The file is for this user only; SQLite gives its other
 * files the same mode. Where this user may not write, it can be read.
 */
export function openLocalStore(folder: string, { policy, clock, onFailure }: LocalStoreOptions): LocalStore {
  const path = storeFileIn(folder);
  const isReadOnly = existsSync(path) && !(mayWrite(folder) && mayWrite(path));
  if (!isReadOnly) prepare(folder);
  const place = isReadOnly ? unchanging(path) : path;
  const store = openSqliteStore({ path: place, isReadOnly, policy, newId, clock, random, onFailure });
  const { database, patiently, atomically } = store;
  return {
    store,
    isReadOnly,
    queues: openSqliteQueues({ database, isReadOnly, patiently, atomically, clock, newId }),
    close: async () => {
      if (!isReadOnly) await store.scrub();
      store.close();
    },
  };
}

export function storeFileIn(folder: string): string {
  return join(folder, 'store.db');
}

function prepare(folder: string): void {
  makeFolder(folder);
  const path = storeFileIn(folder);
  closeSync(openSync(path, 'a', 0o600));
  // A copy that a person put back has the mode of its copying.
  chmodSync(path, 0o600);
}

/**
 * Address of a file that no process changes, if it has no log. SQLite cannot read it by its path, because it would make
 * a log.
 */
function unchanging(path: string): string | URL {
  if (existsSync(`${path}-wal`)) return path;
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  return address;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
    throw error;
  }
}

interface LogFile {
  readonly file: string;
  readonly logger: Logger;
  close(): Promise<void>;
}

export function openLog(path: string, clock: Clock): LogFile {
  const file = join(path, 'log.jsonl');
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  return {
    file,
    logger: createJsonLogger(clock, (line) => stream.write(`${line}\n`)),
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  };
}
