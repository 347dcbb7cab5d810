import { OBJECT_TYPES } from '#shared/crm/crm-record.ts';
import { withoutOldKey } from '#shared/questions/breaker-transitions.ts';
import type { Breakers } from '#shared/questions/breakers.ts';
import type { BreakerState } from '#shared/questions/schemas.ts';
import type { RecordItems } from '#shared/records/change-record.ts';
import { placeInTurn } from '#shared/records/record-state.ts';
import type { WaitingCount } from '#shared/records/rounds/schemas.ts';
import { WAITS_FOR } from '#shared/records/schemas.ts';
import type { WriteBreakers } from '#shared/records/write-breaker.ts';
import { type ReportSources, readReport } from '#shared/spend/read-report.ts';
import { doubtCount, type SpendReport } from '#shared/spend/report.ts';
import { type Measurement, measure } from './metrics.ts';

export interface Gauged {
  readonly report: SpendReport;
  readonly breakers: BreakerState;
  /** Whether nothing is bought for a kind of record because HubSpot refused what was bought. */
  readonly writesStopped: boolean;
  /** What the last round through the waiting records has counted; nothing before the first. */
  readonly counted: WaitingCount['last'];
  /** For how long the fresh lead has waited that waits longest for its turn; nothing where none does. */
  readonly oldestLeadMs: number | undefined;
  /** The most that one record's questions may cost under the policy: with less left, some have to wait. */
  readonly dearestCredits: number;
}

/** How things stand. Alarms look at these, so that each goes on as long as its cause does. */
export function gauges({
  report,
  breakers,
  writesStopped,
  counted,
  oldestLeadMs,
  dearestCredits,
}: Gauged): Measurement[] {
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = withoutOldKey(
    breakers,
    report.generatedAtMs,
  );
  const isOutOfCredits = outOfCredits !== undefined && outOfCredits.untilMs > report.generatedAtMs;
  return [
    ...budgetGauges(report, dearestCredits),
    measure('forecastMonth', report.forecastMonthCredits),
    ...(report.balanceCredits === undefined ? [] : [measure('creditBalance', report.balanceCredits)]),
    measure('doubtsOpen', doubtCount(report)),
    measure('vendorKeyRefused', keyRefused ? 1 : 0),
    measure('vendorOutOfCredits', isOutOfCredits ? 1 : 0),
    measure('vendorOvercharges', overcharged ? 1 : 0),
    measure('vendorUnavailable', doubtful ? 1 : 0),
    measure('spendingStopped', stopped ? 1 : 0),
    measure('hubSpotWritesStopped', writesStopped ? 1 : 0),
    ...(counted ? waitingGauges(counted, report.generatedAtMs) : []),
    measure('oldestLead', oldestLeadMs ?? 0),
    // What record-metrics.ts finds wrong in this run comes on top of it.
    measure('conservationDifference', 0),
  ];
}

function waitingGauges(
  { records, sinceMs }: NonNullable<WaitingCount['last']>,
  nowMs: number,
): Measurement[] {
  return [
    measure(
      'recordsWaiting',
      Object.values(records).reduce((sum, count) => sum + count, 0),
    ),
    ...WAITS_FOR.map(
      (waitsFor): Measurement => ({
        metric: 'oldestWaiting',
        value: nowMs - (sinceMs[waitsFor] ?? nowMs),
        dimensions: { waitsFor },
      }),
    ),
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
  readonly records: Pick<RecordItems, 'list'>;
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly breakers: Pick<Breakers, 'read'>;
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly dearestCredits: number;
}

/** Looks at how things stand, every minute: a few items and one record. Only reads. */
export async function readGauges(sources: GaugeSources): Promise<Measurement[]> {
  const { spendBook, ledger, clock, timeZone, dearestCredits } = sources;
  const [report, breakers, [oldest], counted, ...open] = await Promise.all([
    readReport({ spendBook, ledger, clock, timeZone }),
    sources.breakers.read(),
    sources.records.list({ partition: placeInTurn('live'), limit: 1 }),
    sources.counted(),
    ...OBJECT_TYPES.map((objectType) => sources.writeBreakers.open(objectType)),
  ]);
  const writesStopped = open.some((reason) => reason !== undefined);
  const oldestLeadMs = oldest?.run && report.generatedAtMs - oldest.run.openedAtMs;
  return gauges({ report, breakers, writesStopped, counted, oldestLeadMs, dearestCredits });
}
