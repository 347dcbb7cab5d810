import {
  breakerStateSchema,
  disclosureSchema,
  questionItemSchema,
  type SideItem,
  type SuppressionItem,
  sideItemSchema,
  suppressionItemSchema,
} from '#inside/questions/schemas.ts';
import {
  breakersKind,
  disclosureKind,
  questionKind,
  sideItemKind,
  suppressionKind,
} from '#inside/questions/stored-kinds.ts';
import { type RateLimiterState, rateLimiterStateSchema } from '#inside/rate-limiter/schemas.ts';
import { rateLimiterKind } from '#inside/rate-limiter/stored-kinds.ts';
import type { StoredKind } from '#inside/store/kind.ts';
import { createLedgerStore, type LedgerStore } from '#shared/credit-ledger';
import type { BreakerState, Disclosure, QuestionItem } from '#shared/questions';
import type { VersionedItems } from '#shared/store';
import type { SqliteStore } from '#shared/store/adapters';
import { createMemoryItems, createMemoryLedgerStore, plainItems } from '../../builders/memory-items.ts';

/** What all processes of one world share. */
export interface SharedStores {
  readonly items: VersionedItems<QuestionItem>;
  readonly sideItems: VersionedItems<SideItem>;
  readonly disclosures: VersionedItems<Disclosure>;
  readonly suppression: VersionedItems<SuppressionItem>;
  readonly ledger: LedgerStore;
  readonly rateLimiter: VersionedItems<RateLimiterState>;
  readonly breakers: VersionedItems<BreakerState>;
}

export function createMemoryStores(): SharedStores {
  return {
    items: createMemoryItems<QuestionItem>(),
    sideItems: createMemoryItems<SideItem>(),
    disclosures: createMemoryItems<Disclosure>(),
    suppression: createMemoryItems<SuppressionItem>(),
    ledger: createMemoryLedgerStore(),
    rateLimiter: createMemoryItems<RateLimiterState>(),
    breakers: createMemoryItems<BreakerState>(),
  };
}

/** @returns stores for one world after the other, each with keys of its own in the same tables. */
export function tableStores(store: SqliteStore): () => SharedStores {
  const itemsOf = <V>(kind: Pick<StoredKind<unknown>, 'prefix' | 'table'>, parse: (stored: unknown) => V) =>
    plainItems<V>(store, { kind, parse });
  const items = itemsOf(questionKind, (stored) => questionItemSchema.parse(stored));
  const sideItems = itemsOf(sideItemKind, (stored) => sideItemSchema.parse(stored));
  const disclosures = itemsOf(disclosureKind, (stored) => disclosureSchema.parse(stored));
  const suppression = itemsOf(suppressionKind, (stored) => suppressionItemSchema.parse(stored));
  const rateLimiter = itemsOf(rateLimiterKind, (stored) => rateLimiterStateSchema.parse(stored));
  const breakers = itemsOf(breakersKind, (stored) => breakerStateSchema.parse(stored));
  const ledger = createLedgerStore(store);
  let worlds = 0;
  return () => {
    const prefix = `world-${++worlds}-`;
    return {
      items: prefixed(items, prefix),
      sideItems: prefixed(sideItems, prefix),
      disclosures: prefixed(disclosures, prefix),
      suppression: prefixed(suppression, prefix),
      rateLimiter: prefixed(rateLimiter, prefix),
      breakers: prefixed(breakers, prefix),
      ledger: prefixedLedger(ledger, prefix),
    };
  };
}

function prefixed<V>(items: VersionedItems<V, string>, prefix: string): VersionedItems<V> {
  return {
    read: (key) => items.read(prefix + key),
    write: (change) => items.write({ ...change, key: prefix + change.key }),
  };
}

/** The account is part of what is hashed, so it has to come back as it was. */
function prefixedLedger(ledger: LedgerStore, prefix: string): LedgerStore {
  const within = <E extends { readonly account: string }>(entry: E): E => ({
    ...entry,
    account: prefix + entry.account,
  });
  const without = <E extends { readonly account: string }>(entry: E): E => ({
    ...entry,
    account: entry.account.slice(prefix.length),
  });
  return {
    append: (entry) => ledger.append(within(entry)),
    newest: async (account) => {
      const entry = await ledger.newest(prefix + account);
      return entry && without(entry);
    },
    entries: async (query) => (await ledger.entries(within(query))).map(without),
  };
}
