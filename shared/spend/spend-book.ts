import type { LedgerEntry } from '../credit-ledger/entries.ts';
import { type LedgerStore, readLog } from '../credit-ledger/store.ts';
import { OutsideError } from '../kernel/errors.ts';
import type { Versioned, VersionedItems } from '../versioned-items/store.ts';
import {
  chargedMonths,
  emptyMonth,
  foldIntoMonth,
  isCharge,
  type SpendMonth,
  type SpendRow,
} from './projection.ts';

/** How far the log has been projected: the months hold every charge up to and including entry `lastSeq`. */
export interface SpendHead {
  readonly lastSeq: number;
  /** Months of other generations are left behind and never read again. */
  readonly generation: number;
}

export interface SpendBookDeps {
  /** May share a table with `heads`: their keys differ. */
  readonly items: VersionedItems<SpendMonth>;
  readonly heads: VersionedItems<SpendHead>;
  readonly store: LedgerStore;
  readonly account: string;
}

export interface SpendReading {
  /** Of the months that were asked for. */
  readonly rows: readonly SpendRow[];
  /** The ledger entry up to which the rows count; `undefined` for an empty log. */
  readonly newest: LedgerEntry | undefined;
}

/** The log, summed up by month so that a report need not read all of it. The log stays the only truth. */
export interface SpendBook {
  /** Sums up what was appended since the last time. Safe to repeat, to interrupt and to run concurrently. */
  project(): Promise<void>;
  /** What was spent, up to the newest entry, however long ago `project` ran. @param query.months `2026-11`, ... */
  read(query: { months: readonly string[] }): Promise<SpendReading>;
  /** Forgets the stored sums and makes them anew from the log. */
  rebuild(): Promise<void>;
}

/** Raise it when the rules of the projection change: the sums are then made anew. */
const PROJECTION = 1;
/** Entries between two writes of a month: bounds both the memory and what a crash has to repeat. */
const CHUNK_ENTRIES = 1_000;
/** Each lost race means that another run got on; far more of them than this is a store gone wrong. */
const MAX_LOST_RACES = 50;

export function createSpendBook(deps: SpendBookDeps): SpendBook {
  return {
    project: () => project(deps),
    read: ({ months }) => read(deps, months),
    rebuild: async () => {
      await untilWon(async () => {
        const { value, version } = await readHead(deps);
        return writeHead(deps, { lastSeq: 0, generation: value.generation + 1 }, version);
      });
      await project(deps);
    },
  };
}

/**
 * Months first, head last: after a crash in between, the months are ahead of the head, and skip what they hold
 * when it comes again.
 */
async function project(deps: SpendBookDeps): Promise<void> {
  for (let more = true; more; ) {
    await untilWon(async () => {
      const { value: head, version } = await readHead(deps);
      const { charges, last, full } = await readChunk(deps, head.lastSeq + 1);
      more = full;
      if (!last) return 'written';
      for (const month of chargedMonths(charges)) await addToMonth(deps, { head, month, charges });
      return writeHead(deps, { ...head, lastSeq: last.seq }, version);
    });
  }
}

async function addToMonth(
  deps: SpendBookDeps,
  { head, month, charges }: { head: SpendHead; month: string; charges: readonly LedgerEntry[] },
): Promise<void> {
  await untilWon(async () => {
    const { value: before, version } = await readMonth(deps, head, month);
    const value = foldIntoMonth(before, charges);
    if (value === before) return 'written';
    return deps.items.write({ key: monthKey(deps, head, month), value, expectedVersion: version });
  });
}

/**
 * Head, months, log, in this order: whatever is projected meanwhile is in a month or in the tail, and what is in
 * both is skipped. The tail starts with the head's own entry, so that the newest one is known without a tail.
 */
async function read(deps: SpendBookDeps, months: readonly string[]): Promise<SpendReading> {
  const { value: head } = await readHead(deps);
  const stored = await Promise.all([...new Set(months)].sort().map((month) => readMonth(deps, head, month)));
  const tail: LedgerEntry[] = [];
  let newest: LedgerEntry | undefined;
  for await (const entry of readLog(deps.store, deps.account, Math.max(1, head.lastSeq))) {
    if (isCharge(entry)) tail.push(entry);
    newest = entry;
  }
  return { rows: stored.flatMap(({ value }) => foldIntoMonth(value, tail).rows), newest };
}

async function readChunk(deps: SpendBookDeps, fromSeq: number) {
  const charges: LedgerEntry[] = [];
  let last: LedgerEntry | undefined;
  for await (const entry of readLog(deps.store, deps.account, fromSeq)) {
    if (isCharge(entry)) charges.push(entry);
    last = entry;
    if (entry.seq - fromSeq + 1 === CHUNK_ENTRIES) return { charges, last, full: true };
  }
  return { charges, last, full: false };
}

async function readHead({ heads, account }: SpendBookDeps): Promise<Versioned<SpendHead>> {
  const stored = await heads.read(headKey(account));
  return stored ?? { value: { lastSeq: 0, generation: 1 }, version: 0 };
}

function writeHead({ heads, account }: SpendBookDeps, value: SpendHead, expectedVersion: number) {
  return heads.write({ key: headKey(account), value, expectedVersion });
}

async function readMonth(
  deps: SpendBookDeps,
  head: SpendHead,
  month: string,
): Promise<Versioned<SpendMonth>> {
  const stored = await deps.items.read(monthKey(deps, head, month));
  return stored ?? { value: emptyMonth(month), version: 0 };
}

function headKey(account: string): string {
  return `spend-head/${PROJECTION}/${account}`;
}

function monthKey({ account }: SpendBookDeps, { generation }: SpendHead, month: string): string {
  return `spend-month/${PROJECTION}/${account}/${generation}/${month}`;
}

/** @throws OutsideError `SPEND_CONTENDED` */
async function untilWon(attempt: () => Promise<'written' | 'conflict'>): Promise<void> {
  for (let lost = 0; lost < MAX_LOST_RACES; lost += 1) {
    if ((await attempt()) === 'written') return;
  }
  throw new OutsideError({
    code: 'SPEND_CONTENDED',
    message: `The spend totals were changed by another run ${MAX_LOST_RACES} times in a row.`,
    retryable: true,
  });
}
