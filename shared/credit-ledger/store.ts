import { assert } from '#shared/kernel';
import { type Known, type Place, put, type Store, type StoreWrite, storedKey } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields } from './stored-entry.ts';
import { ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';

/** The append-only log. The first writer takes an entry's place (account and seq) permanently. */
export interface LedgerStore {
  /** Reads the newest entry, strongly consistent; `undefined` for an empty log. */
  newest(account: string): Promise<LedgerEntry | undefined>;
  /**
   * Appends an entry that follows a read entry, in one transaction with other writes. A repeat of the same entry returns
   * `appended`.
   */
  append(entry: LedgerEntry, beside?: readonly StoreWrite[]): Promise<AppendResult>;
  /** Reads at most `limit` entries, oldest first, starting with `fromSeq`. Strongly consistent. */
  entries(query: { account: string; fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
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
  const heads = new Map<string, Known<LedgerEntry>>();
  const headOf = (account: string) => placeOf(account, ledgerHeadKind.key(), ledgerHeadKind);
  const entryOf = (account: string, seq: number) =>
    placeOf(account, ledgerEntryKind.key(seq), ledgerEntryKind);
  const readHead = async (account: string) => {
    const head = (await store.getMany([headOf(account)])).get(headOf(account));
    if (head) heads.set(account, head);
    return head;
  };
  /** The result if the log holds the entry already. */
  const known = async ({ account, seq, hash }: LedgerEntry): Promise<AppendResult | undefined> => {
    const found = (await store.getMany([entryOf(account, seq)])).get(entryOf(account, seq));
    return found?.value.hash === hash ? { kind: 'appended', version: found.version } : undefined;
  };
  return {
    newest: async (account) => (await readHead(account))?.value,
    append: async (entry, beside = []) => {
      const { account, seq } = entry;
      const last = heads.get(account);
      const head = last?.value.seq === seq - 1 ? last : await readHead(account);
      assert((head?.value.seq ?? 0) >= seq - 1, 'an entry follows the newest one');
      if (head && head.value.seq >= seq) return (await known(entry)) ?? { kind: 'taken' };
      const value = entryFields(entry) as LedgerEntry;
      const result = await store.transact([
        put(entryOf(account, seq), value, undefined),
        put(headOf(account), value, head),
        ...beside,
      ]);
      if (result.kind === 'done') {
        heads.set(account, { value: entry, version: result.version });
        return { kind: 'appended', version: result.version };
      }
      heads.delete(account);
      const items = await store.getMany(beside.map(({ place }) => place));
      const isOvertaken = beside.some(({ place, version }) => items.get(place)?.version !== version);
      return (await known(entry)) ?? { kind: isOvertaken ? 'overtaken' : 'taken' };
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
