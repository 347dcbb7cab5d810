import { dayOf, monthOfDay } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import type { LedgerStore } from './store.ts';

/** A set-back entry, and the month to which it set the log's time. */
export interface SetBackAt {
  readonly seq: number;
  readonly month: string;
}

/** The month of an entry's time, in the entry's time zone. */
export function statedMonth({ atMs, timeZone }: Pick<LedgerEntry, 'atMs' | 'timeZone'>): string {
  return monthOfDay(dayOf(atMs, timeZone));
}

/**
 * Returns the month in which an entry was booked. If an entry before a set-back states a later month, it belongs to the
 * month of the set-back. So the months of a log never decrease, and a past month gets no further entry.
 */
export function bookedMonth(entry: LedgerEntry, setBacks: readonly SetBackAt[]): string {
  const stated = statedMonth(entry);
  const later = setBacks.filter(({ seq }) => seq > entry.seq).map(({ month }) => month);
  return [stated, ...later].sort()[0] ?? stated;
}

interface Log {
  readonly store: LedgerStore;
  readonly account: string;
}

/**
 * Reads all set-backs, with one read for each. This is possible because every entry stores the number of the last
 * set-back.
 */
export async function readSetBacks(log: Log, newest: LedgerEntry | undefined): Promise<SetBackAt[]> {
  const found: SetBackAt[] = [];
  for (let seq = newest?.totals.setBack?.lastSeq; seq !== undefined; ) {
    const [before, setBack] = await log.store.entries({ account: log.account, fromSeq: seq - 1, limit: 2 });
    if (setBack) found.push({ seq, month: statedMonth(setBack) });
    seq = before?.totals.setBack?.lastSeq;
  }
  return found;
}

/**
 * Finds the first entry of the month or later, by binary search.
 * @returns the entry's number; if there is none, the number after the newest entry.
 */
export async function firstSeqOf(
  month: string,
  { setBacks, newestSeq, ...log }: Log & { setBacks: readonly SetBackAt[]; newestSeq: number },
): Promise<number> {
  let first = 1;
  let after = newestSeq + 1;
  while (first < after) {
    const middle = Math.floor((first + after) / 2);
    const [entry] = await log.store.entries({ account: log.account, fromSeq: middle, limit: 1 });
    if (entry && bookedMonth(entry, setBacks) < month) first = middle + 1;
    else after = middle;
  }
  return first;
}
