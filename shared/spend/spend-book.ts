import { type LedgerEntry, type LedgerStore, readLog } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import { change, type VersionedItems } from '#shared/versioned-items';
import { chargedMonths, emptyMonth, foldIntoMonth, followEntry, isCharge } from './projection.ts';
import type { PlacedRow, SpendHead, SpendMonth } from './schemas.ts';

export interface SpendBookServices {
  /** May share a table with `heads`: their keys differ. */
  readonly items: VersionedItems<SpendMonth>;
  readonly heads: VersionedItems<SpendHead>;
  readonly store: LedgerStore;
  readonly account: string;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface SpendReading {
  /** Of the months that were asked for. */
  readonly rows: readonly PlacedRow[];
  /** The ledger entry up to which the rows count; `undefined` for an empty log. */
  readonly newest: LedgerEntry | undefined;
}

/** The log, summed up by month so that a report need not read all of it. The log stays the only truth. */
export interface SpendBook {
  /** Sums up what was appended since the last time. Safe to repeat, to interrupt and to run concurrently. */
  project(): Promise<void>;
  /** What was spent, up to the newest entry, however long ago `project` ran. @param query.months `2026-11`, ... */
  read(query: { months: readonly string[] }): Promise<SpendReading>;
  /** The vendor's last answer, as of the last `project`. Reads one item. */
  answers(): Promise<VendorAnswers>;
}

export type VendorAnswers = Pick<SpendHead, 'answeredAtMs' | 'misses'>;

/** Raise it when the rules of the projection change: the sums are then made anew. */
const PROJECTION = 3;
/** Entries between two writes of a month: bounds both the memory and what a crash has to repeat. */
const CHUNK_ENTRIES = 1_000;

export function createSpendBook(services: SpendBookServices): SpendBook {
  return {
    project: () => project(services),
    read: ({ months }) => read(services, months),
    answers: () => readHead(services),
  };
}

/**
 * Months first, head last: after a crash in between, the months are ahead of the head, and skip what they hold
 * when it comes again.
 */
async function project(services: SpendBookServices): Promise<void> {
  for (let more = true; more; ) {
    const { full } = await change(services.heads, headOf(services), async (head = START) => {
      const { charges, next, full } = await readChunk(services, head);
      for (const month of chargedMonths(charges)) await addToMonth(services, month, charges);
      return { full, value: next.lastSeq > head.lastSeq ? next : undefined };
    });
    more = full;
  }
}

async function addToMonth(
  services: SpendBookServices,
  month: string,
  charges: readonly LedgerEntry[],
): Promise<void> {
  const { items, clock } = services;
  const item = { key: monthKey(services, month), kind: 'spend of a month', clock };
  await change(items, item, (before = emptyMonth(month)) => {
    const value = foldIntoMonth(before, charges);
    return { value: value === before ? undefined : value };
  });
}

/**
 * Head, months, log, in this order: whatever is projected meanwhile is in a month or in the tail, and what is in
 * both is skipped. The tail starts with the head's own entry, so that the newest one is known without a tail.
 */
async function read(services: SpendBookServices, months: readonly string[]): Promise<SpendReading> {
  const head = await readHead(services);
  const stored = await Promise.all([...new Set(months)].sort().map((month) => readMonth(services, month)));
  const tail: LedgerEntry[] = [];
  let newest: LedgerEntry | undefined;
  for await (const entry of readLog(services.store, services.account, Math.max(1, head.lastSeq))) {
    if (isCharge(entry)) tail.push(entry);
    newest = entry;
  }
  return { rows: stored.flatMap((month) => foldIntoMonth(month, tail).rows), newest };
}

async function readChunk(services: SpendBookServices, head: SpendHead) {
  const charges: LedgerEntry[] = [];
  let next = head;
  for await (const entry of readLog(services.store, services.account, head.lastSeq + 1)) {
    if (isCharge(entry)) charges.push(entry);
    next = followEntry(next, entry);
    if (entry.seq - head.lastSeq === CHUNK_ENTRIES) return { charges, next, full: true };
  }
  return { charges, next, full: false };
}

/** Where nothing was projected yet. */
const START: SpendHead = { lastSeq: 0 };

async function readHead(services: SpendBookServices): Promise<SpendHead> {
  return (await services.heads.read(headOf(services).key))?.value ?? START;
}

function headOf({ account, clock }: SpendBookServices) {
  return { key: `spend-head/${PROJECTION}/${account}`, kind: "spend's place in the ledger", clock };
}

async function readMonth(services: SpendBookServices, month: string): Promise<SpendMonth> {
  return (await services.items.read(monthKey(services, month)))?.value ?? emptyMonth(month);
}

function monthKey({ account }: SpendBookServices, month: string): string {
  return `spend-month/${PROJECTION}/${account}/${month}`;
}
