import { assert } from '#shared/kernel';
import { type Owners, type Place, put, type TogetherStore } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields } from './stored-entry.ts';
import { ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';

/** The append-only log. The first writer takes an entry's place permanently. */
export interface LedgerStore {
  readonly owners: Owners;
  /** Reads the newest entry, strongly consistent; `undefined` for an empty log. */
  newest(): Promise<LedgerEntry | undefined>;
  /** Appends an entry that follows a read entry. A repeat of the same entry returns `appended`. */
  append(entry: LedgerEntry): Promise<AppendResult>;
  /** Reads at most `limit` entries, oldest first, starting with `fromSeq`. Strongly consistent. */
  entries(query: { fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
}

/** `taken`: the place has another entry. Nothing was written. */
export type AppendResult = { readonly kind: 'appended' | 'taken' };

/**
 * Stores an item for each entry, and the newest entry once more as the head. Both are written in one transaction, so
 * that no number is missing and no number is taken twice.
 */
export function createLedgerStore(store: TogetherStore): LedgerStore & Pick<TogetherStore, 'together'> {
  const headPlace: Place<LedgerEntry> = { kind: ledgerHeadKind, key: ledgerHeadKind.key() };
  const entryOf = (seq: number): Place<LedgerEntry> => ({
    kind: ledgerEntryKind,
    key: ledgerEntryKind.key(seq),
  });
  const readHead = async () => (await store.getMany([headPlace])).get(headPlace);
  /** Whether the log has the entry already. */
  const has = async ({ seq, hash }: LedgerEntry) =>
    (await store.getMany([entryOf(seq)])).get(entryOf(seq))?.value.hash === hash;
  return {
    owners: store.owners,
    together: store.together,
    newest: async () => (await readHead())?.value,
    append: async (entry) => {
      const { seq } = entry;
      const head = await readHead();
      assert((head?.value.seq ?? 0) >= seq - 1, 'an entry follows the newest one');
      const value = entryFields(entry) as LedgerEntry;
      if (head?.value.seq === seq - 1 || (!head && seq === 1)) {
        const writes = [put(entryOf(seq), value, undefined), put(headPlace, value, head)];
        if ((await store.transact(writes)).kind === 'done') return { kind: 'appended' };
      }
      return { kind: (await has(entry)) ? 'appended' : 'taken' };
    },
    entries: async ({ fromSeq, limit }) => {
      const found: LedgerEntry[] = [];
      for (let from = fromSeq, last = from; found.length < limit && from <= last; ) {
        const count = Math.min(LOG_PAGE - 1, limit - found.length);
        const places = Array.from({ length: count }, (_, nth) => entryOf(from + nth));
        const items = await store.getMany([headPlace, ...places]);
        found.push(...places.flatMap((place) => items.get(place)?.value ?? []));
        // A log that lacks an entry goes on after it, so that its check finds the gap.
        last = items.get(headPlace)?.value.seq ?? 0;
        from += count;
      }
      return found;
    },
  };
}

/** Number of entries in one read. */
const LOG_PAGE = 100;

/** Reads the log from `fromSeq` to its end, oldest first, in pages. */
export async function* readLog(
  store: LedgerStore,
  fromSeq = 1,
  limit = LOG_PAGE,
): AsyncGenerator<LedgerEntry> {
  for (let next = fromSeq; ; ) {
    const page = await store.entries({ fromSeq: next, limit });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    next = last.seq + 1;
  }
}
