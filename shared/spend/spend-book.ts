import { type LedgerEntry, type LedgerStore, readLog } from '#shared/credit-ledger';
import { type Clock, daysUpTo, monthOfDay } from '#shared/kernel';
import { type SpendHead, type StoredStatus, statusKind, type YieldCount } from '#shared/records';
import { change, type VersionedItems } from '#shared/store';
import { countedMonths, emptyMonth, foldIntoMonth, followEntry, isCounted } from './forecast.ts';
import type { PlacedRow, SpendMonth, SpendRow } from './schemas.ts';
import { freeMissesOf, sum, WITHOUT_ASKER, WITHOUT_RULE } from './selection.ts';
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
  /** Returns number and hash of the entry that the last `project` read last; empty if unknown. Reads one item. */
  lastEntry(): Promise<ReadonlyMap<number, string>>;
}

export type VendorAnswers = Pick<SpendHead, 'answeredAtMs' | 'misses'>;

/** Number of entries between two writes of a month. It limits the memory, and the work to repeat after a crash. */
const CHUNK_ENTRIES = 1_000;

export function createSpendBook(services: SpendBookServices): SpendBook {
  return {
    project: () => project(services),
    read: ({ months }) => read(services, months),
    answers: () => readHead(services),
    lastEntry: async () => {
      const { lastSeq, lastHash } = await readHead(services);
      return new Map(lastHash === undefined ? [] : [[lastSeq, lastHash]]);
    },
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

/** Groupings of the results table. Runs are not counted by operation, so it has no filled fields. */
export const YIELD_PARTS = ['purpose', 'source', 'rule', 'operation'] as const;

export type YieldPart = (typeof YIELD_PARTS)[number];

/** Credits of some charges, and the results of the runs of the same days. Absent results are unknown. */
export interface Results {
  readonly credits: number;
  readonly charges: number;
  /** Credits of charges that were answered without a match. A booked doubt is none of them. */
  readonly wastedCredits: number;
  /** Share of matches among the lookups that were answered, 0 to 1. A free miss counts. Absent if none was answered. */
  readonly matchRate?: number;
  readonly filledFields?: number;
  /** Credits, with fractions. Absent if no field was filled. */
  readonly costPerFilledField?: number;
}

/** Results of one part. */
export interface SpendYield extends Results {
  /** Purpose, source (`source:IMPORT`, `user`), rule of the policy, or operation. */
  readonly name: string;
}

type NamedRow = Pick<YieldCount, 'purpose' | 'source' | 'rule'> & Partial<Pick<SpendRow, 'operation'>>;

/** Returns the name of the part to which a charge or runs belong. */
const NAMES: Readonly<Record<YieldPart, (row: NamedRow) => string>> = {
  purpose: ({ purpose }) => purpose,
  source: ({ source = WITHOUT_ASKER }) => source,
  rule: ({ rule = WITHOUT_RULE }) => rule,
  operation: ({ operation = '' }) => operation,
};

/**
 * Lists the parts with a charge or a run, most expensive first. The list by rule is empty if the policy has no rules.
 * @param runs absent if runs are not counted.
 */
export function yieldsBy(
  part: YieldPart,
  rows: readonly SpendRow[],
  runs: readonly YieldCount[] | undefined,
): SpendYield[] {
  const nameOf = NAMES[part];
  const spent = Map.groupBy(rows, ({ askedBy: source, ...row }) => nameOf({ ...row, source }));
  const ran = part === 'operation' ? undefined : runs && Map.groupBy(runs, nameOf);
  const names = [...new Set([...spent.keys(), ...(ran?.keys() ?? [])])];
  if (part === 'rule' && names.every((name) => name === WITHOUT_RULE)) return [];
  return names
    .map((name) => ({ name, ...yieldOf(spent.get(name) ?? [], ran && (ran.get(name) ?? [])) }))
    .sort((a, b) => b.credits - a.credits || (a.name < b.name ? -1 : 1));
}

/** @param runs absent if runs are not counted. */
export function yieldOf(rows: readonly SpendRow[], runs: readonly YieldCount[] | undefined): Results {
  const { credits, count: charges } = sum(rows);
  const matched = sum(rows.filter(({ outcome }) => outcome === 'match'));
  const missed = sum(rows.filter(({ outcome }) => outcome === 'no-match'));
  const answered = matched.count + missed.count + freeMissesOf(rows);
  const matchRate = answered > 0 && { matchRate: matched.count / answered };
  const spent = { credits, charges, wastedCredits: missed.credits, ...matchRate };
  if (!runs) return spent;
  const filledFields = runs.reduce((fields, row) => fields + row.fields, 0);
  return {
    ...spent,
    filledFields,
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
  };
}

const RECENT_DAYS = 30;

/** Returns the match rate of the last 30 days, today included; `undefined` without an answered lookup. */
export async function recentMatchRate(
  spendBook: Pick<SpendBook, 'read'>,
  today: string,
): Promise<number | undefined> {
  const days = daysUpTo(today, RECENT_DAYS);
  const { rows } = await spendBook.read({ months: [...new Set(days.map(monthOfDay))] });
  return yieldOf(
    rows.filter(({ day }) => days.includes(day)),
    undefined,
  ).matchRate;
}
