import { budgetParts } from '#shared/credit-ledger';
import { OBJECT_TYPES } from '#shared/crm';
import type { Policy } from '#shared/field-policy';
import { daysUpTo } from '#shared/kernel';
import { type BreakerState, type Breakers, isOutOfCredits, withoutOldKey } from '#shared/questions';
import {
  type Days,
  queuePlace,
  type RecordItems,
  type RecordState,
  recordKind,
  type StatusItems,
  statusKind,
  type WaitingCount,
  type WriteBreakers,
  yieldsOf,
} from '#shared/records';
import { type ReportSources, readReport, type SpendBook, type SpendReport } from '#shared/spend';
import { type LossFacts, lossGauges, readWaitsSince } from './loss-gauges.ts';
import { type Measurement, measure } from './metrics.ts';

export interface Gauged {
  readonly report: SpendReport;
  readonly breakers: BreakerState;
  /** True while purchases for an object type are stopped, because HubSpot refused the values. */
  readonly writesStopped: boolean;
  /** Counts of the last pass through the waiting records; `undefined` before the first pass. */
  readonly counted: WaitingCount['last'];
  /** Waiting time of the oldest queued lead; `undefined` if no lead waits. */
  readonly oldestLeadMs: number | undefined;
  /** Lag of the record index behind the table. */
  readonly indexLagMs: number;
  /**
   * Highest possible price of one record's questions under the policy. With fewer credits left, some records must wait.
   */
  readonly dearestCredits: number;
  /** Facts about losses that cause no error. */
  readonly losses: Omit<LossFacts, 'nowMs' | 'isBudgetUsedUp' | 'doubtsAtMs'>;
}

/** Measures the gauges. An alarm on a gauge lasts as long as its cause. */
export function gauges({
  report,
  breakers,
  writesStopped,
  counted,
  oldestLeadMs,
  indexLagMs,
  dearestCredits,
  losses,
}: Gauged): Measurement[] {
  const nowMs = report.generatedAtMs;
  const budgetUsed = budgetUsedPercent(report, dearestCredits);
  const { keyRefused, overcharged, doubtful, stopped } = withoutOldKey(breakers, nowMs);
  return [
    ...budgetGauges(report),
    ...(budgetUsed === undefined ? [] : [measure('budgetUsed', budgetUsed)]),
    ...(report.balanceCredits === undefined ? [] : [measure('creditBalance', report.balanceCredits)]),
    measure('doubtsOpen', report.openDoubts.length),
    measure(
      'purchasesStopped',
      keyRefused || overcharged || doubtful || isOutOfCredits(breakers, nowMs) ? 1 : 0,
    ),
    measure('spendingStopped', stopped ? 1 : 0),
    measure('hubSpotWritesStopped', writesStopped ? 1 : 0),
    ...(counted ? waitingGauges(counted, nowMs) : []),
    // If the index lags, a lead can wait unseen.
    measure('oldestLead', Math.max(oldestLeadMs ?? 0, indexLagMs)),
    ...lossGauges({
      ...losses,
      nowMs,
      isBudgetUsedUp: budgetUsed === 100,
      doubtsAtMs: report.openDoubts.map(({ atMs }) => atMs),
    }),
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
    // Records whose values HubSpot refuses are left out, because one of them would keep the alarm on for months.
    measure(
      'oldestWaiting',
      nowMs -
        Math.min(sinceMs.hubspot ?? nowMs, sinceMs['data-service'] ?? nowMs, sinceMs.ourselves ?? nowMs),
    ),
  ];
}

function budgetGauges({ budgets }: SpendReport): Measurement[] {
  return budgets.map(({ budget, leftCredits }) => ({
    metric: 'budgetLeft',
    value: leftCredits,
    dimensions: { budget },
  }));
}

/**
 * Returns the highest use of the total budgets. Budgets for one purpose, such as the refresh, are left out, because
 * they are meant to be used up. A budget counts as used up when it cannot pay for every question, because then some
 * records wait.
 */
function budgetUsedPercent({ budgets }: SpendReport, dearestCredits: number): number | undefined {
  const used = budgets
    .filter((state) => budgetParts(state).scope === 'total')
    .map(({ usedCredits, leftCredits, limitCredits }) =>
      leftCredits < dearestCredits ? 100 : (usedCredits / limitCredits) * 100,
    );
  return used.length > 0 ? Math.max(...used) : undefined;
}

interface GaugeSources extends Omit<ReportSources, 'records' | 'spendBook' | 'days'> {
  readonly records: Pick<RecordItems, 'list'>;
  readonly spendBook: Pick<SpendBook, 'read' | 'answers'>;
  readonly days: Pick<Days, 'read'>;
  readonly counted: () => Promise<WaitingCount['last']>;
  readonly breakers: Pick<Breakers, 'read'>;
  readonly writeBreakers: Pick<WriteBreakers, 'open'>;
  readonly dearestCredits: number;
  readonly status: Pick<StatusItems, 'read'>;
  readonly indexLagMs: () => Promise<number>;
  readonly policy: Pick<Policy, 'mode' | 'missAlarmCredits'>;
}

/**
 * Reads the gauges every minute, from some items and the first records of some index partitions. Also writes one
 * marker.
 */
export async function readGauges(sources: GaugeSources): Promise<Measurement[]> {
  const { spendBook, ledger, clock, timeZone, dearestCredits } = sources;
  const [report, breakers, [oldest], counted, indexLagMs, ...open] = await Promise.all([
    readReport({ spendBook, ledger, clock, timeZone }),
    sources.breakers.read(),
    sources.records.list({ partition: recordKind.partition(queuePlace('live')), limit: 1 }),
    sources.counted(),
    sources.indexLagMs(),
    ...OBJECT_TYPES.map((objectType) => sources.writeBreakers.open(objectType)),
  ]);
  const writesStopped = open.some((reason) => reason !== undefined);
  const oldestLeadMs = oldest?.run && report.generatedAtMs - oldest.run.openedAtMs;
  const losses = await readLosses(sources, { oldest, today: report.today });
  return gauges({
    report,
    breakers,
    writesStopped,
    counted,
    oldestLeadMs,
    indexLagMs,
    dearestCredits,
    losses,
  });
}

/** Number of days, including today, over which enriched records are counted. */
const DAYS_UNENRICHED = 3;

async function readLosses(
  sources: GaugeSources,
  { oldest, today }: { readonly oldest: RecordState | undefined; readonly today: string },
): Promise<Gauged['losses']> {
  const { records, spendBook, days, status, policy } = sources;
  const [answers, waitsSinceMs, lastDays, ...sweepCursors] = await Promise.all([
    spendBook.answers(),
    readWaitsSince(records, oldest),
    days.read(daysUpTo(today, DAYS_UNENRICHED)),
    ...OBJECT_TYPES.map((objectType) => status.read(statusKind.key(`created#${objectType}`))),
  ]);
  const unreported = Math.max(...sweepCursors.map((cursor) => cursor?.value.created?.unreported ?? 0));
  const isShadow = policy.mode === 'shadow';
  const { missAlarmCredits } = policy;
  return { answers, waitsSinceMs, brought: yieldsOf(lastDays), unreported, missAlarmCredits, isShadow };
}
