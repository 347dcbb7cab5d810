import { HOUR_MS } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import { type LedgerStore, readLog } from './store.ts';

/** Clocks of machines that sign requests differ by a quarter of an hour at most. */
const SKEW_MS = HOUR_MS;
const FIRST_STEP = 64;

/**
 * Finds entries that may belong to a reservation, or are booked under an id made of its own, oldest first. The id
 * holds the fencing token, which is the time of the reservation. The search goes back from the newest entry in steps
 * that double, so its cost follows the age and not the length of the log. It reads the whole log for an id without a
 * time. After a set-back, entries of one time may be on both sides of it.
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
