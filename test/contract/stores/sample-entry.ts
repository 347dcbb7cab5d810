import { EMPTY_TOTALS } from '#inside/credit-ledger/totals.ts';
import type { LedgerEntry } from '#shared/credit-ledger';

/** An entry for one place in a log, told apart from others for the same place by its writer. */
export function sampleEntry(
  place: { account: string; seq: number },
  { writer = 'a', reason = 'credits bought' }: { writer?: string; reason?: string } = {},
): LedgerEntry {
  return {
    ...place,
    id: `grant-${place.seq}-${writer}`,
    kind: 'grant',
    atMs: 1_795_000_000_000 + place.seq,
    timeZone: 'Europe/Berlin',
    day: '2026-11-18',
    amountCredits: 10,
    reason,
    totals: EMPTY_TOTALS,
    open: [],
    previousHash: `hash of ${place.seq - 1}`,
    hash: `hash of ${place.seq} by ${writer}`,
  };
}
