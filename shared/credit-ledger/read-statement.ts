import { command, dayOf, HOUR_MS, longMonth, type Wording, wording, zoneInForce } from '#shared/kernel';
import { firstSeqOf, readSetBacks, statedMonth } from './booked-month.ts';
import { isAhead } from './set-back.ts';
import { buildStatement, type Statement } from './statement.ts';
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
  const newest = await store.newest(account);
  if (!newest) return { kind: 'empty' };
  if (isAhead(newest, nowMs)) return { kind: 'ahead' };
  const timeZoneInForce = zoneInForce(newest, timeZone, Math.max(newest.atMs, nowMs));
  const monthAt = (ms: number) => statedMonth({ atMs: Math.max(newest.atMs, ms), timeZone: timeZoneInForce });
  if (month > monthAt(nowMs)) return { kind: 'to-come' };
  const setBacks = await readSetBacks(given, newest);
  const [oldest] = await store.entries({ account, fromSeq: 1, limit: 1 });
  const firstMonth = oldest ? statedMonth(oldest) : month;
  const fromSeq = await firstSeqOf(month, { ...given, setBacks, newestSeq: newest.seq });
  const isOver = month < monthAt(nowMs - SKEW_MS);
  const rules = { account, month, setBacks, soFar: isOver ? undefined : dayOf(nowMs, timeZoneInForce) };
  const statement = await buildStatement(readLog(store, account, Math.max(1, fromSeq - 1)), rules);
  if (!statement.before && !statement.last) return { kind: 'before-the-books', firstMonth };
  return { kind: 'statement', statement };
}

/** Explains to a person why there is no statement. */
export function whyNoStatement(
  month: string,
  reading: Exclude<StatementReading, { kind: 'statement' }>,
): Wording {
  switch (reading.kind) {
    case 'empty':
      return 'The books are empty: no credit was spent or bought.';
    case 'before-the-books':
      return `The books begin with ${longMonth(reading.firstMonth)}.`;
    case 'to-come':
      return `${longMonth(month)} has not begun.`;
    case 'ahead':
      return wording`The books are ahead of time, so the end of a month is unknown. Correct them first: ${command('ledger set-back')}`;
    default:
      return reading satisfies never;
  }
}
