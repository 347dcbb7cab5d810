import { type BudgetRefusal, type BudgetsNow, daysToPay, refusalSentence } from '#shared/credit-ledger';
import { PURPOSES, type Purpose } from '#shared/crm';
import { counted, instant } from '#shared/kernel';
import {
  eventThatEnds,
  queuePlace,
  type RecordItems,
  type RecordPlace,
  recordKind,
  type WaitingCount,
  type WaitingReason,
  waitingWords,
} from '#shared/records';
import type { SpendRow } from './schemas.ts';
import { sum } from './selected-spend.ts';
import { readTimedWaits, type TimedWait, whoWaits } from './timed-waits.ts';

/** Queued records of one purpose. */
export interface WaitingLine {
  readonly purpose: Purpose;
  readonly records: number;
  /** Estimated credits of these records, from the average price of the purpose's charges. */
  readonly credits: number;
  /** Time when the run of the oldest record was opened, in epoch milliseconds. */
  readonly oldestMs: number;
  /**
   * Estimated number of days until the budgets have covered all these credits. Admitted records are included, because
   * they go first.
   */
  readonly days?: number;
  /** Present while a person has stopped spending. The other reasons for the wait are then left out. */
  readonly reason?: 'stopped-by-person';
  /** Present if no record can start now: the reason, and the earliest start of the next record. */
  readonly refusal?: BudgetRefusal;
}

export interface WaitingSummary {
  /** Purposes with waiting records, the most urgent first. */
  readonly inTurn: readonly WaitingLine[];
  /** Records that wait until a cause ends, such as an outage of HubSpot. The largest group comes first. */
  readonly timed: readonly TimedWait[];
  /** Estimated credits of these records, from the average price of all charges. */
  readonly timedCredits: number;
  /**
   * Present if more records wait than one count reads. `countedAtMs` is the time when the sweep counted them, if it
   * has.
   */
  readonly many?: { readonly countedAtMs?: number | undefined };
}

export interface WaitingSources {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  /** Returns the counts of the sweeps' last complete pass. */
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly budgetsNow: BudgetsNow;
  readonly isStoppedByPerson: boolean;
}

/**
 * Maximum number of records that one count reads. Above it, the sweep's count is used, because a count reads every
 * record.
 */
const COUNTED_AT_ONCE = 1_000;

export async function summarizeWaiting(
  sources: WaitingSources,
  rows: readonly SpendRow[],
): Promise<WaitingSummary> {
  const counted = await sources.counted();
  const largePlaces = new Set<RecordPlace>();
  const count = async (place: RecordPlace) => {
    const now = await sources.records.count(recordKind.partition(place), COUNTED_AT_ONCE);
    if (now < COUNTED_AT_ONCE) return now;
    largePlaces.add(place);
    return Math.max(now, counted?.records[place] ?? 0);
  };
  const { isStoppedByPerson } = sources;
  const timed = await readTimedWaits(sources.records, counted, { isStoppedByPerson });
  const ahead = timed
    .filter(({ reason }) => BEFORE_QUEUED.has(reason))
    .reduce((sum, { records }) => sum + records, 0);
  const lines = await Promise.all(
    PURPOSES.map((purpose) => lineOf({ ...sources, count, ahead }, rows, purpose)),
  );
  const timedCredits = Math.round(timed.reduce((sum, { records }) => sum + records, 0) * averagePrice(rows));
  const isMany = largePlaces.size > 0 || timed.some(({ isMore }) => isMore);
  return {
    inTurn: lines.flat(),
    timed,
    timedCredits,
    ...(isMany && { many: { countedAtMs: counted?.atMs } }),
  };
}

/** Wait reasons of admitted records. They use the budget before queued records do. */
const BEFORE_QUEUED: ReadonlySet<string> = new Set<WaitingReason>(['admitted', 'budget']);

interface Counting extends WaitingSources {
  readonly count: (place: RecordPlace) => Promise<number>;
  /** Number of admitted records. */
  readonly ahead: number;
}

async function lineOf(
  { records, budgetsNow, isStoppedByPerson, count: countOf, ahead }: Counting,
  rows: readonly SpendRow[],
  purpose: Purpose,
): Promise<WaitingLine[]> {
  const partition = queuePlace(purpose);
  const [oldest] = await records.list({ partition: recordKind.partition(partition), limit: 1 });
  if (!oldest?.run) return [];
  const count = await countOf(partition);
  const averageCredits = averagePrice(rows, purpose);
  const credits = Math.round(count * averageCredits);
  const line = { purpose, records: count, credits, oldestMs: oldest.run.openedAtMs };
  if (isStoppedByPerson) return [{ ...line, reason: 'stopped-by-person' }];
  const days = daysToPay(
    (ahead + count) * averageCredits,
    budgetsNow.pace({ purpose, amountCredits: Math.ceil(averageCredits) }),
  );
  const refusal = budgetsNow.refusal({ purpose }, Math.max(1, Math.round(averageCredits)));
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

/**
 * Returns a sentence with the number of waiting records, the begin and reason of the wait, and the next start. The
 * terminal and the page show this sentence.
 */
export function waitingSentence(
  { purpose, records, oldestMs, days, refusal, reason }: WaitingLine,
  timeZone: string,
): string {
  const verb = records === 1 ? 'has' : 'have';
  const who = `${counted(records, WAITING_NOUNS[purpose])} ${verb} been waiting since ${instant(oldestMs, timeZone)}.`;
  if (reason)
    return `${who} ${waitingWords(reason).why} ${whoWaits(records)} until ${eventThatEnds(reason)}.`;
  const why = refusal
    ? ` ${refusalSentence(refusal)} The next one may start on ${instant(refusal.opensAtMs, timeZone)}, unless other records use the credits first.`
    : '';
  // The next one is the last one.
  const pace =
    days === undefined || records === 1
      ? ''
      : ` At this pace the last one starts in ${counted(days, 'day')}.`;
  return `${who}${why}${pace}`;
}

/** Explains how exact large numbers are. */
export function howCounted({ countedAtMs }: NonNullable<WaitingSummary['many']>, timeZone: string): string {
  const counted = 'Numbers from 1,000 on are as the sweep counted them';
  if (countedAtMs === undefined) return `${counted}: it has not finished yet, so there may be more.`;
  return `${counted} at ${instant(countedAtMs, timeZone)}.`;
}

/**
 * Returns the average credits of a charge of this purpose. Without a purpose or such a charge, returns the average of
 * all purposes, or 1.
 */
function averagePrice(rows: readonly SpendRow[], purpose?: Purpose): number {
  for (const candidates of [rows.filter((row) => row.purpose === purpose), rows]) {
    const { credits, count } = sum(candidates);
    if (count > 0) return credits / count;
  }
  return 1;
}
