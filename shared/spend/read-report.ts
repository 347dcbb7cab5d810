import type { LedgerReader } from '#shared/credit-ledger';
import { type BackfillItems, type BackfillSummary, backfillKind, summaryOf } from '#shared/enrichment';
import { type Clock, dayOf, daysOfMonth, monthOfDay } from '#shared/kernel';
import type { BookedDoubts, BreakerState } from '#shared/questions';
import type { DailyYield } from '#shared/records';
import { buildReport, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
import { daysOf, monthsOf, periodBefore, type Selection, wholeMonth } from './selection.ts';
import type { SpendBook } from './spend-book.ts';
import type { StopDays } from './stop-days.ts';
import { readStops, type StopSources } from './stops.ts';
import { summarizeWaiting, type WaitingSources } from './waiting-summary.ts';

export interface ReportSources {
  readonly spendBook: Pick<SpendBook, 'read'>;
  readonly ledger: Pick<LedgerReader, 'account' | 'now'>;
  /** Present if the report includes doubts that were booked as charged. */
  readonly bookedDoubts?: (() => Promise<BookedDoubts>) | undefined;
  /** Present if the report includes waiting records. */
  readonly waiting?: Pick<WaitingSources, 'records' | 'counted'> | undefined;
  /** Present if the report includes backfills. */
  readonly backfills?: BackfillItems['backfills'] | undefined;
  /** Present if the report includes results of the credits. */
  readonly dailyYield?: Pick<DailyYield, 'read'> | undefined;
  /** Present if the report includes stops. */
  readonly stops?: StopSources | undefined;
  /** Present if the report includes the days with stops. */
  readonly stopDays?: StopDays | undefined;
  /** Price of one credit in money. */
  readonly creditPrice?: SpendReport['creditPrice'] | undefined;
  /** Whether the data service is a stand-in. */
  readonly service?: ServiceKind | undefined;
  /** Name of the ledger's stack; absent on one machine. */
  readonly stack?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/** Reads the current report. Its tables show this month unless a selection is given. Changes nothing. */
export async function readReport(sources: ReportSources, picked?: Selection): Promise<SpendReport> {
  const { spendBook, ledger, waiting: counting, dailyYield, stops, service, stack, timeZone } = sources;
  const moment = { nowMs: sources.clock.now(), timeZone };
  const monthsOfNow = monthsNeeded(moment);
  const today = dayOf(moment.nowMs, timeZone);
  const monthsOfPicked = picked ? monthsOf(picked) : [];
  const monthsOfBefore = monthsOf(periodBefore(picked ?? wholeMonth(monthOfDay(today)), today));
  const days = picked ? daysOf(picked) : daysOfMonth(today);
  const [{ rows: allRows, newest }, budgetsNow, yields, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...monthsOfNow, ...monthsOfPicked, ...monthsOfBefore] }),
    ledger.now(),
    dailyYield?.read(days),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const rows = allRows.filter(({ day }) => monthsOfNow.includes(monthOfDay(day)));
  const isStoppedByPerson = stopFacts?.breakers.stopped !== undefined;
  const waiting = counting && (await summarizeWaiting({ ...counting, budgetsNow, isStoppedByPerson }, rows));
  const backfills = await begunBackfills(sources, stopFacts?.breakers);
  // Reads this after the other reads, because one item for each day is enough load at the same time.
  const stopDays = await sources.stopDays?.read(days);
  return buildReport({
    ...moment,
    backfills,
    account: ledger.account,
    rows,
    rowsBefore: allRows,
    picked: picked && { selection: picked, rows: allRows },
    newest,
    budgets: budgetsNow.states(),
    brought: yields,
    stopFacts,
    stopDays,
    bookedDoubts,
    service,
    creditPrice: sources.creditPrice,
    stack,
    waiting,
  });
}

/** Maximum number of backfills in the report. This is enough for more than a year. */
const MAX_BACKFILLS = 50;

async function begunBackfills(
  { backfills }: ReportSources,
  breakers: BreakerState | undefined,
): Promise<BackfillSummary[] | undefined> {
  const all = await backfills?.list({
    partition: backfillKind.partition('backfills'),
    limit: MAX_BACKFILLS,
    newestFirst: true,
  });
  return all
    ?.filter(({ startedAtMs }) => startedAtMs !== undefined)
    .map((each) => summaryOf(each, breakers?.stopped));
}
