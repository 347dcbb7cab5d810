import type { Purpose } from '#shared/crm';
import {
  command,
  csvRecord,
  dayOf,
  longMonth,
  monthBefore,
  monthOfDay,
  type Wording,
  wording,
  zoneInForce,
} from '#shared/kernel';
import type { LedgerEntry, Totals } from './schemas.ts';
import { type LedgerStore, readLog, SKEW_MS } from './store.ts';
import { EMPTY_TOTALS } from './totals.ts';
import { isAhead } from './verify.ts';

type StatementReading =
  | { readonly kind: 'statement'; readonly statement: Statement }
  /** The log has no entry. */
  | { readonly kind: 'empty' }
  /** The newest entry's time is ahead of the clock, so it is unknown whether the month is over. */
  | { readonly kind: 'ahead' }
  | { readonly kind: 'to-come' }
  /** The month ended before the first entry. */
  | { readonly kind: 'before-the-books'; readonly firstMonth: string };

/**
 * Reads a month's statement. Reads the month's entries in pages, and some dozen other entries to find the first.
 * @param given.timeZone IANA name from the policy.
 */
export async function readStatement(
  month: string,
  given: { store: LedgerStore; account: string; timeZone: string; nowMs: number },
): Promise<StatementReading> {
  const { store, account, timeZone, nowMs } = given;
  const newest = await store.newest();
  if (!newest) return { kind: 'empty' };
  if (isAhead(newest, nowMs)) return { kind: 'ahead' };
  const timeZoneInForce = zoneInForce(newest, timeZone, Math.max(newest.atMs, nowMs));
  const monthAt = (ms: number) => statedMonth({ atMs: Math.max(newest.atMs, ms), timeZone: timeZoneInForce });
  if (month > monthAt(nowMs)) return { kind: 'to-come' };
  const [oldest] = await store.entries({ fromSeq: 1, limit: 1 });
  const firstMonth = oldest ? statedMonth(oldest) : month;
  const fromSeq = (await lastSeqUpTo(monthBefore(month), { store, newest })) + 1;
  const range = { fromSeq, toSeq: await lastSeqUpTo(month, { store, newest }) };
  const isOver = month < monthAt(nowMs - SKEW_MS);
  const rules = { account, month, range, soFar: isOver ? undefined : dayOf(nowMs, timeZoneInForce) };
  const statement = await buildStatement(readLog(store, Math.max(1, fromSeq - 1)), rules);
  if (!statement.before && !statement.last) return { kind: 'before-the-books', firstMonth };
  return { kind: 'statement', statement };
}

/**
 * Finds the last entry that states this month or an earlier one. Months never decrease between two set-backs, so a
 * binary search finds it there.
 * @returns the entry's number; 0 if there is none.
 */
async function lastSeqUpTo(
  month: string,
  { store, newest }: { readonly store: LedgerStore; readonly newest: LedgerEntry },
): Promise<number> {
  const read = async (fromSeq: number) => (await store.entries({ fromSeq, limit: 1 }))[0];
  const isUpTo = (entry: LedgerEntry | undefined) => entry !== undefined && statedMonth(entry) <= month;
  let last: LedgerEntry | undefined = newest;
  while (last) {
    let found: number = last.totals.setBack?.seq ?? 1;
    if (isUpTo(await read(found))) {
      for (let after = last.seq + 1; after - found > 1; ) {
        const middle = Math.floor((found + after) / 2);
        if (isUpTo(await read(middle))) found = middle;
        else after = middle;
      }
      return found;
    }
    last = found === 1 ? undefined : await read(found - 1);
  }
  return 0;
}

/** Why there is no statement, by the kind of the reading. */
export const NO_STATEMENT = {
  empty: () => 'The books are empty: no credit was spent or bought.',
  'before-the-books': ({ firstMonth = '' }) => `The books begin with ${longMonth(firstMonth)}.`,
  'to-come': ({ month }) => `${longMonth(month)} has not begun.`,
  ahead: () =>
    wording`The books are ahead of time, so no month has a certain end; to correct them: ${command('ledger set-back')}`,
} as const satisfies Record<
  Exclude<StatementReading['kind'], 'statement'>,
  (params: { readonly month: string; readonly firstMonth?: string }) => Wording
>;

/** An entry's position in the log. Its hash also proves all earlier entries. */
interface EntryPosition {
  readonly seq: number;
  readonly hash: string;
}

interface Booking {
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

interface StatementRules {
  readonly account: string;
  readonly month: string;
  readonly soFar?: string | undefined;
  readonly range: SeqRange;
}

/**
 * The entries of a month: after the last entry that states an earlier month, up to the last one that states no later
 * month. So the months of a log never decrease, although its time can be set back.
 */
interface SeqRange {
  readonly fromSeq: number;
  readonly toSeq: number;
}

/** The month of an entry's time, in the entry's time zone. */
export function statedMonth({ atMs, timeZone }: Pick<LedgerEntry, 'atMs' | 'timeZone'>): string {
  return monthOfDay(dayOf(atMs, timeZone));
}

/**
 * Builds a statement. @param entries oldest first, starting with entry 1 or any entry before the month; read to the
 * month's end.
 */
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

interface Counted {
  readonly count: number;
  readonly credits: number;
}

const NOTHING: Counted = { count: 0, credits: 0 };

function plus({ count, credits }: Counted = NOTHING, moreCredits: number): Counted {
  return { count: count + 1, credits: credits + moreCredits };
}

function sumOf(all: readonly Counted[]): Counted {
  return all.reduce(
    (sum, { count, credits }) => ({ count: sum.count + count, credits: sum.credits + credits }),
    NOTHING,
  );
}

/** Counts the reservations that were open after an entry and in the given state. */
function openIn(entry: LedgerEntry | undefined, state: 'pending' | 'doubtful'): Counted {
  const open = entry?.open.filter((each) => each.state === state) ?? [];
  return open.reduce((sum, { amountCredits }) => plus(sum, amountCredits), NOTHING);
}

interface ChargeSums extends Counted {
  /** Charges of requests from an earlier month. The spend page counts them in that earlier month. */
  readonly ofEarlierMonths: Counted;
  readonly byPurpose: readonly (Counted & {
    readonly purpose: Purpose;
    readonly byOperation: readonly (Counted & { readonly operation: string })[];
  })[];
}

/** Adds up the charges of a month. */
function createSpent(month: string) {
  const byPurpose = new Map<Purpose, Map<string, Counted>>();
  let ofEarlierMonths = NOTHING;
  return {
    add: ({ kind, purpose, operation, day, amountCredits }: LedgerEntry): void => {
      const isCharge = kind === 'posted' || kind === 'late';
      if (!isCharge || purpose === undefined || operation === undefined) return;
      const operations = byPurpose.get(purpose) ?? new Map<string, Counted>();
      byPurpose.set(purpose, operations.set(operation, plus(operations.get(operation), amountCredits)));
      if (monthOfDay(day) < month) ofEarlierMonths = plus(ofEarlierMonths, amountCredits);
    },
    sums: (): ChargeSums => {
      const parts = [...byPurpose].sort(byName).map(([purpose, operations]) => {
        const byOperation = [...operations].sort(byName).map(([operation, sum]) => ({ operation, ...sum }));
        return { purpose, ...sumOf(byOperation), byOperation };
      });
      return { ...sumOf(parts), ofEarlierMonths, byPurpose: parts };
    },
  };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

type Doubts = Readonly<Record<'opened' | 'charged' | 'notCharged', Counted>>;

/** Sums up the doubts that were opened or ended, with their reserved credits. */
function createDoubts() {
  const sums = { opened: NOTHING, charged: NOTHING, notCharged: NOTHING };
  return {
    add: ({ kind, reservationId, amountCredits }: LedgerEntry, open: LedgerEntry['open']): void => {
      if (kind === 'doubtful') sums.opened = plus(sums.opened, amountCredits);
      const doubt = open.find(({ id, state }) => id === reservationId && state === 'doubtful');
      if (!doubt) return;
      const outcome = kind === 'posted' ? 'charged' : 'notCharged';
      sums[outcome] = plus(sums[outcome], doubt.amountCredits);
    },
    sums: (): Doubts => ({ ...sums }),
  };
}

interface ExpiredLot {
  readonly day: string;
  readonly credits: number;
  readonly unusedCredits: number;
}

/**
 * Tracks bought credits that expire. A lot is the credits of one grant. Their use counts until the end of the lot's
 * last day.
 */
function createLots() {
  let lots: (NonNullable<Totals['expiring']>[number] & { used: number })[] = [];
  return {
    /** @param totals the totals before the month's first entry. */
    start: ({ expiring = [], lifetime }: Totals): void => {
      lots = expiring.map((lot) => ({ ...lot, used: lifetime.posted - lot.postedBefore }));
    },
    /** @param today the day of the entry's time. */
    add: ({ kind, expiresOn: day, amountCredits: credits, totals }: LedgerEntry, today: string): void => {
      const { posted } = totals.lifetime;
      if (kind === 'grant' && day !== undefined) lots.push({ day, credits, postedBefore: posted, used: 0 });
      for (const lot of lots) if (today <= lot.day) lot.used = posted - lot.postedBefore;
    },
    /**
     * Returns lots that expired. If lots overlap, each is computed as if it were used before the others. So
     * `unusedCredits` is a lower bound.
     */
    expired: (isOver: (day: string) => boolean): ExpiredLot[] =>
      lots
        .filter(({ day }) => isOver(day))
        .map(({ day, credits, used }) => ({ day, credits, unusedCredits: Math.max(0, credits - used) })),
  };
}

type Cell = string | number | undefined;

interface StatementTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

type Row = readonly [item: string, detail: string, count: Cell, credits: Cell];

/**
 * Builds the rows of a statement. The rows between the two balances sum up to the difference of the balances. The rows
 * below the closing balance do not count in it.
 */
export function statementTable(statement: Statement): StatementTable {
  const { balance, grants, adjustments, spent, expired, doubts, underWay } = statement;
  const rows: Row[] = [
    ...(balance ? [money('opening balance', '', balance.openingCredits)] : []),
    ...grants.map((grant) => booked('bought', grant, grant.expiresOn && `until ${grant.expiresOn}`)),
    ...adjustments.map((adjustment) => booked('adjusted', adjustment)),
    ...spent.byPurpose.map(({ purpose, ...sum }) => sums('spent', purpose, negative(sum))),
    ...(balance ? [money('closing balance', '', balance.closingCredits)] : []),
    sums('charges', 'in all', spent),
    ...operationsOf(spent).map(([operation, sum]) => sums('charges', operation, sum)),
    sums('charges', 'of requests of an earlier month', spent.ofEarlierMonths),
    ...expired.map(({ day, unusedCredits }) => money('expired', `on ${day}, unused`, unusedCredits)),
    sums('unknown outcome', 'before', doubts.before),
    sums('unknown outcome', 'opened', doubts.opened),
    sums('unknown outcome', 'decided as charged', doubts.charged),
    sums('unknown outcome', 'decided as not charged', doubts.notCharged),
    sums('unknown outcome', 'at the end', doubts.after),
    sums('in progress', 'at the end', underWay),
  ];
  return { columns: ['item', 'detail', 'count', 'credits'], rows };
}

/** The charges of each operation, for all purposes together. */
function operationsOf({ byPurpose }: ChargeSums): [operation: string, Counted][] {
  const parts = byPurpose.flatMap(({ byOperation }) => byOperation);
  return [...Map.groupBy(parts, ({ operation }) => operation)]
    .sort(byName)
    .map(([operation, each]) => [operation, sumOf(each)]);
}

/** The statement as a file, with the numbers and hashes of its first and last entry. */
export function statementCsv(statement: Statement): string {
  const { columns, rows } = statementTable(statement);
  const lines = [...rows, ...positionRows(statement)].map((row) => row.map((cell) => String(cell ?? '')));
  return [columns, ...lines].map(csvRecord).join('');
}

function positionRows({ first, last }: Statement): Row[] {
  const row = (item: string, position: EntryPosition | undefined): Row[] =>
    position ? [[item, `${position.seq} ${position.hash}`, undefined, undefined]] : [];
  return [...row('first entry', first), ...row('last entry', last)];
}

function money(item: string, detail: string, credits: number): Row {
  return [item, detail, undefined, credits];
}

function booked(item: string, { day, note, credits }: Booking, until?: string): Row {
  return money(item, [day, note, ...(until ? [until] : [])].join(', '), credits);
}

function sums(item: string, detail: string, { count, credits }: Counted): Row {
  return [item, detail, count, credits];
}

function negative({ count, credits }: Counted): Counted {
  return { count, credits: credits === 0 ? 0 : -credits };
}
