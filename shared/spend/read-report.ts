import type { LedgerReader } from '#shared/credit-ledger';
import { type BackfillItems, type BackfillSummary, backfillKind, summaryOf } from '#shared/enrichment';
import { type Clock, dayOf, daysOfMonth, monthOfDay } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
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

/** Reads the current report. Its tables show this month unless a selection is given. Only reads. */
export async function readReport(sources: ReportSources, picked?: Selection): Promise<SpendReport> {
  const { spendBook, ledger, waiting: counting, dailyYield, stops, service, stack, timeZone } = sources;
  const now = { nowMs: sources.clock.now(), timeZone };
  const ofNow = monthsNeeded(now);
  const today = dayOf(now.nowMs, timeZone);
  const ofPicked = picked ? monthsOf(picked) : [];
  const ofBefore = monthsOf(periodBefore(picked ?? wholeMonth(monthOfDay(today)), today));
  const days = picked ? daysOf(picked) : daysOfMonth(today);
  const [{ rows: all, newest }, budgetsNow, brought, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...ofNow, ...ofPicked, ...ofBefore] }),
    ledger.now(),
    dailyYield?.read(days),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const rows = all.filter(({ day }) => ofNow.includes(monthOfDay(day)));
  const waiting = counting && (await summarizeWaiting({ ...counting, budgetsNow }, rows));
  const backfills = await begunBackfills(sources);
  // Read this after the others: one item for each day is enough load at once.
  const stopDays = await sources.stopDays?.read(days);
  return buildReport({
    ...now,
    backfills,
    account: ledger.account,
    rows,
    rowsBefore: all,
    picked: picked && { selection: picked, rows: all },
    newest,
    budgets: budgetsNow.states(),
    brought,
    stopFacts,
    stopDays,
    bookedDoubts,
    service,
    creditPrice: sources.creditPrice,
    stack,
    waiting,
  });
}

/** Enough for more than a year of backfills. */
const MAX_BACKFILLS = 50;

async function begunBackfills({ backfills }: ReportSources): Promise<BackfillSummary[] | undefined> {
  const all = await backfills?.list({
    partition: backfillKind.partition('backfills'),
    limit: MAX_BACKFILLS,
    newestFirst: true,
  });
  return all?.filter(({ startedAtMs }) => startedAtMs !== undefined).map(summaryOf);
}
