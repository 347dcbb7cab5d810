import { HOUR_MS } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import { type LedgerStore, readLog } from './store.ts';

/** Clocks of machines that sign requests to AWS differ by at most a quarter of an hour. */
const SKEW_MS = HOUR_MS;
const FIRST_STEP = 64;

/**
 * Reads the entries that may belong to a reservation or to an id derived from it, oldest first. The id contains the
 * fencing token, which is the time of the reservation. The search goes back from the newest entry in doubling steps, so
 * its cost depends on the age, not on the length of the log. For an id without a time it reads the whole log. After a
 * set-back, entries of one time may be on both sides of it.
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
