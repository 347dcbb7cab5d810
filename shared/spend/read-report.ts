import type { LedgerReader } from '#shared/credit-ledger';
import { type BackfillItems, type BackfillSummary, backfillKind, summaryOf } from '#shared/enrichment';
import { type Clock, dayOf, daysOfMonth, monthOfDay } from '#shared/kernel';
import type { BookedDoubts } from '#shared/questions';
import type { DailyBrought } from '#shared/records';
import { buildReport, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
import { daysOf, monthsOf, type Selection } from './selection.ts';
import type { SpendBook } from './spend-book.ts';
import { readStops, type StopSources } from './stops.ts';
import { type WaitingSources, whoWaits } from './who-waits.ts';

export interface ReportSources {
  readonly spendBook: Pick<SpendBook, 'read'>;
  readonly ledger: Pick<LedgerReader, 'account' | 'now'>;
  /** Present if the report includes doubts that were booked as charged. */
  readonly bookedDoubts?: (() => Promise<BookedDoubts>) | undefined;
  /** Where the report is to show waiting records. */
  readonly waiting?: Pick<WaitingSources, 'records' | 'counted'> | undefined;
  /** Where the report is to tell of backfills. */
  readonly backfills?: BackfillItems['backfills'] | undefined;
  /** Where the report is to tell what the credits brought. */
  readonly dailyBrought?: Pick<DailyBrought, 'read'> | undefined;
  /** Where the report is to tell what is stopped. */
  readonly stops?: StopSources | undefined;
  /** Whether the data service is a stand-in. */
  readonly service?: ServiceKind | undefined;
  /** The name of the stack that the books are of; absent on one machine. */
  readonly stack?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/** What was spent, as it stands now; divided up is this month unless something else was picked. Only reads. */
export async function readReport(sources: ReportSources, picked?: Selection): Promise<SpendReport> {
  const { spendBook, ledger, waiting: counting, dailyBrought, stops, service, stack, timeZone } = sources;
  const now = { nowMs: sources.clock.now(), timeZone };
  const ofNow = monthsNeeded(now);
  const ofPicked = picked ? monthsOf(picked) : [];
  const [{ rows: all, newest }, budgetsNow, brought, stopFacts, bookedDoubts] = await Promise.all([
    spendBook.read({ months: [...ofNow, ...ofPicked] }),
    ledger.now(),
    dailyBrought?.read(picked ? daysOf(picked) : daysOfMonth(dayOf(now.nowMs, timeZone))),
    stops && readStops(stops),
    sources.bookedDoubts?.(),
  ]);
  const rows = all.filter(({ day }) => ofNow.includes(monthOfDay(day)));
  const waiting = counting && (await whoWaits({ ...counting, budgetsNow }, rows));
  const backfills = await begunBackfills(sources);
  return buildReport({
    ...now,
    backfills,
    account: ledger.account,
    rows,
    picked: picked && { selection: picked, rows: all },
    newest,
    budgets: budgetsNow.states(),
    brought,
    stopFacts,
    bookedDoubts,
    service,
    stack,
    waiting,
  });
}

/** A year of them, and more. */
const MAX_BACKFILLS = 50;

async function begunBackfills({ backfills }: ReportSources): Promise<BackfillSummary[] | undefined> {
  const all = await backfills?.list({
    partition: backfillKind.partition('backfills'),
    limit: MAX_BACKFILLS,
    newestFirst: true,
  });
  return all?.filter(({ startedAtMs }) => startedAtMs !== undefined).map(summaryOf);
}
