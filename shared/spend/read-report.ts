import type { LedgerReader } from '#shared/credit-ledger/ledger.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { buildReport, monthsNeeded, type RecordCounts, type SpendReport } from './report.ts';
import type { SpendBook } from './spend-book.ts';
import { type WaitingSources, whoWaits } from './who-waits.ts';

export interface ReportSources {
  readonly spendBook: Pick<SpendBook, 'read'>;
  readonly ledger: Pick<LedgerReader, 'account' | 'budgets' | 'perDay'>;
  /** The records, where the report is to tell who waits. */
  readonly waiting?: WaitingSources['records'] | undefined;
  /** Where records are counted by outcome; without it the report has no cost per filled record. */
  readonly records?: { countByOutcome(): Promise<RecordCounts> } | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** IANA name, the same as the ledger's. */
  readonly timeZone: string;
}

/** What was spent, as it stands now. Only reads. */
export async function readReport(sources: ReportSources): Promise<SpendReport> {
  const { spendBook, ledger, records, timeZone } = sources;
  const now = { nowMs: sources.clock.now(), timeZone };
  const [{ rows, newest }, budgets, counts] = await Promise.all([
    spendBook.read({ months: monthsNeeded(now) }),
    ledger.budgets(),
    records?.countByOutcome(),
  ]);
  const waiting =
    sources.waiting && (await whoWaits({ records: sources.waiting, perDay: ledger.perDay }, rows));
  return buildReport({ ...now, account: ledger.account, rows, newest, budgets, records: counts, waiting });
}
