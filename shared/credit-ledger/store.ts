import type { LedgerEntry } from './schemas.ts';

/** The append-only log. An entry's place (account and seq) is taken at most once, by the first writer. */
export interface LedgerStore {
  /** Strongly consistent; `undefined` for an empty log. */
  newest(account: string): Promise<LedgerEntry | undefined>;
  /**
   * The entry must follow one that was read. Appending the very same entry again is `appended`.
   * @returns `taken` when the place already holds another entry; nothing is changed then.
   */
  append(entry: LedgerEntry): Promise<'appended' | 'taken'>;
  /** Oldest first, from `fromSeq` on, at most `limit`. Strongly consistent. */
  entries(query: { account: string; fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
}

/** Entries that are read at a time. */
export const LOG_PAGE = 100;

/** The whole log from `fromSeq` on, oldest first, a page at a time. */
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
