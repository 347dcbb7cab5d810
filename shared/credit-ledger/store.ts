import { assert, HOUR_MS } from '#shared/kernel';
import { type Owners, type Place, put, type TogetherStore } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields, ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';

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
type AppendResult = { readonly kind: 'appended' | 'taken' };

/**
 * Stores an item for each entry, and the newest entry once more as the head. Both are written in one transaction, so
 * that no number is missing and no number is taken twice.
 * @param mark that of the vendor whose credits are booked. Each vendor has a log.
 */
export function createLedgerStore(
  store: TogetherStore,
  mark = '',
): LedgerStore & Pick<TogetherStore, 'together'> {
  const headPlace: Place<LedgerEntry> = { kind: ledgerHeadKind, key: ledgerHeadKind.key(mark) };
  const entryOf = (seq: number): Place<LedgerEntry> => ({
    kind: ledgerEntryKind,
    key: ledgerEntryKind.key(`${seq}${mark}`),
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

/**
 * Upper bound of the difference between machines' clocks. AWS accepts signed requests up to a quarter of an hour off. A
 * month that ended this long ago gets no further entry.
 */
export const SKEW_MS = HOUR_MS;

const FIRST_STEP = 64;

/**
 * Reads the entries that may belong to a reservation, or to an id derived from a reservation, oldest first. The id
 * contains the fencing token, which is the time of the reservation. The search starts at the newest entry and goes back
 * in doubling steps. So its cost depends on the reservation's age, not on the length of the log. For an id without a
 * time, the whole log is read. Entries of the same time may be before and after a set-back.
 */
export async function* entriesAbout(
  { store }: { readonly store: LedgerStore },
  id: string,
): ReturnType<typeof readLog> {
  const reservedAtMs = /:(\d{13})(?=:|$)/.exec(id)?.[1];
  const newest = reservedAtMs === undefined ? undefined : await store.newest();
  let fromSeq = newest?.seq ?? 1;
  for (let step = FIRST_STEP; fromSeq > 1; step *= 2) {
    const [entry] = await store.entries({ fromSeq, limit: 1 });
    if (entry && entry.atMs < Number(reservedAtMs) - SKEW_MS && !mayBeEarlier(entry, Number(reservedAtMs)))
      break;
    fromSeq = Math.max(1, fromSeq - step);
  }
  yield* readLog(store, fromSeq);
}

function mayBeEarlier({ totals: { setBack } }: LedgerEntry, reservedAtMs: number): boolean {
  return setBack !== undefined && reservedAtMs <= setBack.untilMs + SKEW_MS;
}
