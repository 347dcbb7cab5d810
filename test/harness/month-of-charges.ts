import { EMPTY_TOTALS } from '#inside/credit-ledger/totals.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { PURPOSES } from '#shared/crm';
import { DAY_MS } from '#shared/kernel';
import { OWNERS } from '#shared/store';
import type { createMemoryLedgerStore } from './memory-items.ts';

const START_MS = Date.UTC(2026, 10, 1, 6);
const DAYS = 30;
const OPERATIONS = ['personProfile', 'companyProfile', 'reverseEmail', 'lookUpPerson'] as const;
/** One request in this many is in doubt until the end of the month. */
const DOUBT_EVERY = 1_000;

export interface MonthOfCharges {
  readonly store: ReturnType<typeof createMemoryLedgerStore>;
  /** The end of the month. */
  readonly nowMs: number;
  readonly entries: number;
  /** Entries and requests read since the last call. */
  reads(): { readonly entries: number; readonly requests: number };
}

/**
 * The log of a November with this many charges, in six purposes and four operations. Some were in doubt and are
 * resolved on the last day. Entries are made when they are read, so the log takes no memory; they have no hash chain.
 */
export function monthOfCharges(charges: number): MonthOfCharges {
  const doubts = Math.floor(charges / DOUBT_EVERY);
  const entries = 2 * charges + doubts;
  let [read, requests] = [0, 0];
  const entryAt = (seq: number): LedgerEntry => {
    const isLate = seq > 2 * charges;
    const nth = isLate ? (seq - 2 * charges) * DOUBT_EVERY - 1 : Math.floor((seq - 1) / 2);
    const isDoubt = nth % DOUBT_EVERY === DOUBT_EVERY - 1;
    const isPending = !isLate && seq % 2 === 1;
    const askedMs = START_MS + Math.floor((nth / charges) * DAYS) * DAY_MS;
    const settled = isDoubt && !isLate ? 'doubtful' : 'posted';
    const charged = isLate ? 'resolved: on the bill' : nth % 3 === 0 ? 'no-match' : 'match';
    return {
      account: 'main',
      seq,
      id: `${nth}:${seq}`,
      kind: isPending ? 'pending' : settled,
      atMs: isLate ? START_MS + (DAYS - 1) * DAY_MS : askedMs,
      timeZone: 'UTC',
      day: new Date(askedMs).toISOString().slice(0, 10),
      amountCredits: 1 + (nth % 3),
      reservationId: String(nth),
      questionKey: `question-${nth}`.padEnd(64, '0'),
      operation: OPERATIONS[nth % OPERATIONS.length] ?? '',
      purpose: PURPOSES[Math.floor(nth / 7) % PURPOSES.length] ?? 'live',
      record: `contacts#${nth % 20_000}`,
      ...(!isPending && { reason: charged }),
      totals: EMPTY_TOTALS,
      open: [],
      previousHash: '',
      hash: String(seq),
    };
  };
  const range = (fromSeq: number, limit: number) => {
    const length = Math.max(0, Math.min(limit, entries - fromSeq + 1));
    [read, requests] = [read + length, requests + 1];
    return Array.from({ length }, (_, index) => entryAt(fromSeq + index));
  };
  return {
    store: {
      owners: OWNERS,
      together: () => Promise.reject(new Error('Nothing is appended.')),
      newest: async () => range(entries, 1)[0],
      append: async () => ({ kind: 'taken' }),
      entries: async ({ fromSeq, limit }) => range(fromSeq, limit),
    },
    nowMs: START_MS + (DAYS - 1) * DAY_MS,
    entries,
    reads: () => {
      const since = { entries: read, requests };
      [read, requests] = [0, 0];
      return since;
    },
  };
}
