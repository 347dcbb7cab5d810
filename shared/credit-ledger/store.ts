import { assert } from '#shared/kernel';
import { type Known, type Owners, type Place, put, type Store, type StoreWrite } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields } from './stored-entry.ts';
import { ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';

/** The append-only log. The first writer takes an entry's place permanently. */
export interface LedgerStore {
  readonly owners: Owners;
  /** Reads the newest entry, strongly consistent; `undefined` for an empty log. */
  newest(): Promise<LedgerEntry | undefined>;
  /**
   * Appends an entry that follows a read entry, in one transaction with other writes. A repeat of the same entry returns
   * `appended`.
   */
  append(entry: LedgerEntry, beside?: readonly StoreWrite[]): Promise<AppendResult>;
  /** Reads at most `limit` entries, oldest first, starting with `fromSeq`. Strongly consistent. */
  entries(query: { fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
}

export type AppendResult =
  /** `version`: of all written items. */
  | { readonly kind: 'appended'; readonly version: string }
  /** The place has another entry, or an item beside the entry has changed. Nothing was written. */
  | { readonly kind: 'taken' | 'overtaken' };

/**
 * Stores an item for each entry, and the newest entry once more as the head. Both are written in one transaction, so
 * that no number is missing and no number is taken twice.
 */
export function createLedgerStore(store: Store): LedgerStore {
  const headPlace: Place<LedgerEntry> = { kind: ledgerHeadKind, key: ledgerHeadKind.key() };
  const entryOf = (seq: number): Place<LedgerEntry> => ({
    kind: ledgerEntryKind,
    key: ledgerEntryKind.key(seq),
  });
  let lastHead: Known<LedgerEntry> | undefined;
  const readHead = async () => {
    const head = (await store.getMany([headPlace])).get(headPlace);
    lastHead = head ?? lastHead;
    return head;
  };
  /** The result if the log holds the entry already. */
  const known = async ({ seq, hash }: LedgerEntry): Promise<AppendResult | undefined> => {
    const found = (await store.getMany([entryOf(seq)])).get(entryOf(seq));
    return found?.value.hash === hash ? { kind: 'appended', version: found.version } : undefined;
  };
  return {
    owners: store.owners,
    newest: async () => (await readHead())?.value,
    append: async (entry, beside = []) => {
      const { seq } = entry;
      const head = lastHead?.value.seq === seq - 1 ? lastHead : await readHead();
      assert((head?.value.seq ?? 0) >= seq - 1, 'an entry follows the newest one');
      if (head && head.value.seq >= seq) return (await known(entry)) ?? { kind: 'taken' };
      const value = entryFields(entry) as LedgerEntry;
      const result = await store.transact([
        put(entryOf(seq), value, undefined),
        put(headPlace, value, head),
        ...beside,
      ]);
      if (result.kind === 'done') {
        lastHead = { value: entry, version: result.version };
        return { kind: 'appended', version: result.version };
      }
      lastHead = undefined;
      const items = await store.getMany(beside.map(({ place }) => place));
      const isOvertaken = beside.some(({ place, version }) => items.get(place)?.version !== version);
      return (await known(entry)) ?? { kind: isOvertaken ? 'overtaken' : 'taken' };
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
