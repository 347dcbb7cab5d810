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

/** Records that wait for their turn, by what they are for. */
export interface WaitingLine {
  readonly purpose: Purpose;
  readonly records: number;
  /** When the run of the one that waits longest was opened, epoch milliseconds. */
  readonly oldestMs: number;
  /** Days until all have had their turn, at what the purpose's charges cost on average and the budgets leave for it. */
  readonly days?: number;
  /** Why none of them may start now, and when the next one may. */
  readonly refusal?: BudgetRefusal;
}

export interface WhoWaits {
  /** The most urgent first; only where anybody waits. */
  readonly inTurn: readonly WaitingLine[];
  /** Records that wait for a cause to end, such as an outage of HubSpot: the largest group first. */
  readonly timed: readonly TimedWait[];
  /** Where there are more of a kind than are counted at once: when the sweep counted them, if it has. */
  readonly many?: { readonly countedAtMs?: number | undefined };
}

export interface WaitingSources {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  /** What the sweep has counted. */
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly budgetsNow: BudgetsNow;
}

/** Of one kind no more are counted at once: a count reads what it counts. Beyond it, what the sweep has counted is told. */
const COUNTED_AT_ONCE = 1_000;

export async function whoWaits(sources: WaitingSources, rows: readonly SpendRow[]): Promise<WhoWaits> {
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

/** Waiting records, since when, why, and when the next one starts; for a person, on every surface. */
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

/** How exact large numbers are, for a person. */
export function howCounted({ countedAtMs }: NonNullable<WhoWaits['many']>, timeZone: string): string {
  const counted = 'Numbers from 1,000 on are as the sweep counted them';
  if (countedAtMs === undefined) return `${counted}: it has not finished yet, so there may be more.`;
  return `${counted} at ${instant(countedAtMs, timeZone)}.`;
}

/** Credits a charge; of all purposes where this one has none yet, and 1 where there is none at all. */
function costOfOne(rows: readonly SpendRow[], purpose: Purpose): number {
  for (const some of [rows.filter((row) => row.purpose === purpose), rows]) {
    const count = some.reduce((sum, row) => sum + row.count, 0);
    if (count > 0) return some.reduce((sum, { credits }) => sum + credits, 0) / count;
  }
  return 1;
}
