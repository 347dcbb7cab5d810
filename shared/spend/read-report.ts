import type { LedgerReader } from '#shared/credit-ledger';
import { type BackfillItems, type BackfillSummary, backfillKind, summaryOf } from '#shared/enrichment';
import { type Clock, dayOf, daysOfMonth, monthOfDay } from '#shared/kernel';
import type { BookedDoubts, BreakerState } from '#shared/questions';
import type { Days } from '#shared/records';
import { buildReport, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
import { daysOf, monthsOf, periodBefore, type Selection, wholeMonth } from './selection.ts';
import type { SpendBook } from './spend-book.ts';
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
  /** Present if the report includes results of the credits, and the days with stops. */
  readonly days?: Pick<Days, 'read'> | undefined;
  /** Present if the report includes stops. */
  readonly stops?: StopSources | undefined;
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
  const { spendBook, ledger, waiting: counting, stops, service, stack, timeZone } = sources;
  const moment = { nowMs: sources.clock.now(), timeZone };
  const monthsOfNow = monthsNeeded(moment);
  const today = dayOf(moment.nowMs, timeZone);
  const monthsOfPicked = picked ? monthsOf(picked) : [];
  const monthsOfBefore = monthsOf(periodBefore(picked ?? wholeMonth(monthOfDay(today)), today));
  const [{ rows, newest }, budgetsNow, days, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...monthsOfNow, ...monthsOfPicked, ...monthsOfBefore] }),
    ledger.now(),
    sources.days?.read(picked ? daysOf(picked) : daysOfMonth(today)),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const isStoppedByPerson = stopFacts?.breakers.stopped !== undefined;
  const recent = rows.filter(({ day }) => monthsOfNow.includes(monthOfDay(day)));
  const waiting =
    counting && (await summarizeWaiting({ ...counting, budgetsNow, isStoppedByPerson }, recent));
  const backfills = await begunBackfills(sources, stopFacts?.breakers);
  return buildReport({
    ...moment,
    backfills,
    account: ledger.account,
    rows,
    picked,
    newest,
    budgets: budgetsNow.states(),
    days,
    stopFacts,
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
