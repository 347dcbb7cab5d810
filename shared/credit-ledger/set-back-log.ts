import { refuseWrongClock, untilWon } from '#shared/versioned-items';
import { chain } from './chain.ts';
import type { LedgerServices } from './ledger.ts';
import { replay } from './replay.ts';
import type { LedgerEntry } from './schemas.ts';
import { draftSetBack, followUse, isAhead, type UseByDay } from './set-back.ts';
import { readLog } from './store.ts';

/** `not-ahead`: the newest entry is not ahead, or so little ahead that the clock catches up soon. */
export type SetBack =
  | { readonly kind: 'appended'; readonly entry: LedgerEntry }
  | { readonly kind: 'not-ahead' };

/**
 * If the log's time is ahead of the store's clock, appends an entry with the clock's time. Reads the whole log.
 * @throws UpstreamError `CLOCK_WRONG`
 */
export async function setBackLog(services: LedgerServices, reason: string): Promise<SetBack> {
  const { store, account, digest, clock, random, timeZone } = services;
  return untilWon({ kind: "ledger's newest entry", clock, random }, async () => {
    const usageByDay: UseByDay = new Map();
    let previous: LedgerEntry | undefined;
    for await (const entry of readLog(store, account)) {
      const { movement } = replay(entry, previous?.open ?? [], entry.timeZone);
      followUse(usageByDay, entry, movement);
      previous = entry;
    }
    refuseWrongClock(services, 'booked');
    const nowMs = clock.now();
    if (!previous || !isAhead(previous, nowMs)) return { kind: 'not-ahead' };
    const draft = draftSetBack(previous, { use: usageByDay, nowMs, timeZone, reason });
    const entry = chain(draft, { account, previous, digest });
    return (await store.append(entry)) === 'appended' ? { kind: 'appended', entry } : undefined;
  });
}
