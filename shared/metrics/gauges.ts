import type { Breakers } from '#shared/questions/breakers.ts';
import type { BreakerState } from '#shared/questions/schemas.ts';
import type { RecordItems } from '#shared/records/change-record.ts';
import { placeInTurn, WAITING_PLACES } from '#shared/records/record-state.ts';
import { type ReportSources, readReport } from '#shared/spend/read-report.ts';
import type { SpendReport } from '#shared/spend/report.ts';
import { type Measurement, measure } from './metrics.ts';

export interface Gauged {
  readonly report: SpendReport;
  readonly breakers: BreakerState;
  readonly recordsWaiting: number;
  /** For how long the fresh lead has waited that waits longest for its turn; nothing where none does. */
  readonly oldestLeadMs: number | undefined;
  /** The most that one record's questions may cost under the policy: with less left, some have to wait. */
  readonly dearestCredits: number;
}

/** How things stand. Alarms look at these, so that each goes on as long as its cause does. */
export function gauges({
  report,
  breakers,
  recordsWaiting,
  oldestLeadMs,
  dearestCredits,
}: Gauged): Measurement[] {
  const { keyRefused, outOfCredits } = breakers;
  const isOutOfCredits = outOfCredits !== undefined && outOfCredits.untilMs > report.generatedAtMs;
  return [
    ...budgetGauges(report, dearestCredits),
    measure('forecastMonth', report.forecastMonthCredits),
    ...(report.balanceCredits === undefined ? [] : [measure('creditBalance', report.balanceCredits)]),
    measure('doubtsOpen', report.openDoubts.length),
    measure('vendorKeyRefused', keyRefused ? 1 : 0),
    measure('vendorOutOfCredits', isOutOfCredits ? 1 : 0),
    measure('recordsWaiting', recordsWaiting),
    measure('oldestLead', oldestLeadMs ?? 0),
    // What record-metrics.ts finds wrong in this run comes on top of it.
    measure('conservationDifference', 0),
  ];
}

/**
 * Of the budgets for everything: one for a purpose, such as the refresh, is there to be used up. It counts as used up
 * when what is left does not pay for every question, because records are waiting for it from then on.
 */
function budgetGauges({ budgets }: SpendReport, dearestCredits: number): Measurement[] {
  const used = budgets
    .filter(({ budget }) => budget.startsWith('total/'))
    .map(({ usedCredits, leftCredits, limitCredits }) =>
      leftCredits < dearestCredits ? 100 : (usedCredits / limitCredits) * 100,
    );
  return [
    ...budgets.map(
      ({ budget, leftCredits }): Measurement => ({
        metric: 'budgetLeft',
        value: leftCredits,
        dimensions: { budget },
      }),
    ),
    ...(used.length > 0 ? [measure('budgetUsed', Math.max(...used))] : []),
  ];
}

interface GaugeSources extends Omit<ReportSources, 'records'> {
  readonly records: Pick<RecordItems, 'count' | 'list'>;
  readonly breakers: Pick<Breakers, 'read'>;
  readonly dearestCredits: number;
}

/** Of one place no more are counted, every minute. */
const COUNTED_PLACES = 1_000;

/** Looks at how things stand. Only reads. */
export async function readGauges(sources: GaugeSources): Promise<Measurement[]> {
  const { spendBook, ledger, clock, timeZone, dearestCredits } = sources;
  const [report, breakers, [oldest], ...waiting] = await Promise.all([
    readReport({ spendBook, ledger, clock, timeZone }),
    sources.breakers.read(),
    sources.records.list({ partition: placeInTurn('live'), limit: 1 }),
    ...WAITING_PLACES.map((place) => sources.records.count(place, COUNTED_PLACES)),
  ]);
  const recordsWaiting = waiting.reduce((sum, count) => sum + count, 0);
  const oldestLeadMs = oldest?.run && report.generatedAtMs - oldest.run.openedAtMs;
  return gauges({ report, breakers, recordsWaiting, oldestLeadMs, dearestCredits });
}
