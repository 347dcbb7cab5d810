import { HOUR_MS } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import { type LedgerStore, readLog } from './store.ts';

/**
 * Upper bound of the difference between machines' clocks. AWS accepts signed requests up to a quarter of an hour off.
 */
const SKEW_MS = HOUR_MS;
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
