import { dayOf, monthOfDay } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import type { LedgerStore } from './store.ts';

/** Where the log's time was set back, and to which month. */
export interface SetBackAt {
  readonly seq: number;
  readonly month: string;
}

/** The month of an entry's own time, in the zone in which it was counted. */
export function statedMonth({ atMs, timeZone }: Pick<LedgerEntry, 'atMs' | 'timeZone'>): string {
  return monthOfDay(dayOf(atMs, timeZone));
}

/**
 * The month in which an entry was booked: what says a month that had not come when the log's time was set back is of the
 * month to which it was. So the months of a log never fall, and one that is over gets no entry any more.
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

/** All of them, by one reading each: every entry knows the last one before it. */
export async function readSetBacks(log: Log, newest: LedgerEntry | undefined): Promise<SetBackAt[]> {
  const found: SetBackAt[] = [];
  for (let seq = newest?.totals.setBack?.lastSeq; seq !== undefined; ) {
    const [before, at] = await log.store.entries({ account: log.account, fromSeq: seq - 1, limit: 2 });
    if (at) found.push({ seq, month: statedMonth(at) });
    seq = before?.totals.setBack?.lastSeq;
  }
  return found;
}

/** The number of the first entry that was booked in the month or later; one after the newest where there is none. */
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
