import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Clock, type NewId, type Packing, type Random, UpstreamError } from '#shared/kernel';
import {
  assertWithinLimits,
  bodyText,
  distinctPlaces,
  type ExpiryPolicy,
  FORMAT,
  type IndexPage,
  type KindInStore,
  type Known,
  knownFrom,
  knownItems,
  OWNERS,
  type Owners,
  type Place,
  placeName,
  readable,
  type Store,
  type StoreWrite,
  storedKey,
  type TransactResult,
} from './transactions.ts';

export interface SqliteStoreOptions {
  /** Place of the file; `:memory:` for a store that ends with the process. */
  readonly path: string | URL;
  /** For a file that this user may not write. */
  readonly isReadOnly?: boolean;
  /** Whose items the store shows. If absent, those of an installation with one portal. */
  readonly owners?: Owners;
  readonly policy: ExpiryPolicy;
  readonly newId: NewId;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Jitter of the pause while another process writes. */
  readonly random: Random;
  /** Called with each failure of the file, for a person who watches. The failure is thrown as well. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

export interface SqliteStore extends Store {
  /** The open file, for what else is kept in it. */
  readonly database: DatabaseSync;
  /** Does work on the file, and repeats it while another process holds the file. */
  patiently<R>(work: () => R): Promise<R>;
  /** Like `patiently`, as one transaction of the file: all of the work, or nothing. */
  atomically<R>(work: () => R): Promise<R>;
  /** Removes the items that have expired at `nowMs`, epoch milliseconds. */
  expire(nowMs: number): Promise<void>;
  /**
   * Removes from the files what was deleted or forgotten. Repeats until no other process reads. After no deletion, it
   * only empties the write-ahead log.
   */
  scrub(): Promise<void>;
  close(): void;
}

type Put = Extract<StoreWrite, { readonly kind: 'put' }>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    tbl TEXT NOT NULL, key TEXT NOT NULL, version TEXT NOT NULL, format INTEGER NOT NULL, body TEXT NOT NULL,
    part TEXT, ord INTEGER, expires INTEGER,
    PRIMARY KEY (tbl, key)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS by_place ON items (tbl, part, ord, key) WHERE part IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_expiry ON items (expires) WHERE expires IS NOT NULL;
`;

/**
 * Opens a store in one SQLite file. Several processes can open the same file.
 *
 * `synchronous=FULL`: a power cut must not undo the mark of a request that left. `temp_store`: nothing of a person goes
 * into files of the system. `node:sqlite` blocks the event loop, so it waits 100 ms for another writer, and then the
 * store repeats
 * the work later.
 */
export function openSqliteStore(options: SqliteStoreOptions): SqliteStore {
  const { path, isReadOnly = false, owners = OWNERS, policy, newId, clock, random, onFailure } = options;
  const database = new DatabaseSync(path, { timeout: BUSY_MS, readOnly: isReadOnly });
  if (!isReadOnly) {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
    database.exec(SCHEMA);
  }
  const prepared = new Map<string, StatementSync>();
  const run = (sql: string): StatementSync => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  const patiently = <R>(work: () => R) => untilFree(work, { clock, random, onFailure });

  const stored = (kind: KindInStore<unknown>, key: string) => storedKey(owners, kind, key);
  const rowOf = ({ kind, key }: Place<unknown>) => [kind.table, stored(kind, key)] as const;
  const versionOf = (place: Place<unknown>) =>
    run('SELECT version FROM items WHERE tbl = ? AND key = ?').get(...rowOf(place))?.['version'];
  const parsed = createParsedItems();
  const read = (place: Place<unknown>): (() => Known<unknown>) | undefined => {
    const version = versionOf(place);
    if (version === undefined) return undefined;
    const seen = parsed.seen(place, version);
    if (seen) return () => seen;
    const row = run('SELECT version, format, body FROM items WHERE tbl = ? AND key = ?').get(...rowOf(place));
    return row && (() => parsed.keep(place, knownFrom(place.kind, bodyIn(row), String(row['version']))));
  };
  const store = ({ place, value }: Put, text: string, version: string) => {
    const { kind } = place;
    const position = kind.place(value);
    const expiresAtMs = kind.expiry.at?.(value, policy);
    run('INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...rowOf(place),
      version,
      FORMAT,
      text,
      position ? stored(kind, position.partition) : null,
      position?.order ?? null,
      expiresAtMs === undefined ? null : Math.ceil(expiresAtMs),
    );
  };

  // SQLite keeps the number in the file's header, and undoes it with the transaction.
  const deletions = () => Number(run('PRAGMA user_version').get()?.['user_version']);
  const noteDeletion = () => database.exec(`PRAGMA user_version = ${deletions() + 1}`);
  const transact = (
    writes: readonly StoreWrite[],
    texts: readonly string[],
    version: string,
  ): TransactResult => {
    return inTransaction(database, () => {
      if (writes.some(({ place, version }) => versionOf(place) !== version)) return { kind: 'conflict' };
      writes.forEach((write, nth) => {
        if (write.kind === 'put') store(write, texts[nth] ?? '', version);
        if (write.kind === 'remove')
          run('DELETE FROM items WHERE tbl = ? AND key = ?').run(...rowOf(write.place));
      });
      if (writes.some((write) => write.kind === 'remove' || (write.kind === 'put' && write.isForgetting)))
        noteDeletion();
      return { kind: 'done', version };
    });
  };

  return {
    database,
    owners,
    packing: plainPacking,
    patiently,
    atomically: (work) => patiently(() => inTransaction(database, work)),
    getMany: async (places) => {
      const distinct = distinctPlaces(places);
      const found = await patiently(() =>
        distinct.flatMap((place) => {
          const known = read(place);
          return known ? [[placeName(place), known] as const] : [];
        }),
      );
      return knownItems(new Map(found));
    },
    index: async (kind, { partition, from, upTo, newestFirst, limit, after }) =>
      patiently((): IndexPage => {
        const order = newestFirst ? 'DESC' : 'ASC';
        const beyond = newestFirst ? '<' : '>';
        const rows = run(
          `SELECT ord, key FROM items WHERE tbl = ? AND part = ? AND ord BETWEEN ? AND ?
           ${after ? `AND (ord, key) ${beyond} (?, ?)` : ''} ORDER BY ord ${order}, key ${order} LIMIT ?`,
        ).all(
          ...[kind.table, stored(kind, partition), from ?? 0, upTo ?? Number.MAX_SAFE_INTEGER],
          ...(after ? [after.order, stored(kind, after.key)] : []),
          Math.min(limit ?? PAGE, PAGE),
        );
        const keys = rows.map((row) => String(row['key']).slice(stored(kind, '').length));
        const lastKey = keys.at(-1);
        const isFull = rows.length === Math.min(limit ?? PAGE, PAGE);
        return {
          keys,
          ...(lastKey !== undefined &&
            isFull && { next: { order: Number(rows.at(-1)?.['ord']), key: lastKey } }),
        };
      }),
    count: async (kind, partition, atMost = Number.MAX_SAFE_INTEGER) =>
      patiently(() =>
        Number(
          run('SELECT count(*) AS n FROM (SELECT 1 FROM items WHERE tbl = ? AND part = ? LIMIT ?)').get(
            kind.table,
            stored(kind, partition),
            atMost,
          )?.['n'],
        ),
      ),
    transact: async (writes, version = newId()) => {
      const texts = writes.map(bodyText);
      assertWithinLimits(writes, texts);
      return patiently(() => transact(writes, texts, version));
    },
    async *scan(kind) {
      const prefix = stored(kind, '');
      for (let after = prefix; ; ) {
        const rows = await patiently(() =>
          run('SELECT key, format, body FROM items WHERE tbl = ? AND key > ? ORDER BY key LIMIT ?').all(
            ...[kind.table, after, PAGE],
          ),
        );
        for (const row of rows) {
          if (!String(row['key']).startsWith(prefix)) return;
          yield bodyIn(row);
        }
        const last = rows.at(-1);
        if (!last) return;
        after = String(last['key']);
      }
    },
    offsetMs: () => 0,
    expire: (nowMs) =>
      patiently(() =>
        inTransaction(database, () => {
          const { changes } = run('DELETE FROM items WHERE expires <= ?').run(nowMs);
          if (Number(changes) > 0) noteDeletion();
        }),
      ),
    scrub: () =>
      patiently(() => {
        const noted = deletions();
        if (noted > 0) {
          // `secure_delete` would not suffice: it leaves copies where SQLite has moved an item within a page.
          database.exec('VACUUM');
          inTransaction(database, () => {
            if (deletions() === noted) database.exec('PRAGMA user_version = 0');
          });
        }
        const [row] = run('PRAGMA wal_checkpoint(TRUNCATE)').all();
        if (row?.['busy'] === 1) throw busy();
      }),
    close: () => database.close(),
  };
}

/** Does the work as one transaction of the file: all of it, or nothing. @throws the work's error */
function inTransaction<R>(database: DatabaseSync, work: () => R): R {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Packs nothing, so that what was deleted can be searched for in the file. */
const plainPacking: Packing = {
  pack: (value) => JSON.stringify(value),
  unpack: (packed) => JSON.parse(packed),
};

/** Most items that stay parsed. */
const MAX_PARSED = 2_000;

/**
 * Keeps what was parsed from a body, because most of the time of a read goes into it. The version decides: it is
 * another one after each write.
 */
function createParsedItems() {
  const bySchema = new WeakMap<object, Map<string, Known<unknown>>>();
  return {
    seen: (place: Place<unknown>, version: unknown): Known<unknown> | undefined => {
      const known = bySchema.get(place.kind.schema)?.get(placeName(place));
      return known?.version === version ? known : undefined;
    },
    keep: (place: Place<unknown>, known: Known<unknown>): Known<unknown> => {
      const { schema } = place.kind;
      const name = placeName(place);
      const items = bySchema.get(schema) ?? new Map<string, Known<unknown>>();
      bySchema.set(schema, items);
      items.delete(name);
      if (items.size >= MAX_PARSED) items.delete(items.keys().next().value ?? '');
      items.set(name, frozen(known));
      return known;
    },
  };
}

/** Makes a value of JSON read-only, all the way down: its readers share it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) frozen(part);
  return value;
}

function bodyIn(row: Readonly<Record<string, unknown>>): unknown {
  return readable(JSON.parse(String(row['body'])), row['format']);
}

const BUSY_MS = 100;
/** Items of one page of an index, as many as `getMany` reads. */
const PAGE = 100;
/** Longest wait for other processes: far longer than all work of a command. */
const MAX_PAUSES = 300;
const PAUSE_MS = 20;

/** Repeats the work until no other process holds the file. */
async function untilFree<R>(
  work: () => R,
  { clock, random, onFailure }: Pick<SqliteStoreOptions, 'clock' | 'random' | 'onFailure'>,
): Promise<R> {
  for (let pauses = 0; ; pauses += 1) {
    try {
      return work();
    } catch (error) {
      if (!isFileBusy(error)) {
        onFailure?.(error);
        throw error;
      }
      if (pauses === MAX_PAUSES) throw busy(error);
      await clock.sleep(PAUSE_MS * (1 + random()));
    }
  }
}

/** SQLITE_BUSY and its extended codes, from https://sqlite.org/rescode.html. */
export function isFileBusy(error: unknown): boolean {
  if (error instanceof UpstreamError) return error.code === 'STORE_BUSY';
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

function busy(cause?: unknown): UpstreamError {
  return new UpstreamError({
    code: 'STORE_BUSY',
    message: 'Another process holds the file of the store.',
    retryable: true,
    cause,
  });
}
