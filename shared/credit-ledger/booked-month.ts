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
 * The month in which an entry was booked. An entry before a set-back may state a later month; then it belongs to the month
 * of the set-back. So the months of a log never fall, and a past month gets no further entry.
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

/** Reads all set-backs, one read for each, because every entry stores the last set-back before it. */
export async function readSetBacks(log: Log, newest: LedgerEntry | undefined): Promise<SetBackAt[]> {
  const found: SetBackAt[] = [];
  for (let seq = newest?.totals.setBack?.lastSeq; seq !== undefined; ) {
    const [before, at] = await log.store.entries({ account: log.account, fromSeq: seq - 1, limit: 2 });
    if (at) found.push({ seq, month: statedMonth(at) });
    seq = before?.totals.setBack?.lastSeq;
  }
  return found;
}

/** Finds the first entry of the month or later, by binary search. @returns its number; one after the newest if there is none. */
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
