import { HOUR_MS } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import { type LedgerStore, readLog } from './store.ts';

/** Clocks of machines that sign requests differ by a quarter of an hour at most. */
const SKEW_MS = HOUR_MS;
const FIRST_STEP = 64;

/**
 * The entries that may be about a reservation, or be booked under an id made of its own, oldest first: its id holds its
 * fencing token, which is when it was made. From the newest entry back in steps that double, so that what is read grows
 * with how long ago that was, and not with the log. The whole log for an id that names no time. An id of a time from
 * which the log was set back may stand on both sides of that.
 */
export async function* entriesAbout(
  { store, account }: { readonly store: LedgerStore; readonly account: string },
  id: string,
): ReturnType<typeof readLog> {
  const madeAtMs = /:(\d{13})(?=:|$)/.exec(id)?.[1];
  const newest = madeAtMs === undefined ? undefined : await store.newest(account);
  let fromSeq = newest?.seq ?? 1;
  for (let step = FIRST_STEP; fromSeq > 1; step *= 2) {
    const [entry] = await store.entries({ account, fromSeq, limit: 1 });
    if (entry && entry.atMs < Number(madeAtMs) - SKEW_MS && !mayLieBefore(entry, Number(madeAtMs))) break;
    fromSeq = Math.max(1, fromSeq - step);
  }
  yield* readLog(store, account, fromSeq);
}

function mayLieBefore({ seq, totals: { setBack } }: LedgerEntry, madeAtMs: number): boolean {
  return setBack !== undefined && seq >= setBack.seq && madeAtMs <= setBack.untilMs + SKEW_MS;
}
