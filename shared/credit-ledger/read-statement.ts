import {
  command,
  dayOf,
  HOUR_MS,
  longMonth,
  monthBefore,
  type Wording,
  wording,
  zoneInForce,
} from '#shared/kernel';
import type { LedgerEntry } from './schemas.ts';
import { isAhead } from './set-back.ts';
import { buildStatement, type Statement, statedMonth } from './statement.ts';
import { type LedgerStore, readLog } from './store.ts';

export type StatementReading =
  | { readonly kind: 'statement'; readonly statement: Statement }
  /** The log has no entry. */
  | { readonly kind: 'empty' }
  /** The newest entry's time is ahead of the clock, so it is unknown whether the month is over. */
  | { readonly kind: 'ahead' }
  | { readonly kind: 'to-come' }
  /** The month ended before the first entry. */
  | { readonly kind: 'before-the-books'; readonly firstMonth: string };

/** Upper bound of the difference between machines' clocks. A month that ended this long ago gets no further entry. */
const SKEW_MS = HOUR_MS;

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
