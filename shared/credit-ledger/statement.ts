import { dayOf, monthOfDay } from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import {
  type ChargeSums,
  type Counted,
  createDoubts,
  createLots,
  createSpent,
  type Doubts,
  type ExpiredLot,
  openIn,
} from './statement-sums.ts';
import { EMPTY_TOTALS } from './totals.ts';

/** An entry's position in the log. Its hash also proves all earlier entries. */
export interface EntryPosition {
  readonly seq: number;
  readonly hash: string;
}

export interface Booking {
  readonly seq: number;
  /** The day of the booking. */
  readonly day: string;
  readonly credits: number;
  readonly note: string;
}

/**
 * A month of the log, by the time of booking. After the month, the statement never changes. Credits are whole numbers.
 * Days have the form `2026-11-21`.
 */
export interface Statement {
  readonly account: string;
  /** `2026-11` */
  readonly month: string;
  /** Today's date, if the month is not over. */
  readonly soFar?: string;
  readonly entries: number;
  /** The last entry before the month, the month's first entry, and the month's last entry. */
  readonly before?: EntryPosition;
  readonly first?: EntryPosition;
  readonly last?: EntryPosition;
  /** Credits bought plus adjusted minus spent, since the first entry. Absent if no bought credits were ever booked. */
  readonly balance?: { readonly openingCredits: number; readonly closingCredits: number };
  readonly grants: readonly (Booking & { readonly expiresOn?: string })[];
  /**
   * Bought credits that expired in the month, and a lower bound of their unused part. No entry is appended when credits
   * expire. The balance changes when a person books the expiry (`ledger reconcile`).
   */
  readonly expired: readonly ExpiredLot[];
  readonly adjustments: readonly Booking[];
  readonly spent: ChargeSums;
  /** `after` is `before` plus `opened`, minus `charged` and `notCharged`. */
  readonly doubts: Doubts & { readonly before: Counted; readonly after: Counted };
  /** Pending reservations at the end of the month. */
  readonly underWay: Counted;
}

export interface StatementRules {
  readonly account: string;
  readonly month: string;
  readonly soFar?: string | undefined;
  readonly range: SeqRange;
}

/**
 * The entries of a month: after the last entry that states an earlier month, up to the last one that states no later
 * month. So the months of a log never decrease, although its time can be set back.
 */
export interface SeqRange {
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** The month of an entry's time, in the entry's time zone. */
export function statedMonth({ atMs, timeZone }: Pick<LedgerEntry, 'atMs' | 'timeZone'>): string {
  return monthOfDay(dayOf(atMs, timeZone));
}

/** Builds a statement. @param entries oldest first, starting with entry 1 or any entry before the month; read to the month's end. */
export async function buildStatement(
  entries: AsyncIterable<LedgerEntry>,
  rules: StatementRules,
): Promise<Statement> {
  const { fromSeq, toSeq } = rules.range;
  const monthSums = createMonthSums(rules);
  let before: LedgerEntry | undefined;
  let last: LedgerEntry | undefined;
  for await (const entry of entries) {
    if (entry.seq > toSeq) break;
    if (entry.seq < fromSeq) before = entry;
    else {
      if (!last) monthSums.start(before);
      monthSums.add(entry, (last ?? before)?.open ?? []);
      last = entry;
    }
  }
  if (!last) monthSums.start(before);
  const newest = last ?? before;
  const { doubts, ...sums } = monthSums.sums();
  return {
    account: rules.account,
    month: rules.month,
    ...(rules.soFar !== undefined && { soFar: rules.soFar }),
    ...(before && { before: positionOf(before) }),
    ...(last && { last: positionOf(last) }),
    ...balances(before, newest),
    ...sums,
    doubts: { before: openIn(before, 'doubtful'), ...doubts, after: openIn(newest, 'doubtful') },
    underWay: openIn(newest, 'pending'),
  };
}

/** Sums up the month's entries. */
function createMonthSums({ month, soFar }: StatementRules) {
  const [spent, doubts, lots] = [createSpent(month), createDoubts(), createLots()];
  const grants: Statement['grants'][number][] = [];
  const adjustments: Booking[] = [];
  let first: LedgerEntry | undefined;
  let entries = 0;
  const isOver = (day: string) => monthOfDay(day) === month && (soFar === undefined || day < soFar);
  return {
    start: (before: LedgerEntry | undefined) => lots.start(before?.totals ?? EMPTY_TOTALS),
    add: (entry: LedgerEntry, open: LedgerEntry['open']): void => {
      const { kind, expiresOn } = entry;
      if (kind === 'grant')
        grants.push({ ...bookingOf(entry), ...(expiresOn !== undefined && { expiresOn }) });
      if (kind === 'adjustment') adjustments.push(bookingOf(entry));
      spent.add(entry);
      doubts.add(entry, open);
      lots.add(entry, dayOf(entry.atMs, entry.timeZone));
      first ??= entry;
      entries += 1;
    },
    sums: () => ({
      entries,
      ...(first && { first: positionOf(first) }),
      grants,
      expired: lots.expired(isOver),
      adjustments,
      spent: spent.sums(),
      doubts: doubts.sums(),
    }),
  };
}

function bookingOf({ seq, day, amountCredits: credits, reason: note = '' }: LedgerEntry): Booking {
  return { seq, day, credits, note };
}

function positionOf({ seq, hash }: LedgerEntry): EntryPosition {
  return { seq, hash };
}

function balances(
  before: LedgerEntry | undefined,
  newest: LedgerEntry | undefined,
): Pick<Statement, 'balance'> {
  if (!newest || newest.totals.lifetime.granted === 0) return {};
  return { balance: { openingCredits: balanceAfter(before), closingCredits: balanceAfter(newest) } };
}

/** Returns the ledger's balance: bought plus adjusted minus spent credits. */
export function balanceAfter(entry: LedgerEntry | undefined): number {
  const { granted, adjusted, posted } = (entry?.totals ?? EMPTY_TOTALS).lifetime;
  return granted + adjusted - posted;
}
