import type { LedgerStore } from '#shared/credit-ledger';
import { CLOCK_TOLERANCE_MS, SECOND_MS } from '#shared/kernel';

/** What a clock may be off before it is refused, and the second that a `Date` header leaves open. */
const STAMP_TOLERANCE_MS = CLOCK_TOLERANCE_MS + SECOND_MS;

/** Notes entries of a time that has not come when they are appended. */
export function noticeStamps(
  ledger: LedgerStore,
  now: () => number,
): LedgerStore & { readonly stampedAhead: readonly string[] } {
  const stampedAhead: string[] = [];
  return {
    stampedAhead,
    newest: (account) => ledger.newest(account),
    entries: (query) => ledger.entries(query),
    append: async (entry) => {
      const appended = await ledger.append(entry);
      const aheadMs = entry.atMs - now();
      if (appended === 'appended' && aheadMs > STAMP_TOLERANCE_MS)
        stampedAhead.push(`entry ${entry.seq} (${entry.kind}) is stamped ${aheadMs} ms ahead of time`);
      return appended;
    },
  };
}
