import { gauges } from '#shared/metrics/gauges.ts';
import type { Measurement } from '#shared/metrics/metrics.ts';
import type { Breakers } from '#shared/questions/breakers.ts';
import type { RecordItems } from '#shared/records/change-record.ts';
import { type ReportSources, readReport } from '#shared/spend/read-report.ts';

export interface GaugeSources extends Omit<ReportSources, 'records'> {
  readonly records: Pick<RecordItems, 'count'>;
  readonly breakers: Pick<Breakers, 'read'>;
  readonly dearestCredits: number;
}

/** Looks at how things stand. Only reads. */
export async function readGauges(sources: GaugeSources): Promise<Measurement[]> {
  const { spendBook, ledger, clock, timeZone, dearestCredits } = sources;
  const [report, breakers, live, bulk] = await Promise.all([
    readReport({ spendBook, ledger, clock, timeZone }),
    sources.breakers.read(),
    sources.records.count('waiting-live'),
    sources.records.count('waiting-bulk'),
  ]);
  return gauges({ report, breakers, recordsWaiting: live + bulk, dearestCredits });
}
