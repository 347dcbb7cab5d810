import { type BudgetRefusal, type BudgetsNow, daysToPay, refusalSentence } from '#shared/credit-ledger';
import { PURPOSES, type Purpose } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import {
  queuePlace,
  type RecordItems,
  type RecordPlace,
  recordKind,
  type WaitingCount,
} from '#shared/records';
import type { SpendRow } from './schemas.ts';
import { readTimedWaits, type TimedWait } from './timed-waits.ts';

/** Queued records of one purpose. */
export interface WaitingLine {
  readonly purpose: Purpose;
  readonly records: number;
  /** Time when the run of the oldest one was opened, in epoch milliseconds. */
  readonly oldestMs: number;
  /** Estimated days until all have started, from the average price of the purpose's charges and the budgets. */
  readonly days?: number;
  /** Why none of them may start now, and when the next one may. */
  readonly refusal?: BudgetRefusal;
}

export interface WaitingSummary {
  /** The most urgent purpose first; only purposes with waiting records. */
  readonly inTurn: readonly WaitingLine[];
  /** Records that wait for a cause to end, such as an outage of HubSpot: the largest group first. */
  readonly timed: readonly TimedWait[];
  /** Present if there are more records than one count reads: when the sweep counted them, if it has. */
  readonly many?: { readonly countedAtMs?: number | undefined };
}

export interface WaitingSources {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  /** Counts of the last sweep. */
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly budgetsNow: BudgetsNow;
}

/** Most records that one count reads, because a count reads every record. Above it, the sweep's count is used. */
const COUNTED_AT_ONCE = 1_000;

export async function summarizeWaiting(
  sources: WaitingSources,
  rows: readonly SpendRow[],
): Promise<WaitingSummary> {
  const counted = await sources.counted();
  const many = new Set<RecordPlace>();
  const count = async (place: RecordPlace) => {
    const now = await sources.records.count(recordKind.partition(place), COUNTED_AT_ONCE);
    if (now < COUNTED_AT_ONCE) return now;
    many.add(place);
    return Math.max(now, counted?.records[place] ?? 0);
  };
  const lines = await Promise.all(PURPOSES.map((purpose) => lineOf({ ...sources, count }, rows, purpose)));
  const timed = await readTimedWaits(sources.records, counted);
  const isMany = many.size > 0 || timed.some(({ isMore }) => isMore);
  return { inTurn: lines.flat(), timed, ...(isMany && { many: { countedAtMs: counted?.atMs } }) };
}

async function lineOf(
  {
    records,
    budgetsNow,
    count: countOf,
  }: WaitingSources & { readonly count: (place: RecordPlace) => Promise<number> },
  rows: readonly SpendRow[],
  purpose: Purpose,
): Promise<WaitingLine[]> {
  const partition = queuePlace(purpose);
  const [oldest] = await records.list({ partition: recordKind.partition(partition), limit: 1 });
  if (!oldest?.run) return [];
  const count = await countOf(partition);
  const each = costOfOne(rows, purpose);
  const days = daysToPay(count * each, budgetsNow.pace({ purpose, amountCredits: Math.ceil(each) }));
  const refusal = budgetsNow.refusal({ purpose }, Math.max(1, Math.round(each)));
  const line = { purpose, records: count, oldestMs: oldest.run.openedAtMs };
  return [{ ...line, ...(days !== undefined && { days }), ...(refusal && { refusal }) }];
}

const WAITING_NOUNS: Readonly<Record<Purpose, string>> = {
  manual: 'requested record',
  live: 'new lead',
  workflow: 'workflow record',
  import: 'imported record',
  refresh: 'stale record',
  backfill: 'backfill record',
};

/** The number of waiting records, since when, why, and when the next one starts. Every surface shows this sentence. */
export function waitingSentence(
  { purpose, records, oldestMs, days, refusal }: WaitingLine,
  timeZone: string,
): string {
  const verb = records === 1 ? 'has' : 'have';
  const who = `${counted(records, WAITING_NOUNS[purpose])} ${verb} been waiting since ${instant(oldestMs, timeZone)}.`;
  const why = refusal
    ? ` ${refusalSentence(refusal)} The next one may start on ${instant(refusal.opensAtMs, timeZone)}.`
    : '';
  const pace = days === undefined ? '' : ` At this pace the last one starts in ${counted(days, 'day')}.`;
  return `${who}${why}${pace}`;
}

/** Explains how exact large numbers are. */
export function howCounted({ countedAtMs }: NonNullable<WaitingSummary['many']>, timeZone: string): string {
  const counted = 'Numbers from 1,000 on are as the sweep counted them';
  if (countedAtMs === undefined) return `${counted}: it has not finished yet, so there may be more.`;
  return `${counted} at ${instant(countedAtMs, timeZone)}.`;
}

/** Average credits of a charge: of this purpose, else of all purposes, else 1. */
function costOfOne(rows: readonly SpendRow[], purpose: Purpose): number {
  for (const some of [rows.filter((row) => row.purpose === purpose), rows]) {
    const count = some.reduce((sum, row) => sum + row.count, 0);
    if (count > 0) return some.reduce((sum, { credits }) => sum + credits, 0) / count;
  }
  return 1;
}
