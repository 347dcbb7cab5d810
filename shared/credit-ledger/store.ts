import type { LedgerEntry } from './schemas.ts';

/** The append-only log. The first writer takes an entry's place (account and seq) permanently. */
export interface LedgerStore {
  /** Reads the newest entry, strongly consistent; `undefined` for an empty log. */
  newest(account: string): Promise<LedgerEntry | undefined>;
  /**
   * Appends an entry that follows a read entry. A repeat of the same entry returns `appended`.
   * @returns `taken` if the place already has another entry. Then nothing changes.
   */
  append(entry: LedgerEntry): Promise<'appended' | 'taken'>;
  /** Reads at most `limit` entries, oldest first, starting with `fromSeq`. Strongly consistent. */
  entries(query: { account: string; fromSeq: number; limit: number }): Promise<readonly LedgerEntry[]>;
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
