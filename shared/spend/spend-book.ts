import { type LedgerEntry, type LedgerStore, readLog } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import { type SpendHead, type StoredStatus, statusKind } from '#shared/records';
import { change, type VersionedItems } from '#shared/store';
import { countedMonths, emptyMonth, foldIntoMonth, followEntry, isCounted } from './forecast.ts';
import type { PlacedRow, SpendMonth } from './schemas.ts';
import { PROJECTION, spendMonthKind } from './stored-kinds.ts';

export interface SpendBookServices {
  readonly items: VersionedItems<SpendMonth>;
  readonly status: VersionedItems<StoredStatus>;
  readonly store: LedgerStore;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface SpendReading {
  /** Rows of the requested months. */
  readonly rows: readonly PlacedRow[];
  /** Last ledger entry that the rows include; `undefined` for an empty log. */
  readonly newest: LedgerEntry | undefined;
}

/**
 * Sums of the ledger's log by month, so that a report does not read the whole log. The log stays the only source of
 * truth.
 */
export interface SpendBook {
  /** Adds the entries since the last projection. It can be repeated, interrupted and run concurrently. */
  project(): Promise<void>;
  /**
   * Reads the spend up to the newest entry, even if `project` ran long ago.
   * @param query.months months such as `2026-11`.
   */
  read(query: { months: readonly string[] }): Promise<SpendReading>;
  /** Returns facts about the vendor's last answer, as of the last `project`. Reads one item. */
  answers(): Promise<VendorAnswers>;
}

export type VendorAnswers = Pick<SpendHead, 'answeredAtMs' | 'misses'>;

/** Number of entries between two writes of a month. It limits the memory, and the work to repeat after a crash. */
const CHUNK_ENTRIES = 1_000;

export function createSpendBook(services: SpendBookServices): SpendBook {
  return {
    project: () => project(services),
    read: ({ months }) => read(services, months),
    answers: () => readHead(services),
  };
}

/**
 * Writes the months first and the head last. After a crash between these writes, the months are ahead of the head. They
 * then skip the entries that they already hold.
 */
async function project(services: SpendBookServices): Promise<void> {
  for (let more = true; more; ) {
    const { full } = await change(services.status, headOf(services), async (known) => {
      const head = known?.spend ?? START;
      const { charges, next, full } = await readChunk(services, head);
      for (const month of countedMonths(charges)) await addToMonth(services, month, charges);
      return { full, value: next.lastSeq > head.lastSeq ? { spend: next } : undefined };
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
  const item = { key: spendMonthKind.key(month), kind: 'spend of a month', clock };
  await change(items, item, (before = emptyMonth(month)) => {
    const value = foldIntoMonth(before, charges);
    return { value: value === before ? undefined : value };
  });
}

/**
 * Reads the head, the months and the tail of the log, in this order. An entry that is projected during the read is in a
 * month, in the tail or in both; a duplicate is skipped. The tail starts with the last projected entry, so that the
 * newest entry is known even without new entries.
 */
async function read(services: SpendBookServices, months: readonly string[]): Promise<SpendReading> {
  const head = await readHead(services);
  const stored = await Promise.all([...new Set(months)].sort().map((month) => readMonth(services, month)));
  const tail: LedgerEntry[] = [];
  let newest: LedgerEntry | undefined;
  for await (const entry of readLog(services.store, Math.max(1, head.lastSeq))) {
    if (isCounted(entry)) tail.push(entry);
    newest = entry;
  }
  return { rows: stored.flatMap((month) => foldIntoMonth(month, tail).rows), newest };
}

async function readChunk(services: SpendBookServices, head: SpendHead) {
  const charges: LedgerEntry[] = [];
  let next = head;
  for await (const entry of readLog(services.store, head.lastSeq + 1)) {
    if (isCounted(entry)) charges.push(entry);
    next = followEntry(next, entry);
    if (entry.seq - head.lastSeq === CHUNK_ENTRIES) return { charges, next, full: true };
  }
  return { charges, next, full: false };
}

/** The head before the first projection. */
const START: SpendHead = { lastSeq: 0 };

async function readHead(services: SpendBookServices): Promise<SpendHead> {
  return (await services.status.read(headKey()))?.value.spend ?? START;
}

const headKey = () => statusKind.key(`spend#${PROJECTION}`);

function headOf({ clock }: SpendBookServices) {
  return { key: headKey(), kind: "spend's place in the ledger", clock };
}

async function readMonth(services: SpendBookServices, month: string): Promise<SpendMonth> {
  return (await services.items.read(spendMonthKind.key(month)))?.value ?? emptyMonth(month);
}
