import { createLedgerStore, type LedgerStore } from '#shared/credit-ledger';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import { type IndexedItems, type IndexPosition, openItems } from '#shared/versioned-items';
import { openSqliteStore, type SqliteStore } from '#shared/versioned-items/adapters';

const policy = { journalDays: 365, privacy: { keepDisclosures: 1_095 } };

/** The product's store over SQLite, in memory. */
export function openMemoryStore(): SqliteStore {
  return openSqliteStore({ path: ':memory:', policy, newId, clock, random });
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
  store: SqliteStore,
  {
    table = 'records',
    parse = (stored) => stored as T,
    fields,
    indexPosition = () => undefined,
  }: {
    readonly table?: Parameters<SqliteStore['scan']>[0];
    readonly parse?: (stored: unknown) => T;
    readonly fields?: readonly string[];
    readonly indexPosition?: (value: T) => IndexPosition | undefined;
  } = {},
): IndexedItems<T, string, string> {
  const kind = {
    ...{ table, schema: { parse }, place: indexPosition, expiry: { kept: '' } },
    fields: fields && new Set(fields),
  };
  return openItems<T>({ store, account: 'default' }, kind) as unknown as IndexedItems<T, string, string>;
}

export function createMemoryLedgerStore(): LedgerStore {
  return createLedgerStore(openMemoryStore());
}
