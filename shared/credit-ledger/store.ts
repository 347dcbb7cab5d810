import { assert } from '#shared/kernel';
import { type Place, put, storedKey, type TogetherStore } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields } from './stored-entry.ts';
import { ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';

/** The append-only log. The first writer takes an entry's place (account and seq) permanently. */
export interface LedgerStore {
  /** Reads the newest entry, strongly consistent; `undefined` for an empty log. */
  newest(account: string): Promise<LedgerEntry | undefined>;
  /** Appends an entry that follows a read entry. A repeat of the same entry returns `appended`. */
  append(entry: LedgerEntry): Promise<AppendResult>;
  /** Reads at most `limit` entries, oldest first, starting with `fromSeq`. Strongly consistent. */
  entries(query: { account: string; fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
}

/** `taken`: the place has another entry. Nothing was written. */
export type AppendResult = { readonly kind: 'appended' | 'taken' };

/**
 * Stores an item for each entry, and the newest entry once more as the head. Both are written in one transaction, so
 * that no number is missing and no number is taken twice.
 */
export function createLedgerStore(store: TogetherStore): LedgerStore & Pick<TogetherStore, 'together'> {
  const headOf = (account: string) => placeOf(account, ledgerHeadKind.key(), ledgerHeadKind);
  const entryOf = (account: string, seq: number) =>
    placeOf(account, ledgerEntryKind.key(seq), ledgerEntryKind);
  const readHead = async (account: string) => (await store.getMany([headOf(account)])).get(headOf(account));
  /** Whether the log has the entry already. */
  const has = async ({ account, seq, hash }: LedgerEntry) => {
    const found = (await store.getMany([entryOf(account, seq)])).get(entryOf(account, seq));
    return found?.value.hash === hash;
  };
  return {
    together: store.together,
    newest: async (account) => (await readHead(account))?.value,
    append: async (entry) => {
      const { account, seq } = entry;
      const head = await readHead(account);
      assert((head?.value.seq ?? 0) >= seq - 1, 'an entry follows the newest one');
      const value = entryFields(entry) as LedgerEntry;
      if (head?.value.seq === seq - 1 || (!head && seq === 1)) {
        const writes = [put(entryOf(account, seq), value, undefined), put(headOf(account), value, head)];
        if ((await store.transact(writes)).kind === 'done') return { kind: 'appended' };
      }
      return { kind: (await has(entry)) ? 'appended' : 'taken' };
    },
    entries: async ({ account, fromSeq, limit }) => {
      const found: LedgerEntry[] = [];
      for (let from = fromSeq, last = from; found.length < limit && from <= last; ) {
        const count = Math.min(LOG_PAGE - 1, limit - found.length);
        const places = Array.from({ length: count }, (_, nth) => entryOf(account, from + nth));
        const items = await store.getMany([headOf(account), ...places]);
        found.push(...places.flatMap((place) => items.get(place)?.value ?? []));
        // A log that lacks an entry goes on after it, so that its check finds the gap.
        last = items.get(headOf(account))?.value.seq ?? 0;
        from += count;
      }
      return found;
    },
  };
}

function placeOf(
  account: string,
  key: string,
  kind: typeof ledgerHeadKind | typeof ledgerEntryKind,
): Place<LedgerEntry> {
  return { kind, key: storedKey(account, kind, key) };
}

/** Number of entries in one read. */
const LOG_PAGE = 100;

/** Reads the log from `fromSeq` to its end, oldest first, in pages. */
export async function* readLog(
  store: LedgerStore,
  account: string,
  fromSeq = 1,
  limit = LOG_PAGE,
): AsyncGenerator<LedgerEntry> {
  for (let next = fromSeq; ; ) {
    const page = await store.entries({ account, fromSeq: next, limit });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    next = last.seq + 1;
  }
}
