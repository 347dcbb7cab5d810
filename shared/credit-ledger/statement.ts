import { dayOf, monthOfDay } from '#shared/kernel';
import { bookedMonth, type SetBackAt } from './booked-month.ts';
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

/** An entry's place in the log: its hash stands for everything before it, too. */
export interface EntryPosition {
  readonly seq: number;
  readonly hash: string;
}

export interface Booking {
  readonly seq: number;
  /** On which it was booked. */
  readonly day: string;
  readonly credits: number;
  readonly note: string;
}

/**
 * What the log says about a month, by the time of booking: once the month is over, it never changes. Credits in whole
 * numbers, days as `2026-11-21`.
 */
export interface Statement {
  readonly account: string;
  /** `2026-11` */
  readonly month: string;
  /** The present day, until the month ends. */
  readonly soFar?: string;
  readonly entries: number;
  /** The entry before the month's first one, the first and the last. */
  readonly before?: EntryPosition;
  readonly first?: EntryPosition;
  readonly last?: EntryPosition;
  /** Bought + adjusted - spent since the first entry. Absent where nothing was ever booked as bought. */
  readonly balance?: { readonly openingCredits: number; readonly closingCredits: number };
  readonly grants: readonly (Booking & { readonly expiresOn?: string })[];
  /**
   * Bought credits whose last day was in the month, and how many of them were left at least. Expiry makes no entry: the
   * balance changes when a person books it (`ledger reconcile`).
   */
  readonly expired: readonly ExpiredLot[];
  readonly adjustments: readonly Booking[];
  readonly spent: ChargeSums;
  /** Before + opened - charged - not charged = after. */
  readonly doubts: Doubts & { readonly before: Counted; readonly after: Counted };
  /** Reserved, and without an answer yet when the month ended. */
  readonly underWay: Counted;
}

export interface StatementRules {
  readonly account: string;
  readonly month: string;
  readonly soFar?: string | undefined;
  readonly setBacks: readonly SetBackAt[];
}

/** @param entries oldest first, from entry 1 or from any one before the month on; read as far as the month goes. */
export async function buildStatement(
  entries: AsyncIterable<LedgerEntry>,
  rules: StatementRules,
): Promise<Statement> {
  const course = createCourse(rules);
  let before: LedgerEntry | undefined;
  let last: LedgerEntry | undefined;
  for await (const entry of entries) {
    const month = bookedMonth(entry, rules.setBacks);
    if (month > rules.month) break;
    if (month < rules.month) before = entry;
    else {
      if (!last) course.start(before);
      course.add(entry, (last ?? before)?.open ?? []);
      last = entry;
    }
  }
  if (!last) course.start(before);
  const newest = last ?? before;
  const { doubts, ...sums } = course.sums();
  return {
    account: rules.account,
    month: rules.month,
    ...(rules.soFar !== undefined && { soFar: rules.soFar }),
    ...(before && { before: placeOf(before) }),
    ...(last && { last: placeOf(last) }),
    ...balances(before, newest),
    ...sums,
    doubts: { before: openIn(before, 'doubtful'), ...doubts, after: openIn(newest, 'doubtful') },
    underWay: openIn(newest, 'pending'),
  };
}

/** What the month's entries come to. */
function createCourse({ month, soFar }: StatementRules) {
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
      ...(first && { first: placeOf(first) }),
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

function placeOf({ seq, hash }: LedgerEntry): EntryPosition {
  return { seq, hash };
}

function balances(
  before: LedgerEntry | undefined,
  newest: LedgerEntry | undefined,
): Pick<Statement, 'balance'> {
  if (!newest || newest.totals.lifetime.granted === 0) return {};
  return { balance: { openingCredits: balanceAfter(before), closingCredits: balanceAfter(newest) } };
}

/** Credits that were bought and not spent, as the books have it. */
export function balanceAfter(entry: LedgerEntry | undefined): number {
  const { granted, adjusted, posted } = (entry?.totals ?? EMPTY_TOTALS).lifetime;
  return granted + adjusted - posted;
}
