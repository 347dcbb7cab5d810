import type { StoredKind } from '#inside/store/transactions.ts';
import { createLedgerStore } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import {
  FORMAT,
  type IndexedItems,
  type IndexPosition,
  type ItemKey,
  OWNERS,
  openItems,
  type Store,
  storedKey,
  type TogetherStore,
} from '#shared/store';
import { createTogether, openSqliteStore, type SqliteStore } from '#shared/store/adapters';

type Kept = Pick<StoredKind<unknown>, 'prefix' | 'scope' | 'table'>;

const policy = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

/** The product's store over SQLite, in memory. */
export function openMemoryStore(): SqliteStore {
  return openSqliteStore({ path: ':memory:', policy, newId, clock, random });
}

/** The store of the parts of one process: works are done together. */
export function openTogether(
  store: Store = openMemoryStore(),
  ownClock: Pick<Clock, 'sleep' | 'monotonic'> = clock,
): TogetherStore {
  return createTogether(store, { newId, clock: ownClock, random });
}

/** Items of no kind, in a store of their own. Values are not parsed. */
export function createMemoryItems<T>({
  indexPosition = () => undefined,
}: {
  readonly indexPosition?: (value: T) => IndexPosition | undefined;
} = {}): IndexedItems<T, string, string> {
  return plainItems<T>(openMemoryStore(), { indexPosition });
}

/** Items of no kind in a given store. */
export function plainItems<T>(
  store: Store,
  {
    kind: of = { prefix: 'thing', scope: 'portal', table: 'state' },
    parse = (stored) => stored as T,
    fields,
    indexPosition = () => undefined,
  }: {
    /** The kind whose place the items take. */
    readonly kind?: Kept;
    readonly parse?: (stored: unknown) => T;
    readonly fields?: readonly string[];
    readonly indexPosition?: (value: T) => IndexPosition | undefined;
  } = {},
): IndexedItems<T, string, string> {
  const kind = {
    ...of,
    schema: { parse },
    place: indexPosition,
    expiry: {},
    fields: fields && new Set(fields),
  };
  return openItems<T>({ store }, kind) as unknown as IndexedItems<T, string, string>;
}

export function createMemoryLedgerStore() {
  return createLedgerStore(openTogether());
}

interface RawItem {
  readonly kind: Kept;
  readonly key: string;
  readonly body: unknown;
  readonly format?: number;
}

/** Stores an item as another version of this code would, or as a person by hand. Removes its place in the index. */
export function putRaw(
  { database }: Pick<SqliteStore, 'database'>,
  { kind, key, body, format = FORMAT }: RawItem,
): void {
  database
    .prepare('INSERT OR REPLACE INTO items (tbl, key, version, format, body) VALUES (?, ?, ?, ?, ?)')
    .run(kind.table, storedKey(OWNERS, kind, key), newId(), format, JSON.stringify(body));
}

/** An item as it is stored. */
export function rawItem({ database }: Pick<SqliteStore, 'database'>, kind: Kept, key: string) {
  const row = database
    .prepare('SELECT version, format, body FROM items WHERE tbl = ? AND key = ?')
    .get(kind.table, storedKey(OWNERS, kind, key));
  return (
    row && {
      version: String(row['version']),
      format: Number(row['format']),
      body: JSON.parse(String(row['body'])),
    }
  );
}

/** Deletes an item, as a person would by hand. */
export function removeRaw({ database }: Pick<SqliteStore, 'database'>, kind: Kept, key: string): void {
  database
    .prepare('DELETE FROM items WHERE tbl = ? AND key = ?')
    .run(kind.table, storedKey(OWNERS, kind, key));
}

/** Makes a key without a kind, for an item that a test stores in a wrong place. */
export function itemKey(key: string): ItemKey {
  return key as ItemKey;
}
